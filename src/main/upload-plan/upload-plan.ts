import { randomUUID } from 'node:crypto';
import { unknownParts } from '../../shared/domain/template.ts';
import type { UploadPlan } from '../../shared/domain/upload-plan.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { throttle } from '../lib/timers.ts';
import { fillSheet } from './fill-sheet.ts';
import { countReclassified, handOver } from './hand-over.ts';
import { createDraftSaver, saveNothing, type SavedDraft } from './saved-drafts.ts';
import type { OpenPlan, PlanDeps, PlanOptions } from './open-plan.ts';
import { createSheet } from './sheet.ts';

/** @param before the draft of the last run; its files are inspected again */
export function createUploadPlan(
  deps: PlanDeps,
  serviceId: string,
  options: PlanOptions,
  before?: SavedDraft,
): OpenPlan {
  const { documents, log, publisher } = deps;
  const { batchSize, date, openedAtMs, isShown } = options;
  const id = before?.id ?? randomUUID();
  const sheet = createSheet({ ...options, lastId: before?.files.at(-1)?.id ?? 0 });
  const ended = new AbortController();
  const { signal } = ended;
  const publishSoon = throttle(() => publisher.publish('uploadPlans.changed', describe()));
  let isUploading = false;
  let handedOver = before?.head.handedOver ?? 0;
  let choices = before?.head.choices ?? {};
  let edited = before?.head.edited ?? false;
  /** Until everything is restored, the draft is more complete than the sheet. */
  let isRestored = before === undefined;
  let revision = 0;
  const keeper = isShown
    ? createDraftSaver({
        documents,
        log,
        id,
        ...(before === undefined ? {} : { before }),
        head: (lastId) => ({
          serviceId,
          openedAtMs,
          intoFolder: sheet.folder(),
          template: sheet.template(),
          date,
          choices,
          edited,
          handedOver,
          unread: filling.unread(),
          ...sheet.edits(lastId),
        }),
      })
    : saveNothing;
  const filling = fillSheet(
    {
      sheet,
      log,
      signal,
      batchSize,
      onChange: changed,
      onRead: (files) => keeper.add(files),
      onRestored() {
        isRestored = true;
        keeper.changed();
      },
    },
    before,
  );

  function describe(): UploadPlan {
    return {
      id,
      serviceId,
      intoFolder: sheet.folder(),
      template: sheet.template(),
      choices,
      edited,
      revision,
      reading: filling.isReading(),
      naming: filling.isNaming(),
      refused: filling.refused(),
      handedOver,
      ...sheet.counts(),
    };
  }

  function changed(): UploadPlan {
    revision += 1;
    if (isShown && !signal.aborted) publishSoon();
    return describe();
  }

  /** After a change by the person: save it. */
  function edit(): UploadPlan {
    edited = true;
    return keep();
  }

  function keep(): UploadPlan {
    if (isRestored) keeper.changed();
    return changed();
  }

  function requireChangeable(): void {
    if (isUploading) throw new AppFailure({ code: 'invalidInput', field: 'sheet', problem: 'uploading' });
  }

  /** Refuses unknown placeholders, which nobody means literally. */
  function requireKnownParts(template: string): void {
    const values = unknownParts(template);
    if (values.length === 0) return;
    throw new AppFailure({ code: 'invalidInput', field: 'template', problem: 'unknownPart', values });
  }

  return {
    id,
    serviceId,
    isUploading: () => isUploading,
    describe,
    page: (offset, limit) => ({ plan: describe(), offset, ...sheet.page(offset, limit) }),

    add(paths) {
      requireChangeable();
      filling.read(paths);
      return keep();
    },

    addFound(files) {
      requireChangeable();
      filling.take(files);
      return keep();
    },

    setIdentifier(entryId, identifier) {
      requireChangeable();
      if (!sheet.setIdentifier(entryId, identifier)) {
        throw new AppFailure({ code: 'notFound', what: 'uploadPlan' });
      }
      filling.nameByBytes();
      return edit();
    },

    setTemplate(template, resetEdited) {
      requireChangeable();
      requireKnownParts(template);
      filling.rename({ template, resetEdited });
      return edit();
    },

    setFolder(folder) {
      requireChangeable();
      filling.rename({ folder });
      return edit();
    },

    remove(entries) {
      requireChangeable();
      sheet.remove(entries);
      return edit();
    },

    numberDuplicates() {
      requireChangeable();
      sheet.numberDuplicates();
      return edit();
    },

    choose(chosen) {
      requireChangeable();
      choices = { ...choices, ...chosen };
      return edit();
    },

    reclassified: (to, ifExists) =>
      countReclassified(
        deps.catalogue,
        serviceId,
        sheet.readyEntries().map(({ identifier }) => identifier),
        to,
        ifExists,
      ),

    async upload(choice) {
      requireChangeable();
      requireKnownParts(sheet.template());
      isUploading = true;
      const isReady = !filling.isReading() && !filling.isNaming();
      const seenProblems = isReady ? sheet.counts().problems : 0;
      try {
        if (!isReady) await filling.settled();
        const ids = await handOver(
          deps,
          { serviceId, folder: sheet.folder() },
          choice,
          sheet.readyEntries(),
          {
            size: batchSize,
            signal,
            async onGone(batch) {
              sheet.handOver(batch);
              handedOver += batch.length;
              // Immediately: what was enqueued must not return with the sheet.
              await keeper.flush();
              changed();
            },
          },
        );
        return { ids, left: signal.aborted ? 0 : sheet.counts().total - seenProblems };
      } finally {
        isUploading = false;
        changed();
      }
    },

    async settled() {
      if (filling.isReading() || filling.isNaming()) await filling.settled();
    },

    discard() {
      ended.abort();
      publishSoon.cancel();
      return keeper.forget();
    },

    async close() {
      ended.abort();
      publishSoon.cancel();
      if (isRestored) await keeper.flush();
    },
  };
}
