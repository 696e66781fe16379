import type { Input, Output } from '../../../shared/contract.ts';
import type {
  Batch,
  CauseKey,
  TransferGroup,
  TransferSummary,
} from '../../../shared/domain/transfer-summary.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { walkPage } from '../model/batches.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import type { CircuitBreakers } from '../queue/circuit-breakers.ts';
import { isGivenUp } from '../model/state.ts';
import type { TransferRecord } from '../model/record.ts';
import type { DockRow, DockSection, Held, StoredBatch } from '../model/store-queries.ts';
import type { TransferStore } from '../model/store-types.ts';
import type { Progress } from './progress.ts';
import type { createSummaries } from './transfer-summaries.ts';

type Row = Output<'transfers.dock'>['rows'][number];

/** Number of open transfers shown as ended while their outcome is checked. */
interface GivenUp {
  readonly cancelled: number;
  readonly failed: number;
}
const noneGiven: GivenUp = { cancelled: 0, failed: 0 };

const groups = ['needsYou', 'moving', 'waiting', 'done'] as const satisfies TransferGroup[];
const none = { closing: 0, needsYou: 0, moving: 0, waiting: 0, done: 0 };

type DockDeps = {
  store: Pick<TransferStore, 'dockPage'>;
  progress: Pick<Progress, 'ofBatch'>;
  summaries: Pick<ReturnType<typeof createSummaries>, 'inWork'>;
  summary: () => Promise<TransferSummary>;
  order: (group: TransferGroup, members: readonly ActiveTransfer[]) => ActiveTransfer[];
  heldBy: (cause: CauseKey) => Held;
  breakers: Pick<CircuitBreakers, 'of'>;
  describe: (record: TransferRecord, entry?: ActiveTransfer | null) => Transfer;
};

/** The list of direct transfers in the dock, from the database and the active transfers: each batch is one row. */
export function createDock(deps: DockDeps) {
  const { store, summaries, summary, order, heldBy, describe } = deps;

  return async function dock({
    offset,
    limit,
    opened,
  }: Input<'transfers.dock'>): Promise<Output<'transfers.dock'>> {
    const asked = await summary();
    const working = summaries.inWork('transfers');
    const all = [...working.values()].flat();
    /** Transfers with rows of their own, copied now because they continue during the query. */
    const inWork = new Map<TransferGroup, Transfer[]>();
    const moving = new Set<number>();
    const givenUp = new Map<number, GivenUp>();
    for (const group of groups) {
      const members = order(group, working.get(group) ?? []);
      const isAlone = ({ record }: ActiveTransfer) => group === 'needsYou' || record.batch === undefined;
      inWork.set(
        group,
        members.filter(isAlone).map((entry) => describe(entry.record, entry)),
      );
      // A member that has just ended keeps its batch moving: it is not counted as done yet, and the next may be about
      // to start.
      for (const { record } of members) {
        const { batch, state } = record;
        if (batch === undefined) continue;
        if (isGivenUp(state)) {
          const given = givenUp.get(batch) ?? noneGiven;
          const how = state.goal === 'cancel' ? 'cancelled' : 'failed';
          givenUp.set(batch, { ...given, [how]: given[how] + 1 });
        } else if (group === 'moving' || group === 'done') moving.add(batch);
      }
    }
    const countOf = (group: TransferGroup) => inWork.get(group)?.length ?? 0;
    const exceptIn = (group: 'needsYou' | 'waiting') =>
      asked.transfers.causes
        .filter((cause) => cause.group === group && cause.count > 1 && cause.isOfBatches !== true)
        .map(heldBy);
    const sections = await store.dockPage({
      offset,
      limit,
      exceptIds: all.map(({ record }) => record.id),
      before: {
        needsYou: countOf('needsYou'),
        waiting: countOf('moving') + countOf('waiting'),
        done: countOf('done'),
      },
      moving: [...moving],
      givenUp: new Map([...givenUp].map(([id, { cancelled, failed }]) => [id, cancelled + failed])),
      failing: (inWork.get('needsYou') ?? []).map(({ id }) => id),
      opened,
      except: { needsYou: exceptIn('needsYou'), waiting: exceptIn('waiting') },
    });

    const take = walkPage(offset, limit);
    const counts = { ...none };
    const entries = { ...none };
    const rows: Row[] = [];
    const describeRow = (row: DockRow): Row =>
      'batch' in row
        ? { batch: describeBatch(deps, row.batch, moving.has(row.batch.id), givenUp.get(row.batch.id)) }
        : { transfer: describe(row.transfer) };
    const pushStored = ({ total, rows: stored }: DockSection) => {
      take(total);
      rows.push(...stored.map(describeRow));
    };
    const pushInWork = (group: TransferGroup) => {
      const members = inWork.get(group) ?? [];
      const { from, to } = take(members.length);
      rows.push(...members.slice(from, to).map((transfer) => ({ transfer })));
    };
    for (const group of groups) {
      const section = sections[group];
      // Batches come before single transfers that move.
      if (group === 'moving') pushStored(section);
      pushInWork(group);
      if (group !== 'moving') pushStored(section);
      counts[group] = countOf(group) + section.total;
      entries[group] = countOf(group) + section.entries;
    }
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const verifying = (inWork.get('moving') ?? []).filter(({ state }) => state === 'verifying').length;
    return { summary: asked, counts, entries, verifying, total, offset, rows };
  };
}

function describeBatch(
  { progress, breakers, describe }: DockDeps,
  stored: StoredBatch,
  isMoving: boolean,
  given: GivenUp = noneGiven,
): Batch {
  const { openBytes, doneBytes, createdAtMs: _, listed: _listed, next, ...batch } = stored;
  const open = Math.max(stored.open - given.cancelled - given.failed, 0);
  const { transferredBytes, bytesPerSecond } = progress.ofBatch(stored.id);
  const shown = next && open > 0 ? describe(next) : null;
  const breaker = breakers.of(stored.serviceId);
  const error = open > stored.paused ? breaker.trouble() : null;
  return {
    ...batch,
    open,
    cancelled: stored.cancelled + given.cancelled,
    failed: stored.failed + given.failed,
    state: isMoving ? 'moving' : open > 0 ? 'waiting' : 'done',
    next: shown && {
      id: shown.id,
      priority: shown.priority,
      waitingFor: shown.waitingFor,
      retryAtMs: shown.retryAtMs,
      error: shown.error,
    },
    ...(error && { heldUp: { error, retryAtMs: breaker.heldUntilMs() } }),
    finishedBytes: doneBytes,
    doneBytes: Math.min(doneBytes + transferredBytes, openBytes + doneBytes),
    totalBytes: openBytes + doneBytes,
    bytesPerSecond,
  };
}
