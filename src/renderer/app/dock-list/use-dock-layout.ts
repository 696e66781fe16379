import { useState } from 'react';
import type { WindowPage } from '../row-window.ts';
import type { Cause, TransferGroup } from '../../../shared/domain/transfer-summary.ts';
import { groupedCauses, layOut, layOutCauses, type ListShape, useExpandedGroups } from './list-layout.ts';
import { heightsByIndex, noHeights } from './use-measured-heights.ts';

/** Finished transfers beyond this number, about a screenful, collapse into one line. */
export const foldFrom = 20;

/** Layout of a dock list: groups, causes before the entries of theirs, and what is collapsed. */
export function useDockLayout(
  list: string,
  shape: ListShape<TransferGroup>,
  page: WindowPage<{ id: number }> | null,
  counts: Readonly<Partial<Record<TransferGroup, number>>> | undefined,
  listed: readonly Cause[] | undefined,
  /** Number of finished entries, without the transfers of an opened batch. */
  doneCount: number,
) {
  const unfolded = useExpandedGroups();
  const heights = useState(noHeights);
  const shown = groupedCauses(listed).filter(({ isOfBatches }) => isOfBatches !== true);
  const causesIn = (wanted: Cause['group']) =>
    layOutCauses(
      list,
      shown.filter(({ group }) => group === wanted),
      unfolded,
      shape,
      heights[0].causes,
    );
  const causes = { needsYou: causesIn('needsYou'), waiting: causesIn('waiting') };
  const doneKey = `${list} done`;
  const canFold = doneCount > foldFrom;
  const isFolded = canFold && !unfolded.has(doneKey);
  return {
    causesOf: (group: TransferGroup) =>
      group === 'needsYou' || group === 'waiting' ? causes[group].placed : [],
    canFold,
    doneKey,
    layout: layOut(shape, counts, {
      above: { needsYou: causes.needsYou.height, waiting: causes.waiting.height },
      folded: isFolded ? 'done' : null,
      heights: heightsByIndex(heights[0], page),
    }),
    heights,
  };
}
