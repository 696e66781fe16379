import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';

/** Height of files with notes, in pixels. Two fixed heights, so that ten thousand rows need no measuring. */
export const tallRow = 61;
export const plainRow = 37;

/** The first group is tall, and below it the few rows at the positions `notedBelow`, ascending. */
export type Rows = Pick<UploadPlan, 'total' | 'first'> & { notedBelow: readonly number[] };

export function topOfRow({ first, notedBelow }: Rows, index: number): number {
  const tall = Math.min(index, first) + notedBelow.filter((place) => place < index).length;
  return tall * tallRow + (index - tall) * plainRow;
}

/** The rows that intersect the pixels from `from` up to, not including, `to`. */
export function rowsBetween(rows: Rows, from: number, to: number): { from: number; to: number } {
  const { total } = rows;
  return {
    from: Math.max(0, Math.min(total, Math.floor(indexAt(rows, from)))),
    to: Math.max(0, Math.min(total, Math.ceil(indexAt(rows, to)))),
  };
}

/** The position in rows, with a fraction. */
function indexAt(rows: Rows, top: number): number {
  const { first, notedBelow } = rows;
  if (top <= first * tallRow) return top / tallRow;
  const place = notedBelow.findLast((each) => topOfRow(rows, each) < top);
  if (place === undefined) return first + (top - first * tallRow) / plainRow;
  const into = top - topOfRow(rows, place);
  return into <= tallRow ? place + into / tallRow : place + 1 + (into - tallRow) / plainRow;
}
