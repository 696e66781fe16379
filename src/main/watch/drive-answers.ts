import { setTimeout as limit } from 'node:timers/promises';
import { realpath } from '../local-files/fs.ts';

/** A drive that has not answered after this long counts as away. In real time: a drive hangs by no other clock. */
const answerMs = 10_000;

/** The answer of a drive, or `late` if it takes too long. The question stays: ask no second one before it is answered. */
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

/** A folder without links in its path. */
export type RealPathOf = (folder: string) => Promise<string>;

/**
 * Asks for a folder again only once it was answered: on a drive that hangs, each question would hold a thread that reads files. Such a
 * question is waited for the first time; until it is answered, the folder is known by the last answer, or by its name.
 */
export function createRealPaths(ask: RealPathOf = realpath, limitMs = answerMs): RealPathOf {
  const known = new Map<string, string>();
  /** The wait for each open question. It ends, with or without an answer. */
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
