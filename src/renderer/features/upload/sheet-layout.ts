import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';

/** Files with something to say are taller, so that ten thousand need no measuring. Pixels. */
export const tallRow = 61;
export const plainRow = 37;

/** Those that stand first are tall, and below them the few at the places `notedBelow`, in order. */
export type Rows = Pick<UploadPlan, 'total' | 'first'> & { notedBelow: readonly number[] };

export function topOfRow({ first, notedBelow }: Rows, index: number): number {
  const tall = Math.min(index, first) + notedBelow.filter((place) => place < index).length;
  return tall * tallRow + (index - tall) * plainRow;
}

/** The rows that touch the pixels from `from` to `to`, `to` excluded. */
export function rowsBetween(rows: Rows, from: number, to: number): { from: number; to: number } {
  const { total } = rows;
  return {
    from: Math.max(0, Math.min(total, Math.floor(indexAt(rows, from)))),
    to: Math.max(0, Math.min(total, Math.ceil(indexAt(rows, to)))),
  };
}

/** As a number of rows, a part of one included. */
function indexAt(rows: Rows, top: number): number {
  const { first, notedBelow } = rows;
  if (top <= first * tallRow) return top / tallRow;
  const place = notedBelow.findLast((each) => topOfRow(rows, each) < top);
  if (place === undefined) return first + (top - first * tallRow) / plainRow;
  const into = top - topOfRow(rows, place);
  return into <= tallRow ? place + into / tallRow : place + 1 + (into - tallRow) / plainRow;
}
