import { relative, sep } from 'node:path';
import { setTimeout as limit } from 'node:timers/promises';
import { skippedMax, type Skipped } from '../../shared/domain/watch.ts';
import type { Matches } from '../../shared/domain/pattern.ts';
import { stat } from '../local-files/fs.ts';
import { Sleeper } from '../lib/timers.ts';
import type { Clock } from '../ports.ts';
import { belowOf, lookAgain, readFolder, type FoundFile } from '../upload-plan/read-files.ts';

/**
 * Follows a folder by reading it again and again, because that is the one way that misses nothing: change events get lost while the
 * computer sleeps, on network drives, and in bursts. 100,000 files take about two seconds.
 */

/** Between two readings, in ms: reading takes at most a fiftieth of the time. */
const usualRestMs = 5_000;
const longestRestMs = 600_000;
const restsPerRead = 50;
/** Until a folder that is not there is looked for again. */
const awayRestMs = 15_000;
/** After a failure. */
const retryMs = 30_000;
/** A folder that has not answered after this long counts as away. In real time: a drive hangs by no other clock. */
const answerMs = 10_000;

export type FolderState = 'watching' | 'away' | 'unreadable';

/** What the last look has found. */
export interface Looked {
  readonly state: FolderState;
  /** How many files have changed and are not settled. */
  readonly settling: number;
  readonly skippedCount: number;
  /** At most `skippedMax` of them. */
  readonly skipped: readonly Skipped[];
}

export interface FollowOptions {
  /** Absolute. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'delay' | 'monotonicMs'>;
  readonly signal: AbortSignal;
  /** Takes paths below the folder, with `/`. A folder that matches is not read. */
  readonly ignores: (below: string, isFolder: boolean) => boolean;
  readonly settleMs: number;
  /** Whether the file needs nothing in the state in which it is now. */
  readonly isKnown: (path: string, file: FoundFile) => boolean;
  /**
   * Sends files that have not changed for the settle time. What is not known afterwards is tried again, except what is answered: by
   * path, why it cannot be sent in the state in which it is.
   */
  readonly send: (files: readonly FoundFile[]) => Promise<ReadonlyMap<string, Skipped['problem']>>;
  /** Reads anew what is known: at the start, when the folder is there again, and after a failure. */
  readonly recall: () => Promise<void>;
  readonly onLooked: (looked: Looked) => void;
  /** Something failed; it is tried again. */
  readonly onFailed: (cause: unknown) => void;
}

export interface FollowedFolder {
  /** Reads it now: the computer woke up, or the window got the focus. */
  readonly wake: () => void;
  /** Resolves once the signal is aborted and nothing runs any more. */
  readonly ended: Promise<void>;
}

interface Settling {
  readonly file: FoundFile;
  /** Since then it has not changed. */
  readonly sinceMs: number;
}

export function followFolder(options: FollowOptions): FollowedFolder {
  const { folder, clock, signal, settleMs, isKnown, send, recall, onLooked, onFailed } = options;
  const sleeper = new Sleeper(clock);
  const lookAtFolder = createFolderLook(folder);
  const settling = new Map<string, Settling>();
  /** Cannot be sent until they change. */
  const refused = new Map<string, { readonly file: FoundFile; readonly problem: Skipped['problem'] }>();
  let unsuitable: readonly Skipped[] = [];
  let state: FolderState = 'watching';
  let isRecalled = false;
  let readAtMs = -Infinity;

  function tell(): void {
    const all = [...refused].map(([path, { problem }]) => ({ path, problem }));
    const skipped = [...unsuitable, ...all];
    onLooked({
      state,
      settling: settling.size,
      skippedCount: skipped.length,
      skipped: skipped.slice(0, skippedMax),
    });
  }

  async function read(): Promise<void> {
    const begunMs = clock.monotonicMs();
    state = await lookAtFolder();
    if (state === 'watching' && !isRecalled) await recall();
    isRecalled = state === 'watching';
    const found = state === 'watching' ? await readChanged(options) : null;
    if (found !== null) state = found.state;
    const nowMs = clock.monotonicMs();
    const restMs = Math.min(Math.max((nowMs - begunMs) * restsPerRead, usualRestMs), longestRestMs);
    readAtMs = nowMs + (state === 'watching' ? restMs : awayRestMs);
    // Nothing is concluded from a folder that is not there.
    if (found === null || state !== 'watching') return;
    ({ unsuitable } = found);
    for (const path of settling.keys()) if (!found.changed.has(path)) settling.delete(path);
    for (const path of refused.keys()) if (!found.changed.has(path)) refused.delete(path);
    for (const [path, file] of found.changed) {
      const before = settling.get(path) ?? refused.get(path);
      if (before !== undefined && isSameState(before.file, file)) continue;
      refused.delete(path);
      settling.set(path, { file, sinceMs: nowMs });
    }
  }

  /** Looks at the files whose time has come once more: only what is still the same has settled. */
  async function takeSettled(): Promise<FoundFile[]> {
    const dueMs = clock.monotonicMs() - settleMs;
    const due = [...settling].filter(([, { sinceMs }]) => sinceMs <= dueMs);
    const files = await lookAgain(due.map(([, { file }]) => file));
    const nowMs = clock.monotonicMs();
    return files.filter((file, index) => {
      const [path = '', before] = due[index] ?? [];
      if (file.trouble === null && before !== undefined && isSameState(before.file, file)) return true;
      // The next reading says what is wrong with it, or that it is gone.
      if (file.trouble !== null) settling.delete(path);
      else settling.set(path, { file, sinceMs: nowMs });
      return false;
    });
  }

  async function sendSettled(): Promise<void> {
    const settled = await takeSettled();
    if (settled.length === 0) return;
    const problems = await send(settled);
    const nowMs = clock.monotonicMs();
    for (const file of settled) {
      const path = belowOf(file);
      const problem = problems.get(path);
      if (problem !== undefined) refused.set(path, { file, problem });
      if (problem !== undefined || isKnown(path, file)) settling.delete(path);
      else settling.set(path, { file, sinceMs: nowMs });
    }
  }

  /** @returns how long to wait, in ms */
  async function look(): Promise<number> {
    if (clock.monotonicMs() >= readAtMs) await read();
    tell();
    await sendSettled();
    tell();
    let nextMs = readAtMs;
    for (const { sinceMs } of settling.values()) nextMs = Math.min(nextMs, sinceMs + settleMs);
    return Math.max(nextMs - clock.monotonicMs(), 0);
  }

  async function run(): Promise<void> {
    for (;;) {
      const restMs = await look().catch((cause: unknown) => {
        signal.throwIfAborted();
        onFailed(cause);
        isRecalled = false;
        readAtMs = -Infinity;
        return retryMs;
      });
      await sleeper.sleep(restMs, signal);
    }
  }

  return {
    wake() {
      readAtMs = -Infinity;
      sleeper.wake();
    },
    ended: run().catch(() => undefined), // Only the signal ends it.
  };
}

