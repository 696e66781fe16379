import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Output } from '../../shared/contract.ts';
import type { IfExists, RequestKind } from '../../shared/domain/profile.ts';
import { unknownParts, usesHash } from '../../shared/domain/template.ts';
import type { PlanChoices, UploadPlan } from '../../shared/domain/upload-plan.ts';
import { AppFailure, type AppError } from '../../shared/errors.ts';
import type { Documents } from '../catalogue/catalogue.ts';
import { coalesce } from '../coalesce.ts';
import type { Log, Publisher } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { UploadItem } from '../transfers/enqueue.ts';
import { hash8Of } from './hash8.ts';
import { createPlanKeeper, type KeptFile, type KeptPlan } from './kept-plans.ts';
import { lookAgain, readFiles } from './read-files.ts';
import { createSheet, type SheetOptions } from './sheet.ts';
import { pathOf, type SheetEntry } from './sheet-entry.ts';

export interface UploadChoice {
  readonly classification: string | null;
  readonly ifExists: IfExists;
  readonly request: RequestKind;
}

export interface PlanDeps {
  readonly documents: Pick<Documents, 'list' | 'write'>;
  readonly connections: Pick<Connections, 'factsOf' | 'originOf'>;
  readonly log: Log;
  readonly publisher: Publisher;
  /** All of the items or, when it rejects, none. */
  readonly enqueueUploads: (profileId: string, items: UploadItem[], request: RequestKind) => unknown;
  /** What was chosen is remembered. */
  readonly onUpload: (profileId: string, choice: UploadChoice) => Promise<void>;
}

/** A sheet and what goes on for it. Its changes throw invalidInput (sheet, uploading) once its upload has begun. */
export interface OpenPlan {
  readonly id: string;
  readonly profileId: string;
  isUploading(): boolean;
  describe(): UploadPlan;
  page(offset: number, limit: number): Output<'uploadPlans.page'>;
  /** @param paths absolute; in the list they come after everything that was added before */
  add(paths: readonly string[]): UploadPlan;
  /** @throws AppFailure notFound (uploadPlan) */
  setIdentifier(entryId: number, identifier: string | null): UploadPlan;
  /** @throws AppFailure invalidInput (template, unknownPart); then everything stays named as it is */
  setTemplate(template: string, resetEdited: boolean): UploadPlan;
  remove(entries: 'problems' | readonly number[]): UploadPlan;
  numberDuplicates(): UploadPlan;
  choose(choices: PlanChoices): UploadPlan;
  /**
   * Waits until every file is read and named, then hands over what is ready, batch by batch. Each batch leaves the sheet when
   * it has gone, so that another upload after a failure sends only the rest. `count`: how many went; `left`: how many
   * stay whose problem nobody has seen yet. @throws AppFailure notFound (profile), cancelled (its service has another
   * address now), invalidInput (template, unknownPart), and what enqueuing throws
   */
  upload(choice: UploadChoice): Promise<{ count: number; left: number }>;
  /** Ends what goes on; what was handed over is on its way. */
  discard(): Promise<void>;
  /** Coffer ends: it is there again after the next start. */
  close(): Promise<void>;
}

/** Of the folders that could not be read this many are named. */
const mostRefused = 100;

export type PlanOptions = SheetOptions & { openedAtMs: number };

