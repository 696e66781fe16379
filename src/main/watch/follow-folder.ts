import { skippedMax, type Skipped } from '../../shared/domain/watch.ts';
import type { AppError } from '../../shared/errors.ts';
import { untilAborted } from '../lib/async.ts';
import { Sleeper } from '../lib/timers.ts';
import type { Clock } from '../ports.ts';
import { belowOf, checkAgain, type FolderReading, type FoundFile } from '../upload-plan/read-files.ts';
import type { FolderIdentity } from './watched-folder.ts';
import { createFolderCheck, readChanged, type FolderState, type ReadOptions } from './read-changed.ts';

/**
 * Follows a folder by polling, the only way that misses nothing: change events get lost while the computer sleeps, on
 * network drives, and in bursts. Reading 100,000 files takes about two seconds.
 */

/** Between two readings, in ms: reading takes at most a fiftieth of the time. */
const usualRestMs = 5_000;
const longestRestMs = 600_000;
const restsPerRead = 50;
/** Between two checks for a missing folder, in ms. */
const awayRestMs = 15_000;
/** `wake` leaves a pause of at least this many times the duration of the last reading. */
const soonestRests = 5;
/** Files checked and sent at once. */
const batchSize = 1_000;
/** After a failure, in ms. */
const retryMs = 30_000;
/** Until files that cannot be sent are tried again, in ms: the service's limit may have changed. */
const refusedRetryMs = 600_000;

/** Result of the last check. */
export interface Checked {
  readonly state: FolderState;
  /** Number of changed files that have not settled. */
  readonly settling: number;
  readonly skippedCount: number;
  /** At most `skippedMax` of them. */
  readonly skipped: readonly Skipped[];
  /** Why the last attempt failed. */
  readonly error: AppError | null;
}

interface FollowOptions extends ReadOptions {
  /** A folder with another identity is not read. Omitted: any folder is. */
  readonly identity?: FolderIdentity;
  readonly clock: Pick<Clock, 'delay' | 'monotonicMs'>;
  readonly settleMs: number;
  /**
   * Sends files that have not changed for the settle time. Resolves to the problems, by path, of files that cannot be sent as
   * they are; the others are tried again unless `isKnown` holds afterwards.
   */
  readonly send: (files: readonly FoundFile[]) => Promise<ReadonlyMap<string, Skipped['problem']>>;
  /** Updates what `isKnown` uses, before each reading. @param isWhole reload everything: at the start and after a failure */
  readonly recall: (isWhole: boolean) => Promise<void>;
  readonly onChecked: (checked: Checked) => void;
  /** The folder was read. @param begunMs when, by the monotonic clock */
  readonly onRead?: (reading: FolderReading, begunMs: number) => Promise<void>;
  /** An attempt failed and will be repeated. Returns the error to show until then. */
  readonly onFailed: (cause: unknown) => AppError | null;
}

export interface FollowedFolder {
  /** Reads the folder soon: the computer woke up, or the window got the focus. */
  readonly wake: () => void;
  /** Resolves once the signal is aborted and sending has ended; does not wait for a drive that hangs. */
  readonly ended: Promise<void>;
}

interface Settling {
  readonly file: FoundFile;
  /** The last change was seen at this time. */
  readonly sinceMs: number;
}

interface Refused {
  readonly file: FoundFile;
  readonly problem: Skipped['problem'];
  readonly againAtMs: number;
}

