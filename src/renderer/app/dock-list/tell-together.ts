import type { Cause, CauseKey } from '../../../shared/domain/transfer.ts';
import { foldedCauses, keyOf } from './cause-layout.ts';
import { sayFailure } from '../say-failure.ts';

/** What ends together is told together; while things go on, what is done is told no more often than this. */
const togetherMs = 500;
const meanwhileMs = 10_000;

type Tally = {
  done: number;
  /** Failed, or lost. */
  bad: number;
  /** Something goes on that may finish soon. */
  isBusy: boolean;
};

type Teller = { hear: (tally: Tally) => void; stop: () => void };

/** Calls `tell` after something finished: soon when it went wrong or was the last, else now and then. */
export function createTeller(tell: () => Promise<void>): Teller {
  let known: Tally | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSoon = false;

  return {
    hear(tally) {
      const isWorse = tally.bad > (known?.bad ?? 0);
      const hasNews = isWorse || tally.done > (known?.done ?? 0);
      known = tally;
      const isDue = isWorse || !tally.isBusy;
      if (timer === undefined ? !hasNews : isSoon || !isDue) return;
      clearTimeout(timer);
      isSoon = isDue;
      timer = setTimeout(
        () => {
          timer = undefined;
          sayFailure(tell());
        },
        isDue ? togetherMs : meanwhileMs,
      );
    },
    stop: () => clearTimeout(timer),
  };
}

type Finished = { state: string; finishedAtMs: number | null };

function isBad({ state }: Finished): boolean {
  return state === 'failed' || state === 'lost';
}

type Page<Row> = {
  /** Of the rows. */
  counts: { done: number };
  causes: readonly Cause[];
  rows: readonly Row[];
};

/**
 * The rows that finished after `sinceMs`, of a list whose bad ones stand first, or with their cause, and whose done
 * ones stand last, the newest of them first.
 */
export async function finishedSince<Row extends Finished>(
  sinceMs: number,
  askPage: (offset: number, cause?: CauseKey) => Promise<Page<Row>>,
): Promise<Row[]> {
  const isNew = ({ finishedAtMs }: Finished) => finishedAtMs !== null && finishedAtMs > sinceMs;
  const first = await askPage(0);
  const found = first.rows.filter((row) => isBad(row) && isNew(row));
  for (const cause of foldedCauses(first.causes)) {
    if (cause.group !== 'needsYou') continue;
    const { rows } = await askPage(0, keyOf(cause));
    found.push(...rows.filter((row) => isBad(row) && isNew(row)));
  }
  const total = Object.values(first.counts).reduce((sum, count) => sum + count, 0);
  let offset = total - first.counts.done;
  while (offset < total) {
    const { rows } = await askPage(offset);
    const fresh = rows.filter(isNew);
    for (const row of fresh) if (!isBad(row)) found.push(row);
    if (fresh.length < rows.length || rows.length === 0) break;
    offset += rows.length;
  }
  return found;
}
