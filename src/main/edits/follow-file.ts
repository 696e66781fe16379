import { watch, type BigIntStats } from '../local-files/fs.ts';
import { Sleeper } from '../lib/timers.ts';
import type { Clock } from '../ports.ts';
import { isUntouched } from '../local-files/file-state.ts';
import { statOf } from './file-bytes.ts';

/** Calls `onEvent` when something in a folder changed; answers a function that stops, null: this folder cannot be watched. */
export type WatchFolder = (folder: string, onEvent: () => void) => (() => void) | null;

/** The folder, not the file: a program may save by another name, or delete and create. */
export const watchFolder: WatchFolder = (folder, onEvent) => {
  try {
    const watcher = watch(folder, { persistent: false }, () => onEvent());
    // It ends when the folder goes; the slow look finds out what that means.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return null;
  }
};

/** A file counts as saved when it did not change for so long. */
export const quietMs = 2_000;
/** A program that empties a file before it writes it may be slow. */
const emptyQuietMs = 10_000;
/** Looked at this often beside what is told, and where nothing is. */
const slowMs = 10_000;
const unwatchedMs = 2_000;

export interface FollowedFile {
  /** Somebody wants to know now. true: what it holds was judged, or it is not there. */
  look(): Promise<boolean>;
}

/**
 * Follows a file by its name, whatever becomes of it. `onQuiet` gets each state of it that lasted; it answers false when the file was not
 * to be read, and is asked again at the next look. Ends with the signal.
 */
export function followFile(options: {
  folder: string;
  path: string;
  clock: Pick<Clock, 'delay'>;
  signal: AbortSignal;
  watchFolder: WatchFolder;
  onQuiet: () => Promise<boolean>;
  /** It was looked at, whatever came of it. */
  onLooked: () => void;
  onFailed: (cause: unknown) => void;
}): FollowedFile {
  const { folder, path, clock, signal, onQuiet, onLooked, onFailed } = options;
  let judged: BigIntStats | null = null;
  const sleeper = new Sleeper(clock);
  /** Who waits for a look that begins after they asked. */
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
      onLooked();
      await sleeper.sleep(stop === null ? unwatchedMs : slowMs, signal);
    }
  }

  run().catch((cause: unknown) => {
    for (const answer of askers) answer(false);
    if (!signal.aborted) onFailed(cause);
  });
  return {
    look: () =>
      new Promise((resolve) => {
        askers.push(resolve);
        sleeper.wake();
      }),
  };
}
