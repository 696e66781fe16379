import type { Cause, CauseKey, TransferGroup } from '../../../shared/domain/transfer-summary.ts';
import type { ListShape } from './list-layout.ts';

/** As in causes.css. */
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
  /** Maximum number of its transfers to render; it does not shrink when some leave. */
  wanted: number;
  /** How many are rendered. */
  shown: number;
  /** In pixels; in a measured group, an estimate until the entries are rendered. */
  entryHeight: number;
  isMeasured: boolean;
};

/**
 * @param list prefix that keeps the causes of the two lists apart
 * @param measured heights in pixels of causes that were rendered expanded, by name
 */
export function layOutCauses(
  list: string,
  causes: readonly Cause[],
  unfolded: ReadonlyMap<string, number>,
  shape: ListShape<TransferGroup>,
  measured: ReadonlyMap<string, number>,
): { placed: readonly PlacedCause[]; height: number } {
  let top = 0;
  const placed = causes.map((cause) => {
    const name = [list, cause.serviceId, cause.group, cause.code].join(' ');
    const wanted = unfolded.get(name) ?? 0;
    const shown = Math.min(cause.count, wanted);
    const [, entryHeight = 0, isMeasured] = shape.find(([group]) => group === cause.group) ?? [];
    const more = wanted > 0 && cause.count > shown ? moreHeight : 0;
    const isUnfolded = wanted > 0;
    const estimate = causeHeight + shown * entryHeight + more;
    const height = isUnfolded ? (measured.get(name) ?? estimate) : causeHeight;
    const kind = { entryHeight, isMeasured: isMeasured !== undefined };
    const at = { cause, name, top, height, isUnfolded, wanted, shown, ...kind };
    top += height;
    return at;
  });
  return { placed, height: top };
}
