import type { Cause, CauseKey } from '../../../shared/domain/transfer.ts';

const causeHeight = 48;
const moreHeight = 28;

/** One entry for several; a single transfer is shown as itself. */
export function foldedCauses(causes: readonly Cause[] | undefined): readonly Cause[] {
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
  /** For what is unfolded, and for React. */
  name: string;
  /** Pixels below the heading of the group. */
  top: number;
  height: number;
  isUnfolded: boolean;
  /** Of those it holds up. */
  shown: number;
  entryHeight: number;
};

/** @param list tells the causes of one list from those of another */
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

/** Pixels from the top of a cause to the `index`th of those it holds up. */
export function topInCause({ entryHeight }: PlacedCause, index: number): number {
  return causeHeight + index * entryHeight;
}
