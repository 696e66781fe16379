import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { usesHash } from '../../shared/domain/template.ts';
import type { UploadPlan } from '../../shared/domain/upload-plan.ts';
import type { AppError } from '../../shared/errors.ts';
import { Mutex } from '../lib/async.ts';
import type { Log } from '../ports.ts';
import { hash8Of } from './hash8.ts';
import type { SavedFile, SavedDraft } from './saved-drafts.ts';
import { checkAgain, readFiles, type FoundFile } from './read-files.ts';
import type { Sheet } from './sheet.ts';

/** Maximum number of unreadable folders that are named. */
const maxRefused = 100;

/** Fills a sheet: reads folders, restores a saved draft, and reads files whose names need their bytes. */
export interface Filling {
  readonly isReading: () => boolean;
  readonly isNaming: () => boolean;
  /** Folders that could not be read, and paths whose reading failed unexpectedly. */
  readonly refused: () => UploadPlan['refused'];
  /** Absolute paths that were not read completely. */
  readonly unread: () => string[];
  /** @param paths absolute; listed after everything added before */
  read(paths: readonly string[]): void;
  /** Adds files that were read already. */
  take(files: readonly FoundFile[]): void;
  /** Renames everything without waiting for running reads, so that typing does not wait for ten thousand files. */
  rename(how: { template: string; resetEdited: boolean } | { folder: string }): void;
  /** Reads, one by one, the files whose identifiers need their bytes. */
  nameByBytes(): void;
  /** Resolves once everything is read and named, including what is added meanwhile; never rejects. */
  settled(): Promise<void>;
}

export interface FillingDeps {
  readonly sheet: Sheet;
  readonly log: Log;
  /** Aborts all work. */
  readonly signal: AbortSignal;
  readonly batchSize: number;
  /** The visible state changed. */
  readonly onChange: () => void;
  /** These files were read completely, and may be saved. */
  readonly onRead: (files: SavedFile[]) => void;
  /** The saved draft is restored. */
  readonly onRestored: () => void;
}

export function fillSheet(deps: FillingDeps, before?: SavedDraft): Filling {
  const { sheet, log, signal, batchSize, onChange, onRead, onRestored } = deps;
  const refused: UploadPlan['refused'] = [];
  /** An upload waits for these. Each ends by itself, or soon after the sheet is discarded; none rejects. */
  const reading = new Set<Promise<void>>();
  const naming = new Set<Promise<void>>();
  const unread = new Set<readonly string[]>();
  const reads = new Mutex();
  let isHashing = false;

  function track(kind: Set<Promise<void>>, work: Promise<void>): void {
    const tracked = work
      .catch((cause: unknown) => log.error('making a sheet ready failed', { cause }))
      .then(() => {
        kind.delete(tracked);
        onChange();
      });
    kind.add(tracked);
  }

  const readInOrder = (work: () => Promise<void>) => track(reading, reads.runExclusive(work));

  function refuse(name: string, error: AppError): void {
    if (refused.length < maxRefused) refused.push({ name, error });
    onChange();
  }

  async function readNow(paths: readonly string[]): Promise<void> {
    const found: SavedFile[] = [];
    try {
      await readFiles(paths, {
        signal,
        onFound(files) {
          for (const each of sheet.add(files)) found.push(each);
          nameByBytes();
          onChange();
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
    onRead(found);
  }

  async function restore({ head, files }: SavedDraft): Promise<void> {
    const own = new Map(head.own);
    const taken = new Set<number>();
    for (const [from, to] of head.taken) for (let each = from; each <= to; each += 1) taken.add(each);
    const left = files.filter((each) => !taken.has(each.id));
    for (let index = 0; index < left.length && !signal.aborted; index += batchSize) {
      const batch = left.slice(index, index + batchSize);
      const now = await checkAgain(batch.map(({ file }) => file));
      batch.forEach(({ id, file: then }, at) => {
        const file = now[at] ?? then;
        const isOther = file.sizeBytes !== then.sizeBytes || file.mtimeMs !== then.mtimeMs;
        sheet.restore(id, file, own.get(id) ?? null, file.trouble === null && isOther);
      });
      nameByBytes();
      onChange();
    }
    if (signal.aborted) return;
    onRestored();
    if (head.unread.length > 0) await readNow(head.unread);
  }

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
      onChange();
      if (!usesHash(sheet.template())) break;
    }
    isHashing = false;
  }

  if (before !== undefined) {
    if (before.head.unread.length > 0) unread.add(before.head.unread);
    readInOrder(() => restore(before));
  }

  return {
    isReading: () => reading.size > 0,
    isNaming: () => naming.size > 0,
    refused: () => [...refused],
    unread: () => [...unread].flat(),
    read(paths) {
      unread.add(paths);
      readInOrder(() => readNow(paths));
    },
    take(files) {
      onRead(sheet.add(files));
      nameByBytes();
    },
    rename(how) {
      const named =
        'folder' in how ? sheet.setFolder(how.folder) : sheet.setTemplate(how.template, how.resetEdited);
      track(naming, named.then(nameByBytes));
    },
    nameByBytes,
    async settled() {
      while (reading.size + naming.size > 0) await Promise.all([...reading, ...naming]);
    },
  };
}
