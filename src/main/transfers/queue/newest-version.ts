import type { ObjectState } from '../../../shared/domain/object.ts';
import type { ListedVersion } from '../../../shared/domain/object-changes.ts';
import type { Seen } from '../model/record.ts';

/** Of so many that the service must be answering nonsense. */
const maxNumber = 100_000_000;
/** What the list knows may be long gone; from here on the service alone is asked. */
const maxGuesses = 6;

export interface NewestVersion {
  /** 0: there is none at all. */
  readonly number: number;
  readonly seen: Seen;
}

/** Nothing is there, as far as anybody knows. */
const isNothing = new Set<ObjectState>(['failed', 'missing', 'gone']);

/** The number after the newest that the list has, where only the list can tell (there is no HEAD for secrets). */
export function nextListed(listed: readonly ListedVersion[]): number {
  return (newestListed(listed)?.number ?? 0) + 1;
}

/** @param listed the first first */
export function newestListed(listed: readonly ListedVersion[]): ListedVersion | undefined {
  return listed.findLast(({ record }) => !isNothing.has(record.state));
}

type Look = (number: number) => Promise<Seen>;

/**
 * The newest version that the service shows, though nobody keeps a list of them: from the newest that somebody knows of upwards in
 * steps that double, then by halves, and past a gap of at most `reach` numbers. The one after it is not there.
 * @param known numbers that may be there
 * @throws what `look` throws; null: there is no end to them
 */
export async function findNewest(
  known: readonly number[],
  reach: number,
  look: Look,
): Promise<NewestVersion | null> {
  const looked = new Map<number, Seen>();
  async function lookOnce(number: number): Promise<Seen> {
    const seen = looked.get(number) ?? (await look(number));
    looked.set(number, seen);
    return seen;
  }

  let low: NewestVersion = { number: 0, seen: { present: false } };
  for (const number of [...new Set(known)].sort((a, b) => b - a).slice(0, maxGuesses)) {
    const seen = await lookOnce(number);
    if (!seen.present) continue;
    low = { number, seen };
    break;
  }
  for (;;) {
    const top = await climb(low, lookOnce);
    const further = top && (await lookFurther(top.number + 1, reach, lookOnce));
    if (!further) return top;
    low = further;
  }
}

/** From a version that is there to one whose next is not. null: there is no end to them */
async function climb(from: NewestVersion, look: Look): Promise<NewestVersion | null> {
  let low = from;
  let high = low.number + 1;
  for (let step = 1; ; step *= 2) {
    high = low.number + step;
    if (high > maxNumber) return null;
    const seen = await look(high);
    if (!seen.present) break;
    low = { number: high, seen };
  }
  while (high - low.number > 1) {
    const number = Math.floor((low.number + high) / 2);
    const seen = await look(number);
    if (seen.present) low = { number, seen };
    else high = number;
  }
  return low;
}

/**
 * The newest of so many numbers after one that is free: versions before it may have been deleted. All are asked about at once.
 * @throws what `look` throws; null: nothing is there
 */
export async function lookFurther(free: number, reach: number, look: Look): Promise<NewestVersion | null> {
  const looks = Array.from({ length: reach }, async (_, index) => {
    const number = free + 1 + index;
    return { number, seen: await look(number) };
  });
  // What one of them throws ends the step: no other may still be under way then.
  await Promise.allSettled(looks);
  return (await Promise.all(looks)).findLast(({ seen }) => seen.present) ?? null;
}
