import { setTimeout as limit } from 'node:timers/promises';
import { realpath } from '../local-files/fs.ts';

/** Drives that do not answer within this many ms count as away. In real time, as drives hang in no other. */
const answerMs = 10_000;

/** The answer of a drive, or `late` on a timeout. `asked` stays pending then: callers must not ask again before it settles. */
export async function orLate<T>(asked: Promise<T>, late: T, limitMs = answerMs): Promise<T> {
  const answered = new AbortController();
  const over = limit(limitMs, late, { signal: answered.signal, ref: false });
  try {
    return await Promise.race([asked, over]);
  } finally {
    over.catch(() => undefined);
    answered.abort();
  }
}

/** Resolves the links in a folder's path. */
export type RealPathOf = (folder: string) => Promise<string>;

/**
 * One look-up per folder at a time: on a drive that hangs, each would block a thread of Node's pool. The first callers wait
 * for it up to the limit; until it settles, later ones get the last answer, or the folder as given.
 */
export function createRealPaths(ask: RealPathOf = realpath, limitMs = answerMs): RealPathOf {
  const known = new Map<string, string>();
  /** The limited wait for each pending look-up. */
  const waits = new Map<string, Promise<void>>();

  function askFor(folder: string): Promise<void> {
    const asked = ask(folder)
      .then(
        (path) => void known.set(folder, path),
        () => void known.delete(folder),
      )
      .finally(() => waits.delete(folder));
    const wait = orLate(asked, undefined, limitMs);
    waits.set(folder, wait);
    return wait;
  }

  return async (folder) => {
    await (waits.get(folder) ?? askFor(folder));
    return known.get(folder) ?? folder;
  };
}
