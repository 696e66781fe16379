import type { Cause, CauseKey } from '../../../shared/domain/transfer-summary.ts';

const causeHeight = 48;
const moreHeight = 28;

/** Causes of two or more transfers; a single transfer is shown as itself. */
export function groupedCauses(causes: readonly Cause[] | undefined): readonly Cause[] {
  return causes?.filter(({ count }) => count > 1) ?? [];
}

export function countOf(causes: readonly Cause[]): number {
  return causes.reduce((sum, { count }) => sum + count, 0);
}

export function keyOf({ serviceId, group, code }: Cause): CauseKey {
  return { serviceId, group, code };
}

export type PlacedCause = {
  cause: Cause;
  /** Key of the expansion state and for React. */
  name: string;
  /** In pixels from the heading of the group. */
  top: number;
  height: number;
  isUnfolded: boolean;
  /** How many of its transfers are rendered. */
  shown: number;
  entryHeight: number;
};

/** @param list prefix that keeps the causes of the two lists apart */
export function layOutCauses(
  list: string,
  causes: readonly Cause[],
  unfolded: ReadonlyMap<string, number>,
  entryHeights: Readonly<Record<Cause['group'], number>>,
): { placed: readonly PlacedCause[]; height: number } {
  let top = 0;
  const placed = causes.map((cause) => {
    const name = [list, cause.serviceId, cause.group, cause.code].join(' ');
    const wanted = unfolded.get(name) ?? 0;
    const shown = Math.min(cause.count, wanted);
    const entryHeight = entryHeights[cause.group];
    const more = wanted > 0 && cause.count > shown ? moreHeight : 0;
    const height = causeHeight + shown * entryHeight + more;
    const at = { cause, name, top, height, isUnfolded: wanted > 0, shown, entryHeight };
    top += height;
    return at;
  });
  return { placed, height: top };
}

/** Pixels from the top of a cause to its transfer at `index`. */
export function topInCause({ entryHeight }: PlacedCause, index: number): number {
  return causeHeight + index * entryHeight;
}
