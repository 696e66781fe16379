import { watch, type BigIntStats } from '../local-files/fs.ts';
import { Sleeper } from '../lib/timers.ts';
import type { Clock } from '../ports.ts';
import { isUntouched } from '../local-files/file-state.ts';
import { statOf } from '../local-files/file-bytes.ts';

/** Calls `onEvent` on changes in a folder. Returns a function that stops; null: the folder cannot be watched. */
export type WatchFolder = (folder: string, onEvent: () => void) => (() => void) | null;

/** Watches the folder, not the file: a program may save under another name and rename, or delete and create. */
export const watchFolder: WatchFolder = (folder, onEvent) => {
  try {
    const watcher = watch(folder, { persistent: false }, () => onEvent());
    // Happens when the folder is removed; the periodic check finds out.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return null;
  }
};

/** A file counts as saved when it has not changed for this long, in ms. */
export const quietMs = 2_000;
/** The same for an empty file, in ms: a program may truncate a file some time before it writes. */
const emptyQuietMs = 10_000;
/** Interval of checks beside change events, and where there are none, in ms. */
export const slowMs = 10_000;
const unwatchedMs = 2_000;

export interface FollowedFile {
  /** Checks now. true: its content was handled, or the file does not exist */
  check(): Promise<boolean>;
}

/**
 * Follows a file by its name, whatever replaces it. `onQuiet` gets each state that lasted; it returns false if the
 * file could not be read, and is called again at the next check. Ends with the signal.
 */
export function followFile(options: {
  folder: string;
  path: string;
  clock: Pick<Clock, 'delay'>;
  signal: AbortSignal;
  watchFolder: WatchFolder;
  onQuiet: () => Promise<boolean>;
  /** Called after each check, whatever its result. */
  onChecked: () => void;
  onFailed: (cause: unknown) => void;
}): FollowedFile {
  const { folder, path, clock, signal, onQuiet, onChecked, onFailed } = options;
  let judged: BigIntStats | null = null;
  const sleeper = new Sleeper(clock);
  /** Callers waiting for a check that begins after their request. */
  let askers: ((isJudged: boolean) => void)[] = [];
  const stop = options.watchFolder(folder, () => sleeper.wake());
  signal.addEventListener('abort', () => stop?.(), { once: true });

  async function settleDown(): Promise<BigIntStats | null> {
    let stats = await statOf(path);
    for (let sameForMs = 0; ;) {
      if (stats !== null && judged !== null && isUntouched(stats, judged)) return stats;
      if (sameForMs >= (stats?.size === 0n ? emptyQuietMs : quietMs)) return stats;
      await clock.delay(quietMs, signal);
      const now = await statOf(path);
      const isSame = stats === null ? now === null : now !== null && isUntouched(stats, now);
      sameForMs = isSame ? sameForMs + quietMs : 0;
      stats = now;
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      const answered = askers;
      askers = [];
      const stats = await settleDown();
      const isNew = stats !== null && !(judged !== null && isUntouched(stats, judged));
      const isJudged = !isNew || (await onQuiet());
      if (isNew && isJudged) judged = stats;
      for (const answer of answered) answer(isJudged);
      onChecked();
      await sleeper.sleep(stop === null ? unwatchedMs : slowMs, signal);
    }
  }

  run().catch((cause: unknown) => {
    for (const answer of askers) answer(false);
    if (!signal.aborted) onFailed(cause);
  });
  return {
    check: () =>
      new Promise((resolve) => {
        askers.push(resolve);
        sleeper.wake();
      }),
  };
}
