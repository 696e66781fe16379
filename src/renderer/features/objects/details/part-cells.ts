import type { PartsShown, PartState } from '../../../../shared/contract.ts';

/** Maximum number of cells; above it, one cell stands for several chunks. */
const maxCells = 1000;
/** Order of the words below the bar. */
const order: readonly PartState[] = ['missing', 'there', 'sent', 'here', 'moving', 'toSend', 'toReceive'];
/** A cell for several chunks shows the first of these states that occurs. */
const loudest: readonly PartState[] = ['missing', 'moving', 'toSend', 'toReceive', 'sent', 'here', 'there'];

/** One cell per chunk, or per several chunks. */
export function cellsOf({ total, runs }: PartsShown): PartState[] {
  const each = Math.ceil(total / maxCells);
  const cells: PartState[] = [];
  let at = 0;
  for (const { state, count } of runs) {
    const last = Math.floor((at + count - 1) / each);
    for (let cell = Math.floor(at / each); cell <= last; cell += 1) {
      const before = cells[cell];
      if (before === undefined || loudest.indexOf(state) < loudest.indexOf(before)) cells[cell] = state;
    }
    at += count;
  }
  return cells;
}

/** The number of chunks in each state that occurs. */
export function countsOf({ runs }: PartsShown): { state: PartState; count: number }[] {
  return order.flatMap((state) => {
    const count = runs.reduce((sum, run) => sum + (run.state === state ? run.count : 0), 0);
    return count === 0 ? [] : [{ state, count }];
  });
}
