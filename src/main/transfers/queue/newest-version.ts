import { isUnverified } from '../../../shared/domain/unverified.ts';
import type { ObjectState } from '../../../shared/domain/object.ts';
import type { ListedVersion } from '../../../shared/domain/object-changes.ts';
import type { Seen } from '../model/state.ts';

/** A service that shows more versions than this must be answering nonsense. */
const maxNumber = 100_000_000;
/** Try at most this many numbers of each sort that the list knows: their objects may be long gone. */
const maxGuesses = 6;

export interface NewestVersion {
  /** 0: there is no version. */
  readonly number: number;
  readonly seen: Seen;
}

/** States in which the object is believed not to exist. */
const isNothing = new Set<ObjectState>(['failed', 'missing', 'gone']);

/**
 * The number after the newest in the list. For secrets, which have no HEAD. An unverified number counts, because it may be taken, but not one
 * so high that numbers run out after it.
 */
export function nextListed(listed: readonly ListedVersion[]): number {
  const possible = listed.filter(
    ({ number, record }) => number < maxNumber || !isUnverified(record, 'presence'),
  );
  return (newestListed(possible)?.number ?? 0) + 1;
}

/** The numbers to begin a search with: the highest of the versions that were seen, and of those that are only said to exist. */
export function numbersToTry(listed: readonly ListedVersion[]): number[] {
  const numbersOf = (some: readonly ListedVersion[]) =>
    some
      .map(({ number }) => number)
      .sort((a, b) => b - a)
      .slice(0, maxGuesses);
  const isTold = ({ record }: ListedVersion) => isUnverified(record, 'presence');
  return [...numbersOf(listed.filter((each) => !isTold(each))), ...numbersOf(listed.filter(isTold))];
}

/** @param listed in ascending order */
export function newestListed(listed: readonly ListedVersion[]): ListedVersion | undefined {
  return listed.findLast(({ record }) => !isNothing.has(record.state));
}

type Check = (number: number) => Promise<Seen>;

/**
 * The newest version that the service shows, as it cannot list them. Looks past a gap of at most `reach` numbers, all at once: usually
 * there is nothing newer, and that is one round trip. From what it finds there it searches upwards in doubling steps, then by bisection,
 * and looks further again. The next number is free.
 * @param known numbers that may exist (`numbersToTry`)
 * @returns null: there is no end to them
 * @throws what `look` throws
 */
export async function findNewest(
  known: readonly number[],
  reach: number,
  check: Check,
): Promise<NewestVersion | null> {
  const checked = new Map<number, Seen>();
  async function checkOnce(number: number): Promise<Seen> {
    const seen = checked.get(number) ?? (await check(number));
    checked.set(number, seen);
    return seen;
  }

  let low: NewestVersion = { number: 0, seen: { present: false } };
  for (const number of [...new Set(known)].sort((a, b) => b - a)) {
    const seen = await checkOnce(number);
    if (!seen.present) continue;
    low = { number, seen };
    break;
  }
  while (low.number < maxNumber) {
    const further = await checkFurther(low.number, reach + 1, checkOnce);
    if (!further) return low;
    const top = await climb(further, checkOnce);
    if (!top) return null;
    low = top;
  }
  return null;
}

/** From an existing version to one whose successor does not exist. null: there is no end to them */
async function climb(from: NewestVersion, check: Check): Promise<NewestVersion | null> {
  let low = from;
  let high = low.number + 1;
  for (let step = 1; ; step *= 2) {
    high = low.number + step;
    if (high > maxNumber) return null;
    const seen = await check(high);
    if (!seen.present) break;
    low = { number: high, seen };
  }
  while (high - low.number > 1) {
    const number = Math.floor((low.number + high) / 2);
    const seen = await check(number);
    if (seen.present) low = { number, seen };
    else high = number;
  }
  return low;
}

/**
 * The newest of the `reach` numbers after this one: versions before it may have been deleted. All are requested at once.
 * @returns null: none exists
 * @throws what `look` throws
 */
export async function checkFurther(
  after: number,
  reach: number,
  check: Check,
): Promise<NewestVersion | null> {
  const checks = Array.from({ length: reach }, async (_, index) => {
    const number = after + 1 + index;
    return { number, seen: await check(number) };
  });
  // Let all requests end before throwing: an error ends the step, and none may still be under way then.
  await Promise.allSettled(checks);
  return (await Promise.all(checks)).findLast(({ seen }) => seen.present) ?? null;
}
