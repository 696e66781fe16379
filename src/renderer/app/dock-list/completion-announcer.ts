import { pageLimitMax } from '../../../shared/domain/object.ts';
import type { CauseKey, DirectionCounts, TabSummary } from '../../../shared/domain/transfer-summary.ts';
import type { Direction, Tab, Transfer } from '../../../shared/domain/transfer.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { announce, type Act } from '../../ui/announce.tsx';
import type { Client } from '../client.ts';
import { showDock, useDock } from '../dock.ts';
import { sayFailure } from '../say-failure.ts';
import { groupedCauses, keyOf } from './list-layout.ts';

/** Transfers that end within this time share a message. */
const gatherMs = 500;
/** With nothing moving but some waiting, perhaps for their turn, the batch counts as finished only after this. */
const standstillMs = 5000;
/** Minimum interval between failure messages during a batch, so that the last one can be read. */
const meanwhileMs = 8000;

type Motion = Pick<DirectionCounts, 'moving' | 'waiting'>;

type Teller<T> = { hear: (counts: T) => void; stop: () => void };

type DoneSource = {
  client: Client;
  tab: Tab;
  direction: Direction;
  /** The message; null: none. `rows` holds the newest of them, of at most a page. */
  describe: (count: number, rows: readonly Transfer[]) => Promise<{ text: string; act: Act | null } | null>;
};

/** Announces successes of one direction once, when nothing of that direction moves any more. */
export function createDoneTeller({ client, tab, direction, describe }: DoneSource): Teller<DirectionCounts> {
  let known: number | null = null;
  let count = 0;
  let toldAtMs = Date.now();
  const end = createEndTimer(() => sayFailure(tell()));

  async function tell(): Promise<void> {
    const told = count;
    count = 0;
    const sinceMs = toldAtMs;
    // Not after the answer: what ends meanwhile is counted for the next message, which has to find it.
    toldAtMs = Date.now();
    const rows = await newestDone(sinceMs);
    const said = await describe(told, rows);
    if (said !== null) announce(said.text, 'polite', { act: said.act });
  }

  /** Finished transfers are last in the list, newest first. */
  async function newestDone(sinceMs: number): Promise<Transfer[]> {
    const { counts, total } = await client.call('transfers.page', { tab, offset: 0, limit: 1 });
    const offset = total - counts.done;
    const { rows } = await client.call('transfers.page', { tab, offset, limit: pageLimitMax });
    return rows.filter(
      (row) => row.direction === direction && row.state === 'done' && (row.finishedAtMs ?? 0) > sinceMs,
    );
  }

  return {
    hear({ done, moving, waiting }) {
      count += Math.max(done - (known ?? done), 0);
      known = done;
      end.update(count > 0, { moving, waiting });
    },
    stop: end.stop,
  };
}

type Bad = Pick<TabSummary, 'failed' | 'lost'>;

type FailureSource = {
  client: Client;
  tab: Tab;
  /** `one`: the transfer, if only one went wrong; null: several did, or it is gone. */
  textOf: (bad: Bad, one: Transfer | null) => string;
};

/**
 * Announces failures of a tab soon, each message replacing the previous one with the total of the batch, which lasts
 * until nothing of the tab moves. It is withdrawn as soon as one of them is retried or cleared.
 */
export function createFailureTeller({ client, tab, textOf }: FailureSource): Teller<Bad & Motion> {
  const askPage = (asked: { offset: number; limit: number; cause?: CauseKey }) =>
    client.call('transfers.page', { tab, ...asked });
  let known: Bad | null = null;
  let since: Bad = { failed: 0, lost: 0 };
  let isOver = true;
  let toldAtMs = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let takeBack = () => {};
  const end = createEndTimer(() => {
    isOver = true;
    if (timer !== undefined) tellIn(0);
  });

  function begin(): void {
    isOver = false;
    since = { failed: 0, lost: 0 };
    toldAtMs = -Infinity;
  }

  function tellIn(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      sayFailure(tell());
    }, delayMs);
  }

  async function tell(): Promise<void> {
    toldAtMs = Date.now();
    const one = since.failed + since.lost === 1 ? await newestBad() : null;
    // Meanwhile it may have been retried or cleared, or others may have failed.
    const { failed, lost } = since;
    if (failed + lost === 0) return;
    takeBack();
    const dock = useDock.getState();
    takeBack = announce(textOf({ failed, lost }, failed + lost === 1 ? one : null), 'assertive', {
      isOnScreen: dock.isOpen && dock.tab === tab,
      act: { label: dockTexts.show[tab], run: () => showDock(tab) },
    });
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

  return {
    hear({ failed, lost, moving, waiting }) {
      const before = known ?? { failed, lost };
      known = { failed, lost };
      const more = { failed: failed - before.failed, lost: lost - before.lost };
      const isWorse = more.failed + more.lost > 0;
      if (isOver && (moving > 0 || isWorse)) begin();
      since = {
        failed: Math.max(since.failed + more.failed, 0),
        lost: Math.max(since.lost + more.lost, 0),
      };
      if (more.failed < 0 || more.lost < 0) takeBack();
      if (isWorse && timer === undefined) tellIn(Math.max(toldAtMs + meanwhileMs - Date.now(), gatherMs));
      end.update(!isOver, { moving, waiting });
    },
    stop() {
      end.stop();
      clearTimeout(timer);
    },
  };
}

/** Calls `run` when nothing has moved for a moment, which ends a batch. */
function createEndTimer(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = 0;
  return {
    update(hasBegun: boolean, { moving, waiting }: Motion): void {
      const isStill = hasBegun && moving === 0;
      const wantedMs = waiting > 0 ? standstillMs : gatherMs;
      if (isStill && timer !== undefined && wantedMs === delayMs) return;
      clearTimeout(timer);
      timer = undefined;
      if (!isStill) return;
      delayMs = wantedMs;
      timer = setTimeout(() => {
        timer = undefined;
        run();
      }, delayMs);
    },
    stop: () => clearTimeout(timer),
  };
}