/** Reads a folder: what is not known in its present state, and what cannot be sent. */
async function readChanged({ folder, ignores, isKnown, signal }: FollowOptions): Promise<{
  state: FolderState;
  changed: Map<string, FoundFile>;
  unsuitable: Skipped[];
}> {
  let state: FolderState = 'watching';
  const unsuitable: Skipped[] = [];
  const found: FoundFile[] = [];
  const ignored: string[] = [];
  const sort = (file: FoundFile) => {
    const path = belowOf(file);
    // One that is gone by now is no problem.
    if (file.trouble === null) found.push(file);
    else if (file.trouble !== 'gone') unsuitable.push({ path, problem: { code: file.trouble } });
  };
  await readFolder(folder, {
    signal,
    skipsAccess: true,
    ignores(below, isFolder) {
      const isIgnored = ignores(below, isFolder);
      if (isIgnored && !isFolder) ignored.push(below);
      return isIgnored;
    },
    onFound(files) {
      for (const file of files) if (file.trouble !== null || !isKnown(belowOf(file), file)) sort(file);
    },
    onRefused(_, { code }, path) {
      if (path === folder) state = code === 'folderGone' ? 'away' : 'unreadable';
      else if (code !== 'folderGone')
        unsuitable.push({
          path: relative(folder, path).split(sep).join('/'),
          problem: { code: 'unreadableFolder' },
        });
    },
  });
  signal.throwIfAborted();
  const candidates = found.splice(0).filter((file) => !isPlaceholder(file, ignored));
  // Whether they can be read is asked only of those that are to be sent.
  for (const file of await lookAgain(candidates)) sort(file);
  return { state, changed: new Map(found.map((file) => [belowOf(file), file])), unsuitable };
}

/** Browsers put an empty file where a download will be, beside the one that they write: `a.pdf` and `a.pdf.part`, `a.x7Yk.pdf.part`. */
function isPlaceholder(file: FoundFile, ignored: readonly string[]): boolean {
  if (file.sizeBytes > 0) return false;
  const path = belowOf(file);
  const dotAt = path.lastIndexOf('.');
  const stem = dotAt > path.lastIndexOf('/') + 1 ? path.slice(0, dotAt) : path;
  return ignored.some((other) => other.startsWith(`${stem}.`));
}

/** Waits for one answer at a time: on a drive that hangs, each question would hold a thread that reads files. */
function createFolderLook(folder: string): () => Promise<FolderState> {
  let asked: Promise<FolderState> | null = null;
  return async () => {
    asked ??= stateOf(folder).finally(() => (asked = null));
    const answered = new AbortController();
    const late = limit(answerMs, 'away' as const, { signal: answered.signal, ref: false });
    try {
      return await Promise.race([asked, late]);
    } finally {
      late.catch(() => undefined);
      answered.abort();
    }
  };
}

async function stateOf(folder: string): Promise<FolderState> {
  try {
    return (await stat(folder)).isDirectory() ? 'watching' : 'away';
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    return code === 'EACCES' || code === 'EPERM' ? 'unreadable' : 'away';
  }
}

function isSameState(one: FoundFile, other: FoundFile): boolean {
  return one.sizeBytes === other.sizeBytes && one.mtimeMs === other.mtimeMs;
}

/** Compiles ignore patterns. A folder is also matched by a pattern that ends with `/`. */
export function compileIgnore(patterns: readonly Matches[]): FollowOptions['ignores'] {
  return (below, isFolder) =>
    patterns.some((matches) => matches(below) || (isFolder && matches(`${below}/`)));
}
