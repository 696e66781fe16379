import type { Input, ObjectFailure, Output } from '../../../shared/contract.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import { prioritySchema, tabOf, type Transfer } from '../../../shared/domain/transfer.ts';
import {
  transferGroupSchema,
  type CauseKey,
  type TransferGroup,
  type TransferSummary,
} from '../../../shared/domain/transfer-summary.ts';
import type { Context } from '../run/context.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import type { Pauses } from '../queue/pauses.ts';
import type { Progress } from './progress.ts';
import { deferredOf, isFinished, type TransferRecord } from '../model/record.ts';
import type { Held, PageGroup, StoredGroup } from '../model/store-queries.ts';
import { describeTransfer, waitingReasonOf } from './view.ts';
import { walkPage } from '../model/batches.ts';
import { createDock } from './dock.ts';
import { createSummaries } from './transfer-summaries.ts';

/** The list that the window shows, from the database and the active transfers, with two filters. */
export interface TransferList {
  readonly page: (input: Input<'transfers.page'>) => Promise<Output<'transfers.page'>>;
  readonly dock: (input: Input<'transfers.dock'>) => Promise<Output<'transfers.dock'>>;
  /** Those of these transfers that still exist, in queue order. */
  readonly picked: (ids: readonly number[]) => Promise<Output<'transfers.picked'>['rows']>;
  /**
   * Leaves out missing ones. An end shows only once it is written: a command exits then, and the next one must find
   * it in the list.
   */
  readonly ofIds: (ids: readonly number[]) => Promise<Transfer[]>;
  /**
   * The unfinished transfers of a tab or of a batch; none if there are more than one call takes. Or as many as one takes of those
   * that were cancelled of a batch.
   */
  readonly openIds: (which: Input<'transfers.open'>['which']) => Promise<number[]>;
  summary(): Promise<TransferSummary>;
  /** Unfinished transfers of these rows. */
  readonly overlay: (objectIds: readonly number[]) => Promise<Map<number, RowTransfer>>;
  /** The last failure of an object, as the list shows it; null: none. */
  readonly failureOf: (objectId: number) => Promise<ObjectFailure | null>;
  /** Increments the revision: pages read before are outdated. */
  revise(): number;
}

/** `heldDeletion`: the id of its deletion, of which nothing is sent yet. A row that an object moves to shows what moves along. */
export type RowTransfer =
  | ({ readonly transfer: Transfer; readonly heldDeletion?: never } & Partial<Moving>)
  | { readonly transfer: null; readonly heldDeletion: number };

type Moving = Pick<ObjectRecord, 'state' | 'note' | 'storedAtMs'>;

function movingAlong({ work }: TransferRecord): Moving | null {
  if (work.kind !== 'upload' || !work.moves) return null;
  const { note, firstStoredAtMs: storedAtMs = null } = work.moves;
  return { state: 'uploading', note, storedAtMs };
}

/** The groups in the database; a prefetched record still counts as waiting. */
const storedGroups: Readonly<Record<TransferGroup, readonly StoredGroup[]>> = {
  closing: [],
  needsYou: ['needsYou'],
  moving: [],
  waiting: ['running', 'waiting'],
  done: ['done'],
};