/** @param before what was kept of it when Coffer ended; its files are looked at again */
export function createUploadPlan(
  deps: PlanDeps,
  profileId: string,
  options: PlanOptions,
  before?: KeptPlan,
): OpenPlan {
  const { connections, documents, log, publisher, enqueueUploads, onUpload } = deps;
  const { intoFolder, batchSize, date, openedAtMs } = options;
  const id = before?.id ?? randomUUID();
  const sheet = createSheet({ ...options, lastId: before?.files.at(-1)?.id ?? 0 });
  const ended = new AbortController();
  const { signal } = ended;
  const changes = coalesce(() => publisher.publish('uploadPlans.changed', describe()));
  const refused: UploadPlan['refused'] = [];
  /** What an upload waits for. Each ends by itself, or soon after the sheet was discarded, and none rejects. */
  const reading = new Set<Promise<void>>();
  const naming = new Set<Promise<void>>();
  let lastRead = Promise.resolve();
  let isHashing = false;
  let isUploading = false;
  let handedOver = before?.head.handedOver ?? 0;
  let choices = before?.head.choices ?? {};
  let edited = before?.head.edited ?? false;
  /** Until all of it is back, what is kept is truer than the sheet. */
  let isRestored = before === undefined;
  /** What is being read, or will be. */
  const unread = new Set<readonly string[]>();
  const keeper = createPlanKeeper({
    documents,
    log,
    id,
    ...(before === undefined ? {} : { before }),
    head: (lastId) => ({
      profileId,
      openedAtMs,
      intoFolder,
      template: sheet.template(),
      date,
      choices,
      edited,
      handedOver,
      unread: [...unread].flat(),
      ...sheet.edits(lastId),
    }),
  });
  let revision = 0;

  const isWorking = () => reading.size + naming.size > 0;

  function describe(): UploadPlan {
    return {
      id,
      profileId,
      intoFolder,
      template: sheet.template(),
      choices,
      edited,
      revision,
      reading: reading.size > 0,
      naming: naming.size > 0,
      refused: [...refused],
      handedOver,
      ...sheet.counts(),
    };
  }

  function changed(): UploadPlan {
    revision += 1;
    if (!signal.aborted) changes.request();
    return describe();
  }

  /** By the person: to be kept. */
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

  /** Nobody means `{nope}` in an identifier. */
  function requireKnownParts(template: string): void {
    const values = unknownParts(template);
    if (values.length === 0) return;
    throw new AppFailure({ code: 'invalidInput', field: 'template', problem: 'unknownPart', values });
  }

  function track(kind: Set<Promise<void>>, work: Promise<void>): void {
    const tracked = work
      .catch((cause: unknown) => log.error('making a sheet ready failed', { cause }))
      .then(() => {
        kind.delete(tracked);
        changed();
      });
    kind.add(tracked);
  }

  function refuse(name: string, error: AppError): void {
    if (refused.length < mostRefused) refused.push({ name, error });
    changed();
  }

  async function read(paths: readonly string[]): Promise<void> {
    const found: KeptFile[] = [];
    try {
      await readFiles(paths, {
        signal,
        onFound(files) {
          for (const each of sheet.add(files)) found.push(each);
          nameByBytes();
          changed();
        },
        onRefused: refuse,
      });
    } catch (cause) {
      const reference = randomUUID().slice(0, 8);
      log.error('reading files failed', { reference, cause });
      refuse(basename(paths[0] ?? ''), { code: 'unexpected', reference });
    }
    if (signal.aborted) return;
    unread.delete(paths);
    keeper.add(found);
  }

  async function restore({ head, files }: KeptPlan): Promise<void> {
    const own = new Map(head.own);
    const taken = new Set<number>();
    for (const [from, to] of head.taken) for (let each = from; each <= to; each += 1) taken.add(each);
    const left = files.filter((each) => !taken.has(each.id));
    for (let index = 0; index < left.length && !signal.aborted; index += batchSize) {
      const batch = left.slice(index, index + batchSize);
      const now = await lookAgain(batch.map(({ file }) => file));
      batch.forEach(({ id: entryId, file: then }, at) => {
        const file = now[at] ?? then;
        const isOther = file.sizeBytes !== then.sizeBytes || file.mtimeMs !== then.mtimeMs;
        sheet.restore(entryId, file, own.get(entryId) ?? null, file.trouble === null && isOther);
      });
      nameByBytes();
      changed();
    }
    if (signal.aborted) return;
    isRestored = true;
    keeper.changed();
    if (head.unread.length > 0) await read(head.unread);
  }

  /** Reads the files whose identifiers are made from their bytes, one after the other, until there are none. */
  function nameByBytes(): void {
    if (isHashing || sheet.unnamed().size === 0 || !usesHash(sheet.template())) return;
    isHashing = true;
    track(naming, hashUnnamed());
  }

  async function hashUnnamed(): Promise<void> {
    for (const entry of sheet.unnamed()) {
      const outcome = await hash8Of(entry.file, signal);
      if (signal.aborted) break;
      sheet.setHash(entry, outcome);
      changed();
      if (!usesHash(sheet.template())) break;
    }
    isHashing = false;
  }

  async function handOver(choice: UploadChoice): Promise<number> {
    const { classification, ifExists, request } = choice;
    const toItem = ({ file, identifier }: SheetEntry): UploadItem => {
      const { fileName, sizeBytes, mtimeMs } = file;
      return { path: pathOf(file), fileName, identifier, sizeBytes, mtimeMs, classification, ifExists };
    };
    const going = sheet.readyEntries();
    const origin = connections.originOf(profileId);
    let count = 0;
    try {
      for (let index = 0; index < going.length; index += batchSize) {
        const batch = going.slice(index, index + batchSize);
        // The service may have been removed since the last batch.
        await connections.factsOf(profileId);
        if (signal.aborted) break;
        // At another address it is another service, which a person means by another press.
        if (connections.originOf(profileId) !== origin) throw new AppFailure({ code: 'cancelled' });
        await enqueueUploads(profileId, batch.map(toItem), request);
        sheet.handOver(batch);
        handedOver += batch.length;
        // At once: what has gone must not come back with the sheet.
        await keeper.flush();
        count += batch.length;
        changed();
      }
    } finally {
      if (count > 0) {
        await onUpload(profileId, choice).catch((cause: unknown) =>
          log.error('the choices of an upload are not remembered', { cause }),
        );
      }
    }
    return count;
  }

  if (before !== undefined) {
    if (before.head.unread.length > 0) unread.add(before.head.unread);
    lastRead = restore(before);
    track(reading, lastRead);
  }

  return {
    id,
    profileId,
    isUploading: () => isUploading,
    describe,
    page: (offset, limit) => ({ plan: describe(), offset, ...sheet.page(offset, limit) }),

    add(paths) {
      requireChangeable();
      unread.add(paths);
      lastRead = lastRead.then(() => read(paths));
      track(reading, lastRead);
      return keep();
    },

    setIdentifier(entryId, identifier) {
      requireChangeable();
      if (!sheet.setIdentifier(entryId, identifier)) {
        throw new AppFailure({ code: 'notFound', what: 'uploadPlan' });
      }
      nameByBytes();
      return edit();
    },

    setTemplate(template, resetEdited) {
      requireChangeable();
      requireKnownParts(template);
      // Beside what is being read: a person who types does not wait for ten thousand files.
      track(naming, sheet.setTemplate(template, resetEdited).then(nameByBytes));
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

    async upload(choice) {
      requireChangeable();
      requireKnownParts(sheet.template());
      isUploading = true;
      const seenProblems = isWorking() ? 0 : sheet.counts().problems;
      try {
        while (isWorking()) await Promise.all([...reading, ...naming]);
        const count = await handOver(choice);
        return { count, left: signal.aborted ? 0 : sheet.counts().total - seenProblems };
      } finally {
        isUploading = false;
        changed();
      }
    },

    discard() {
      ended.abort();
      changes.cancel();
      return keeper.forget();
    },

    async close() {
      ended.abort();
      changes.cancel();
      if (isRestored) await keeper.flush();
    },
  };
}
