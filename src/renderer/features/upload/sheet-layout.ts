import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';

/** Files with something to say stand first and are taller, so that ten thousand need no measuring. Pixels. */
export const tallRow = 61;
export const plainRow = 37;

type Counts = Pick<UploadPlan, 'total' | 'problems' | 'mayBeRefused' | 'changed'>;

function tallRows({ total, problems, mayBeRefused, changed }: Counts): number {
  return Math.min(total, problems + mayBeRefused + changed);
}

export function topOfRow(counts: Counts, index: number): number {
  const tall = Math.min(index, tallRows(counts));
  return tall * tallRow + (index - tall) * plainRow;
}

/** The rows that touch the pixels from `from` to `to`, `to` excluded. */
export function rowsBetween(counts: Counts, from: number, to: number): { from: number; to: number } {
  const { total } = counts;
  return {
    from: Math.max(0, Math.min(total, Math.floor(indexAt(counts, from)))),
    to: Math.max(0, Math.min(total, Math.ceil(indexAt(counts, to)))),
  };
}

function indexAt(counts: Counts, top: number): number {
  const tall = tallRows(counts);
  const tallHeight = tall * tallRow;
  return top <= tallHeight ? top / tallRow : tall + (top - tallHeight) / plainRow;
}