export function followFolder(options: FollowOptions): FollowedFolder {
  const { folder, clock, signal, settleMs, isKnown, send, recall, onChecked, onFailed } = options;
  const sleeper = new Sleeper(clock);
  const checkFolder = createFolderCheck(folder, options.identity ?? null);
  const settling = new Map<string, Settling>();
  /** Files that cannot be sent as they are, by path. */
  const refused = new Map<string, Refused>();
  let unsuitable: readonly Skipped[] = [];
  let state: FolderState = 'watching';
  let error: AppError | null = null;
  let isRecalled = false;
  let readAtMs = -Infinity;
  let soonestMs = -Infinity;

  function tell(): void {
    const all = [...refused].map(([path, { problem }]) => ({ path, problem }));
    const skipped = [...unsuitable, ...all];
    onChecked({
      state,
      settling: settling.size,
      skippedCount: skipped.length,
      skipped: skipped.slice(0, skippedMax),
      error,
    });
  }

  async function read(): Promise<void> {
    const begunMs = clock.monotonicMs();
    state = await untilAborted(checkFolder(), signal);
    if (state === 'watching') {
      await untilAborted(recall(!isRecalled), signal);
      isRecalled = true;
    }
    const found = state === 'watching' ? await untilAborted(readChanged(options), signal) : null;
    if (found !== null) state = found.state;
    const nowMs = clock.monotonicMs();
    const tookMs = nowMs - begunMs;
    const restMs = Math.min(Math.max(tookMs * restsPerRead, usualRestMs), longestRestMs);
    soonestMs = nowMs + tookMs * soonestRests;
    readAtMs = nowMs + (state === 'watching' ? restMs : awayRestMs);
    // A missing folder says nothing about its files.
    if (found === null || state !== 'watching') return;
    await options.onRead?.(found.reading, begunMs);
    ({ unsuitable } = found);
    for (const path of settling.keys()) if (!found.changed.has(path)) settling.delete(path);
    for (const path of refused.keys()) if (!found.changed.has(path)) refused.delete(path);
    for (const [path, file] of found.changed) {
      const problem = refused.get(path);
      if (problem !== undefined && isSameState(problem.file, file) && nowMs < problem.againAtMs) continue;
      const before = settling.get(path);
      if (before !== undefined && isSameState(before.file, file)) continue;
      refused.delete(path);
      settling.set(path, { file, sinceMs: nowMs });
    }
  }

  /** Checks files after the settle time once more: only those that are still the same have settled. */
  async function takeSettled(): Promise<FoundFile[]> {
    const dueMs = clock.monotonicMs() - settleMs;
    const due = [...settling].filter(([, { sinceMs }]) => sinceMs <= dueMs).slice(0, batchSize);
    const found = checkAgain(due.map(([, { file }]) => file));
    const files = await untilAborted(found, signal);
    const nowMs = clock.monotonicMs();
    return files.filter((file, index) => {
      const [path = '', before] = due[index] ?? [];
      if (file.trouble === null && before !== undefined && isSameState(before.file, file)) return true;
      // The next reading reports the problem, or that the file is gone.
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
      if (problem !== undefined) refused.set(path, { file, problem, againAtMs: nowMs + refusedRetryMs });
      if (problem !== undefined || isKnown(path, file)) settling.delete(path);
      else settling.set(path, { file, sinceMs: nowMs });
    }
  }

  /** @returns how long to wait, in ms */
  async function check(): Promise<number> {
    if (clock.monotonicMs() >= readAtMs) await read();
    tell();
    if (state === 'watching') await sendSettled();
    error = null;
    tell();
    if (state !== 'watching') return Math.max(readAtMs - clock.monotonicMs(), 0);
    let nextMs = readAtMs;
    for (const { sinceMs } of settling.values()) nextMs = Math.min(nextMs, sinceMs + settleMs);
    return Math.max(nextMs - clock.monotonicMs(), 0);
  }

  async function run(): Promise<void> {
    for (;;) {
      const restMs = await check().catch((cause: unknown) => {
        signal.throwIfAborted();
        error = onFailed(cause);
        tell();
        isRecalled = false;
        readAtMs = -Infinity;
        return retryMs;
      });
      await sleeper.sleep(restMs, signal);
    }
  }

  return {
    wake() {
      readAtMs = Math.min(readAtMs, soonestMs);
      sleeper.wake();
    },
    ended: run().catch(() => undefined), // Only the signal ends it.
  };
}

function isSameState(one: FoundFile, other: FoundFile): boolean {
  return one.sizeBytes === other.sizeBytes && one.mtimeMs === other.mtimeMs;
}
