import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../shared/contract.ts';
import type { IfExists, RequestKind } from '../../shared/domain/profile.ts';
import { usesHash } from '../../shared/domain/template.ts';
import type { Draft } from '../../shared/domain/upload-draft.ts';
import { AppFailure, toAppError } from '../../shared/errors.ts';
import { coalesce } from '../coalesce.ts';
import type { Grants } from '../files/grants.ts';
import type { Clock, Log, Publisher } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { UploadItem } from '../engine/enqueue.ts';
import { digestOf } from '../engine/files/source.ts';
import { readFiles, type FoundFile, type Trouble } from './read-files.ts';
import { createSheet, pathOf, type Sheet } from './sheet.ts';

type Name =
  'open' | 'addFiles' | 'page' | 'setIdentifier' | 'setTemplate' | 'removeEntries' | 'discard' | 'upload';

export interface Drafts {
  readonly handlers: Pick<Handlers, `drafts.${Name}`>;
  /** Ends everything that is being read. */
  close(): void;
}

interface OpenDraft {
  readonly id: string;
  readonly profileId: string;
  readonly intoFolder: string;
  readonly sheet: Sheet;
  readonly refused: Draft['refused'];
  readonly abort: AbortController;
  readonly changes: { request(): void; cancel(): void };
  revision: number;
  /** Everything that was asked for so far: reading, naming, hashing, in this order. Never rejects. */
  work: Promise<void>;
  /** How much of it is not through. */
  pending: number;
}

/** Of the folders that could not be read this many are named. */
const mostRefused = 100;

