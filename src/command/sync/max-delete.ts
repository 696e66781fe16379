/** How many objects `--delete` may delete without asking: a number, or a share of those below the folder. */
export type MaxDelete = { readonly count: number } | { readonly percent: number };

const usualPercent = 25;
/** Up to this many, a share alone is no reason to ask. */
const usualCount = 10;

/** Parses `N` or `P%`; null: neither. */
export function readMaxDelete(text: string): MaxDelete | null {
  const [, digits = '', percent] = /^([0-9]{1,9})(%)?$/.exec(text) ?? [];
  if (digits === '' || (percent && Number(digits) > 100)) return null;
  return percent ? { percent: Number(digits) } : { count: Number(digits) };
}

/** @param max undefined: more than 10, and more than a quarter */
export function isTooMany(count: number, total: number, max: MaxDelete | undefined): boolean {
  if (max === undefined) return count > usualCount && count * 100 > total * usualPercent;
  return 'count' in max ? count > max.count : count * 100 > total * max.percent;
}

/** For people. */
export function maxDeleteText(max: MaxDelete | undefined): string {
  if (max === undefined) return `${usualCount}, and ${usualPercent} %`;
  return 'count' in max ? String(max.count) : `${max.percent} %`;
}