export function createTransferList(context: Context, pauses: Pauses, progress: Progress): TransferList {
  const { active, store, breakers, batcher } = context;
  const summaries = createSummaries(context, pauses, progress);
  const summary = () => summaries.summary(revision);
  let revision = 0;

  function describe(stored: TransferRecord, entry = active.get(stored.id) ?? null): Transfer {
    const record = entry?.record ?? stored;
    const waitingReason = waitingReasonOf(context, pauses, record, entry);
    return describeTransfer({ record, entry, waitingReason, now: batcher.now() });
  }

  function order(group: TransferGroup, members: readonly ActiveTransfer[]): ActiveTransfer[] {
    const startOf = ({ record }: ActiveTransfer) => deferredOf(record)?.startedAt.steadyMs ?? Infinity;
    if (group === 'done' || group === 'needsYou')
      return members.toSorted((a, b) => b.record.id - a.record.id);
    return members.toSorted((a, b) => startOf(a) - startOf(b) || a.record.id - b.record.id);
  }

  async function page({
    tab,
    offset,
    limit,
    filter = '',
    cause,
  }: Input<'transfers.page'>): Promise<Output<'transfers.page'>> {
    const asked = await summary();
    const working = summaries.inWork(tab);
    const exceptIds = [...working.values()].flat().map(({ record }) => record.id);
    const wanted = filter.trim().toLowerCase();
    const groups = cause === undefined ? transferGroupSchema.options : [cause.group];
    // Copied now, because they continue during the query.
    const inWork = new Map(
      groups.map((group) => {
        const matches = ({ record }: ActiveTransfer) =>
          cause === undefined && (wanted === '' || record.identifier.toLowerCase().includes(wanted));
        const members = order(group, working.get(group) ?? []).filter(matches);
        return [group, members.map((entry) => describe(entry.record, entry))];
      }),
    );
    const sections: PageGroup[] = [];
    let after = 0;
    for (const group of groups) {
      const causes = asked[tab].causes.filter((each) => each.group === group && each.count > 1);
      const except = cause || wanted !== '' ? [] : causes.map(heldBy);
      after += inWork.get(group)?.length ?? 0;
      for (const storedGroup of storedGroups[group]) {
        sections.push({ group: storedGroup, after, only: cause && heldBy(cause), except });
        after = 0;
      }
    }
    const stored = await store.page({ tab, groups: sections, offset, limit, filter: wanted, exceptIds });
    const take = walkPage(offset, limit);
    const rows: Transfer[] = [];
    const counts = { closing: 0, needsYou: 0, moving: 0, waiting: 0, done: 0 };
    for (const group of groups) {
      const members = inWork.get(group) ?? [];
      const { from, to } = take(members.length);
      rows.push(...members.slice(from, to));
      counts[group] = members.length;
      for (const { total, records } of stored.splice(0, storedGroups[group].length)) {
        take(total);
        rows.push(...records.map((record) => describe(record, null)));
        counts[group] += total;
      }
    }
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { summary: asked, counts, total, offset, rows };
  }

  /** An error of the whole service holds up all of its waiting records. */
  function heldBy({ serviceId, group, code }: CauseKey): Held {
    const isOfService = group === 'waiting' && breakers.of(serviceId).trouble()?.code === code;
    return { serviceId, code: isOfService ? null : code };
  }

  return {
    page,
    dock: createDock({ store, progress, summaries, summary, order, heldBy, breakers, describe }),
    async picked(ids) {
      const rankOf = ({ priority }: TransferRecord) => prioritySchema.options.indexOf(priority);
      const records = await store.getMany(ids);
      return records
        .toSorted((a, b) => rankOf(a) - rankOf(b) || a.orderKey - b.orderKey)
        .map((record) => describe(record))
        .map(({ id, serviceId, identifier, kind, state, waitingFor, priority, outcome }) => ({
          id,
          serviceId,
          identifier,
          kind,
          state,
          waitingFor,
          priority,
          outcome,
        }));
    },
    async ofIds(ids) {
      return (await store.getMany(ids)).map((record) => {
        const entry = active.get(record.id) ?? null;
        const isWritten = entry === null || !isFinished(entry.record) || isFinished(record);
        return describe(record, isWritten ? entry : { ...entry, record });
      });
    },
    async openIds(which) {
      // A cancel of a batch is carried out in the background.
      if ('cancelledOf' in which) await store.settled();
      return store.openIds(which);
    },
    summary,
    async overlay(objectIds) {
      const over = new Map<number, RowTransfer>();
      for (const record of await store.ofObjects(objectIds)) {
        const { id, objectId, direction } = record;
        const now = active.get(id)?.record ?? record;
        if (objectId === null || isFinished(now)) continue;
        if (direction !== 'delete')
          over.set(objectId, { transfer: describe(record), ...movingAlong(record) });
        else if (now.isPaused && now.state.name === 'waiting')
          over.set(objectId, { transfer: null, heldDeletion: id });
      }
      return over;
    },
    async failureOf(objectId) {
      const record = await store.failedOf(objectId);
      if (record === null || active.has(record.id)) return null;
      const { id, direction, error, activityToken, finishedAtMs, replacing } = describe(record);
      if (error === null) return null;
      return {
        list: tabOf(record),
        id,
        direction,
        error,
        activityToken,
        finishedAtMs,
        ...(replacing && { replacing }),
      };
    },
    revise: () => (revision += 1),
  };
}
