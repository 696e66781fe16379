import { pageLimitMax } from '../../../shared/domain/object.ts';
import type { CauseKey, TabSummary } from '../../../shared/domain/transfer-summary.ts';
import type { Tab, Transfer } from '../../../shared/domain/transfer.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { announce, type Act } from '../../ui/announce.tsx';
import type { Client } from '../client.ts';
import { showDock, useDock } from '../dock.ts';
import { sayFailure } from '../say-failure.ts';
import { groupedCauses, keyOf } from './cause-layout.ts';

/** Transfers that end within this time share a message. */
const togetherMs = 500;
/** With nothing moving but some waiting, perhaps for their turn, the batch counts as finished only after this. */
const standstillMs = 5000;
/** Minimum interval between failure messages during a batch, so that the last one can be read. */
const meanwhileMs = 8000;

/** Current counts. */
type Tally = { done: number; failed: number; lost: number; moving: number; waiting: number };

type Source = {
  client: Client;
  tab: Tab;
  /** The message for finished transfers; null: none. `rows` holds the newest of them, at most a page. */
  describeDone: (
    count: number,
    rows: readonly Transfer[],
  ) => Promise<{ text: string; act: Act | null } | null>;
  /** `one`: the transfer, if only one went wrong; null: several did, or it is gone. */
  badText: (bad: Pick<TabSummary, 'failed' | 'lost'>, one: Transfer | null) => string;
};

type Teller = { hear: (tally: Tally) => void; stop: () => void };

/**
 * Announces the results of what the person started. Successes once, when nothing moves any more. Failures soon, each
 * message replacing the previous one with the total of the batch; it is withdrawn as soon as one of them is retried or
 * cleared.
 */
export function createTeller(source: Source): Teller {
  const { client, tab, describeDone, badText } = source;
  const askPage = (asked: { offset: number; limit: number; cause?: CauseKey }) =>
    client.call('transfers.page', { tab, ...asked });
  let known: Tally | null = null;
  let since = { done: 0, failed: 0, lost: 0 };
  let isOver = true;
  let toldAtMs = Date.now();
  let badToldAtMs = -Infinity;
  let endTimer: ReturnType<typeof setTimeout> | undefined;
  let endDelayMs = 0;
  let badTimer: ReturnType<typeof setTimeout> | undefined;
  let takeBack = () => {};

  function begin(): void {
    isOver = false;
    since = { done: 0, failed: 0, lost: 0 };
    badToldAtMs = -Infinity;
  }

  function tellBadIn(delayMs: number): void {
    clearTimeout(badTimer);
    badTimer = setTimeout(() => {
      badTimer = undefined;
      sayFailure(tellBad());
    }, delayMs);
  }

  async function tellBad(): Promise<void> {
    badToldAtMs = Date.now();
    const one = since.failed + since.lost === 1 ? await newestBad() : null;
    // Meanwhile it may have been retried or cleared, or others may have failed.
    const { failed, lost } = since;
    if (failed + lost === 0) return;
    takeBack();
    const dock = useDock.getState();
    takeBack = announce(badText({ failed, lost }, failed + lost === 1 ? one : null), 'assertive', {
      isOnScreen: dock.isOpen && dock.tab === tab,
      act: { label: dockTexts.show[tab], run: () => showDock(tab) },
    });
  }

  async function end(): Promise<void> {
    const { done } = since;
    isOver = true;
    if (badTimer !== undefined) tellBadIn(0);
    if (done === 0) return;
    const rows = await newestDone(toldAtMs);
    toldAtMs = Date.now();
    const said = await describeDone(done, rows);
    if (said !== null) announce(said.text, 'polite', { act: said.act });
  }

  function awaitEnd({ moving, waiting }: Tally): void {
    const delayMs = waiting > 0 ? standstillMs : togetherMs;
    const isStill = !isOver && moving === 0;
    if (isStill && endTimer !== undefined && delayMs === endDelayMs) return;
    clearTimeout(endTimer);
    endTimer = undefined;
    if (!isStill) return;
    endDelayMs = delayMs;
    endTimer = setTimeout(() => {
      endTimer = undefined;
      sayFailure(end());
    }, delayMs);
  }

  /** Failures come first in the list, or under their cause. */
  async function newestBad(): Promise<Transfer | null> {
    const first = await askPage({ offset: 0, limit: pageLimitMax });
    const found = first.rows.filter(({ state }) => state === 'failed' || state === 'lost');
    for (const cause of groupedCauses(first.summary[tab].causes)) {
      if (cause.group !== 'needsYou') continue;
      found.push(...(await askPage({ offset: 0, limit: pageLimitMax, cause: keyOf(cause) })).rows);
    }
    const endOf = ({ finishedAtMs }: Transfer) => finishedAtMs ?? 0;
    return found.reduce<Transfer | null>(
      (newest, row) => (newest === null || endOf(row) > endOf(newest) ? row : newest),
      null,
    );
  }

  /** Finished transfers are last in the list, newest first. */
  async function newestDone(sinceMs: number): Promise<Transfer[]> {
    const { counts, total } = await askPage({ offset: 0, limit: 1 });
    const { rows } = await askPage({ offset: total - counts.done, limit: pageLimitMax });
    return rows.filter(({ state, finishedAtMs }) => state === 'done' && (finishedAtMs ?? 0) > sinceMs);
  }

  return {
    hear(tally) {
      const before = known ?? tally;
      known = tally;
      const more = (name: 'done' | 'failed' | 'lost') => tally[name] - before[name];
      const bad = more('failed') + more('lost');
      if (isOver && (tally.moving > 0 || more('done') > 0 || bad > 0)) begin();
      if (more('done') !== 0 || more('failed') !== 0 || more('lost') !== 0)
        since = {
          done: since.done + Math.max(more('done'), 0),
          failed: Math.max(since.failed + more('failed'), 0),
          lost: Math.max(since.lost + more('lost'), 0),
        };
      if (more('failed') < 0 || more('lost') < 0) takeBack();
      if (bad > 0 && badTimer === undefined)
        tellBadIn(Math.max(badToldAtMs + meanwhileMs - Date.now(), togetherMs));
      awaitEnd(tally);
    },
    stop() {
      clearTimeout(endTimer);
      clearTimeout(badTimer);
    },
  };
}
