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
 * Asks for each folder once, and again only while it is not there: on a drive that hangs, each question would hold a thread that reads
 * files. A folder without an answer is known by its name, and waited for only the first time.
 */
export function createRealPaths(ask: RealPathOf = realpath, limitMs = answerMs): RealPathOf {
  const known = new Map<string, { path: string; first: Promise<void> }>();

  function askFor(folder: string) {
    const answer = { path: folder, first: Promise.resolve() };
    known.set(folder, answer);
    const asked = ask(folder).then(
      (path) => void (answer.path = path),
      () => void known.delete(folder),
    );
    answer.first = orLate(asked, undefined, limitMs);
    return answer;
  }

  return async (folder) => {
    const answer = known.get(folder) ?? askFor(folder);
    await answer.first;
    return answer.path;
  };
}
