import { z } from 'zod';
import { planChoicesSchema } from '../../shared/domain/upload-plan.ts';
import type { Documents } from '../database/documents.ts';
import { systemClock } from '../clock.ts';
import { Mutex } from '../lib/async.ts';
import { Alarm } from '../lib/timers.ts';
import type { Log } from '../ports.ts';
import type { FoundFile } from './read-files.ts';

const collection = 'uploadPlans';

/** The changeable part of a draft, rewritten as a whole; it contains no files. */
const headSchema = z.object({
  serviceId: z.string(),
  openedAtMs: z.number(),
  intoFolder: z.string(),
  template: z.string(),
  /** YYYY-MM-DD, the day on which the sheet was opened. */
  date: z.string(),
  choices: planChoicesSchema,
  edited: z.boolean(),
  handedOver: z.number(),
  /** Number of parts with files. */
  parts: z.number(),
  /** Absolute paths that were not read completely. */
  unread: z.array(z.string()),
  /** Identifiers entered by hand, by entry. */
  own: z.array(z.tuple([z.number(), z.string()])),
  /** Entries that left the sheet, as inclusive ranges of ids. */
  taken: z.array(z.tuple([z.number(), z.number()])),
});
export type SavedDraftHead = Omit<z.infer<typeof headSchema>, 'parts'>;

/** Files as they were found; written once. */
const partSchema = z.object({
  folders: z.array(z.object({ absolute: z.string(), below: z.string() })),
  /** Entry, index of its folder, file name, length in bytes, modification time in ms. */
  files: z.array(z.tuple([z.number(), z.number(), z.string(), z.number(), z.number()])),
});
type Part = z.infer<typeof partSchema>;

export type SavedFile = { readonly id: number; readonly file: FoundFile };
export type SavedDraft = {
  readonly id: string;
  readonly head: z.infer<typeof headSchema>;
  readonly files: SavedFile[];
};

/** The sheets that were open when Coffer quit, newest first. Unreadable ones are skipped. */
export async function listSavedDrafts(documents: Pick<Documents, 'list'>): Promise<SavedDraft[]> {
  const all = new Map((await documents.list(collection)).map(({ key, value }) => [key, value]));
  const plans: SavedDraft[] = [];
  for (const [id, value] of all) {
    const head = headSchema.safeParse(value);
    if (!head.success) continue;
    const files: SavedFile[] = [];
    for (let index = 0; index < head.data.parts; index += 1) {
      const part = partSchema.safeParse(all.get(partKey(id, index)));
      if (part.success) for (const file of filesOf(part.data)) files.push(file);
    }
    plans.push({ id, head: head.data, files });
  }
  return plans.toSorted((one, other) => other.head.openedAtMs - one.head.openedAtMs);
}

function* filesOf({ folders, files }: Part): Generator<SavedFile> {
  for (const [id, folder, fileName, sizeBytes, mtimeMs] of files) {
    const place = folders[folder];
    if (place) yield { id, file: { place, fileName, sizeBytes, mtimeMs, trouble: null } };
  }
}

export interface DraftSaver {
  /** Schedules a write after a change of anything but the files. */
  changed(): void;
  /** Call for files that the sheet will keep. */
  add(files: readonly SavedFile[]): void;
  /** Writes pending changes. Never rejects: the sheet works without being saved. */
  flush(): Promise<void>;
  /** Deletes the draft. */
  forget(): Promise<void>;
}

export interface DraftSaverDeps {
  readonly documents: Pick<Documents, 'write'>;
  readonly log: Log;
  readonly id: string;
  /** @param lastId the last entry whose file is saved */
  readonly head: (lastId: number) => SavedDraftHead;
  /** The draft from the last run. */
  readonly before?: SavedDraft;
}

/** Saves one sheet at once, and then at most once a second. A write contains only new files. */
export function createDraftSaver({ documents, log, id, head, before }: DraftSaverDeps): DraftSaver {
  const alarm = new Alarm(systemClock, () => void flush());
  let writtenAtMs = -Infinity;
  const writes = new Mutex();
  let isForgotten = false;
  let parts = before?.head.parts ?? 0;
  let lastId = before?.files.at(-1)?.id ?? 0;
  let pending: SavedFile[] = [];

  async function write(): Promise<void> {
    if (isForgotten) return;
    const changes: { key: string; value: unknown }[] = [];
    for (let index = 0; index < pending.length; index += filesPerPart) {
      const files = pending.slice(index, index + filesPerPart);
      changes.push({ key: partKey(id, parts), value: partOf(files) });
      parts += 1;
      lastId = files.at(-1)?.id ?? lastId;
    }
    pending = [];
    changes.push({ key: id, value: { ...head(lastId), parts } });
    try {
      await documents.write(collection, changes);
    } catch (cause) {
      log.error('a sheet is not kept', { cause });
    }
  }

  function flush(): Promise<void> {
    alarm.cancel();
    writtenAtMs = systemClock.monotonicMs();
    return writes.runExclusive(write);
  }

  function changed(): void {
    if (!isForgotten) alarm.setBy(writtenAtMs + everyMs);
  }

  return {
    changed,
    add(files) {
      for (const file of files) pending.push(file);
      changed();
    },
    flush,
    forget() {
      isForgotten = true;
      alarm.cancel();
      return writes.runExclusive(async () => {
        const keys = [id, ...Array.from({ length: parts }, (_, index) => partKey(id, index))];
        try {
          await documents.write(
            collection,
            keys.map((key) => ({ key, value: undefined })),
          );
        } catch (cause) {
          log.error('a sheet that is gone is still kept', { cause });
        }
      });
    },
  };
}

/** No-op saver for headless uploads. */
export const saveNothing: DraftSaver = {
  changed: () => undefined,
  add: () => undefined,
  flush: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};

const everyMs = 1000;
const filesPerPart = 5000;

function partKey(id: string, index: number): string {
  return `${id}/${index}`;
}

function partOf(files: readonly SavedFile[]): Part {
  const folders = new Map<FoundFile['place'], number>();
  const rows = files.map(({ id, file: { place, fileName, sizeBytes, mtimeMs } }): Part['files'][number] => {
    const folder = folders.get(place) ?? folders.size;
    folders.set(place, folder);
    return [id, folder, fileName, sizeBytes, mtimeMs];
  });
  return { folders: [...folders.keys()], files: rows };
}