/** The sheets of uploads: which files, under which identifiers, with which problems, before a byte moves. */
export function createDrafts(deps: {
  connections: Pick<Connections, 'factsOf'>;
  grants: Grants;
  clock: Clock;
  log: Log;
  publisher: Publisher;
  enqueueUploads: (profileId: string, items: UploadItem[], request: RequestKind) => unknown;
  /** What was chosen is remembered. */
  onUpload: (
    profileId: string,
    choice: { ifExists: IfExists; request: RequestKind; classification: string | null },
  ) => Promise<void>;
}): Drafts {
  const { connections, grants, clock, log, publisher, enqueueUploads, onUpload } = deps;
  const drafts = new Map<string, OpenDraft>();

  function get(id: string): OpenDraft {
    const draft = drafts.get(id);
    if (!draft) throw new AppFailure({ code: 'notFound', what: 'draft' });
    return draft;
  }

  function describe(draft: OpenDraft): Draft {
    const { id, profileId, intoFolder, sheet, revision, pending } = draft;
    const refused = [...draft.refused];
    const reading = pending > 0;
    return {
      id,
      profileId,
      intoFolder,
      template: sheet.template(),
      revision,
      reading,
      refused,
      ...sheet.counts(),
    };
  }

  function changed(draft: OpenDraft): Draft {
    draft.revision += 1;
    draft.changes.request();
    return describe(draft);
  }

  /** One thing after the other, so that the list keeps the order in which files were handed over. */
  function enqueue(draft: OpenDraft, work: () => Promise<void>): Promise<void> {
    draft.pending += 1;
    draft.work = draft.work
      .then(work)
      .catch((cause: unknown) => log.error('reading files failed', { cause }))
      .then(() => {
        draft.pending -= 1;
        changed(draft);
      });
    return draft.work;
  }

  function read(draft: OpenDraft, granted: string[]): void {
    const paths = granted.map((grant) => grants.resolve(grant));
    grants.forget(granted);
    void enqueue(draft, async () => {
      await readFiles(paths, {
        signal: draft.abort.signal,
        onFound(files) {
          draft.sheet.add(files);
          changed(draft);
        },
        onRefused(name, error) {
          if (draft.refused.length < mostRefused) draft.refused.push({ name, error });
          changed(draft);
        },
      });
      await nameByBytes(draft);
    });
  }

  /** Reads the files whose identifiers are made from their bytes. */
  async function nameByBytes(draft: OpenDraft): Promise<void> {
    const { sheet, abort } = draft;
    let next = sheet.unnamedFrom(0);
    while (next && !abort.signal.aborted && usesHash(sheet.template())) {
      sheet.setHash(next.entry, await hash8Of(next.entry.file, abort.signal));
      changed(draft);
      next = sheet.unnamedFrom(next.index);
    }
  }

  function discard(draft: OpenDraft): void {
    drafts.delete(draft.id);
    draft.abort.abort();
    draft.changes.cancel();
  }

  return {
    close() {
      for (const draft of drafts.values()) discard(draft);
    },
    handlers: {
      'drafts.open': async ({ profileId, intoFolder, grants: granted }) => {
        const facts = await connections.factsOf(profileId);
        const draft: OpenDraft = {
          id: randomUUID(),
          profileId,
          intoFolder,
          sheet: createSheet({
            intoFolder,
            separator: facts.separator,
            template: facts.identifierTemplate,
            date: localDate(clock.nowMs()),
            exactLimitBytes: facts.maxObjectBytes,
          }),
          refused: [],
          abort: new AbortController(),
          changes: coalesce(() => publisher.publish('drafts.changed', describe(draft))),
          revision: 0,
          work: Promise.resolve(),
          pending: 0,
        };
        read(draft, granted);
        drafts.set(draft.id, draft);
        return describe(draft);
      },

      'drafts.addFiles': ({ id, grants: granted }) => {
        const draft = get(id);
        read(draft, granted);
        return changed(draft);
      },

      'drafts.page': ({ id, offset, limit }) => {
        const draft = get(id);
        return { draft: describe(draft), offset, ...draft.sheet.page(offset, limit) };
      },

      'drafts.setIdentifier': ({ id, entryId, identifier }) => {
        const draft = get(id);
        if (!draft.sheet.setIdentifier(entryId, identifier)) {
          throw new AppFailure({ code: 'notFound', what: 'draft' });
        }
        if (identifier === null) void enqueue(draft, () => nameByBytes(draft));
        return changed(draft);
      },

      'drafts.setTemplate': async ({ id, template, resetEdited }) => {
        const draft = get(id);
        // Not after what is being read: a person who types does not wait for ten thousand files.
        await draft.sheet.setTemplate(template, resetEdited);
        if (usesHash(template)) void enqueue(draft, () => nameByBytes(draft));
        return changed(draft);
      },

      'drafts.removeEntries': ({ id, entries }) => {
        const draft = get(id);
        draft.sheet.remove(entries);
        return changed(draft);
      },

      'drafts.discard': ({ id }) => {
        discard(get(id));
        return undefined;
      },

      'drafts.upload': async ({ id, classification, ifExists, request }) => {
        const draft = get(id);
        // Taken off first: a second press finds nothing to upload twice.
        drafts.delete(id);
        try {
          await draft.work;
          const items = draft.sheet.readyEntries().map(({ file, identifier }): UploadItem => {
            const { fileName, sizeBytes, mtimeMs } = file;
            return { path: pathOf(file), fileName, identifier, sizeBytes, mtimeMs, classification, ifExists };
          });
          if (items.length > 0) await enqueueUploads(draft.profileId, items, request);
          discard(draft);
          await onUpload(draft.profileId, { ifExists, request, classification }).catch((cause: unknown) =>
            log.error('the choices of an upload are not remembered', { cause }),
          );
          return { count: items.length };
        } catch (cause) {
          drafts.set(id, draft);
          throw cause;
        }
      },
    },
  };
}

/** Opened as an upload opens it: no link in a file's place is followed, and what changed meanwhile does not count. */
async function hash8Of(
  file: FoundFile,
  signal: AbortSignal,
): Promise<{ hash8: string } | { trouble: Trouble }> {
  try {
    return { hash8: (await digestOf(pathOf(file), file.fileName, file, signal)).slice(0, 8) };
  } catch (cause) {
    const code = toAppError(cause)?.code;
    return { trouble: code === 'fileGone' ? 'gone' : code === 'fileSpecial' ? 'special' : 'unreadable' };
  }
}

function localDate(nowMs: number): string {
  const now = new Date(nowMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
