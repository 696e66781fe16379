import type { SQLInputValue } from 'node:sqlite';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { AppError } from '../../../shared/errors.ts';
import { failureOf, isFinishedState, type TransferRecord } from '../model/record.ts';
import { walkPage } from '../model/page-walk.ts';
import type {
  Held,
  PageGroup,
  StoredGroup,
  Tab,
  TransferCounts,
  TransferStore,
} from '../model/store-types.ts';
import { directionCodes, groupCodes, tabCodes } from './codes.ts';
import { isCancelled, type BulkUpdates } from './bulk-updates.ts';
import { recordsOf } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

type PageQuery = Omit<Parameters<TransferStore['page']>[0], 'groups' | 'offset' | 'limit'> & PageGroup;
type Causes = Awaited<ReturnType<TransferStore['causes']>>;

/** Orders of the indexes and of the window. */
const orders: Record<StoredGroup, string> = {
  waiting: 't.grp < 2 ORDER BY t.priority, t.order_key, t.id',
  running: 't.grp < 2 ORDER BY t.priority, t.order_key, t.id',
  // Asking records have no end time, so they come first.
  needsYou: 't.grp >= 2 ORDER BY ifnull(t.finished_at_ms, 9007199254740991) DESC, t.id DESC',
  done: 't.grp >= 2 ORDER BY ifnull(t.finished_at_ms, 9007199254740991) DESC, t.id DESC',
};

export function createQueries(table: TransferTable, bulkUpdates: BulkUpdates, rows: ObjectStore) {
  const numberOf = (serviceId: string) => rows.service(serviceId)?.number ?? null;

  /** The total without a filter, from the counts. */
  function totalOf(query: PageQuery): number {
    const held = heldBy(query).map(([{ serviceId, code }, matches]) => ({
      service: numberOf(serviceId),
      code,
      matches,
    }));
    return table.counts.buckets
      .filter(({ tab, group }) => tab === query.tab && group === query.group)
      .filter((bucket) =>
        held.every(
          ({ service, code, matches }) =>
            matches === (bucket.service === service && (code === null || bucket.error === code)),
        ),
      )
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** Counts among a few ids that are shown elsewhere. */
  function countAmong(ids: readonly number[], where: string, values: readonly SQLInputValue[]): number {
    if (ids.length === 0) return 0;
    const condition = `t.id IN (SELECT value FROM json_each(?)) AND NOT ${isCancelled} AND ${where}`;
    return table.ids(condition, JSON.stringify(ids), ...values).length;
  }

  function count(where: string, group: StoredGroup, values: readonly SQLInputValue[]): number {
    const part = group === 'waiting' || group === 'running' ? 't.grp < 2' : 't.grp >= 2';
    const sql = `SELECT count(*) FROM transfer t WHERE ${where} AND ${part}`;
    return table.rows<[number]>(sql, ...values)[0]?.[0] ?? 0;
  }

  /** The error of the newest record. */
  function errorOf(service: number, tab: Tab, group: StoredGroup, code: string): AppError | null {
    const [found] = table.find(
      't.service = ? AND t.grp = ? AND t.error = ? AND t.tab = ? ORDER BY t.id DESC LIMIT 1',
      service,
      groupCodes.code(group),
      code,
      tabCodes.code(tab),
    );
    if (found === undefined) return null;
    return failureOf(found.record) ?? found.record.trouble;
  }

  function pageOf(query: PageQuery, take: ReturnType<typeof walkPage>) {
    const { tab, group, filter, exceptIds } = query;
    const conditions = ['t.tab = ? AND t.grp = ?'];
    const values: SQLInputValue[] = [tabCodes.code(tab), groupCodes.code(group)];
    if (bulkUpdates.arePending) conditions.push(`NOT ${isCancelled}`);
    if (filter !== '') {
      conditions.push(`t.identifier LIKE ? ESCAPE '\\'`);
      values.push(`%${filter.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    }
    for (const [held, matches] of heldBy(query)) {
      const code = held.code === null ? [] : [held.code];
      const is = `t.service = ?${code.length > 0 ? ' AND t.error IS ?' : ''}`;
      conditions.push(matches ? is : `NOT (${is})`);
      values.push(numberOf(held.serviceId) ?? -1, ...code);
    }
    const where = conditions.join(' AND ');
    const shown = exceptIds.length > 0 ? `${where} AND t.id NOT IN (SELECT value FROM json_each(?))` : where;
    const shownValues = exceptIds.length > 0 ? [...values, JSON.stringify(exceptIds)] : values;
    const total =
      filter === ''
        ? totalOf(query) - countAmong(exceptIds, where, values)
        : count(shown, group, shownValues);
    const { from, to } = take(total);
    const sql = `${shown} AND ${orders[group]} LIMIT ? OFFSET ?`;
    return { total, records: recordsOf(table.find(sql, ...shownValues, to - from, from)) };
  }

  return {
    async page({ groups, offset, limit, ...query }) {
      await table.counts.ready;
      const take = walkPage(offset, limit);
      return groups.map((each) => {
        take(each.after ?? 0);
        return pageOf({ ...query, ...each }, take);
      });
    },

    async counts() {
      await table.counts.ready;
      const sums = new Map<string, { -readonly [K in keyof TransferCounts]: TransferCounts[K] }>();
      for (const bucket of table.counts.buckets) {
        const { service, tab, direction, state, asksForWatched, isPaused, count, totalBytes } = bucket;
        const serviceId = rows.serviceId(service);
        if (serviceId === null) continue;
        const kind = { serviceId, tab, direction, state, asksForWatched, isPaused };
        const key = Object.values(kind).join(' ');
        const sum = sums.get(key) ?? { ...kind, count: 0, totalBytes: 0 };
        sums.set(key, { ...sum, count: sum.count + count, totalBytes: sum.totalBytes + totalBytes });
      }
      return [...sums.values()];
    },

    async causes() {
      await table.counts.ready;
      const causes = new Map<string, Causes[number]>();
      for (const { service, tab, group, error: code, count } of table.counts.buckets) {
        if (code === null || tab === 'none' || (group !== 'waiting' && group !== 'needsYou')) continue;
        const serviceId = rows.serviceId(service);
        const error = errorOf(service, tab, group, code);
        if (serviceId === null || error === null) continue;
        const key = `${serviceId} ${tab} ${group} ${code}`;
        const before = causes.get(key)?.count ?? 0;
        causes.set(key, { serviceId, tab, group, code, count: before + count, error });
      }
      return [...causes.values()];
    },

    async unfinished(serviceId) {
      const service = numberOf(serviceId);
      if (service === null) return 0;
      await table.counts.ready;
      return table.counts.buckets
        .filter((bucket) => bucket.service === service && !isFinishedState(bucket.state))
        .reduce((sum, { count }) => sum + count, 0);
    },

    async ofObjects(objectIds) {
      const condition = `t.object = ? AND t.finished_at_ms IS NULL AND NOT ${isCancelled} ORDER BY t.id DESC LIMIT 1`;
      return recordsOf([...new Set(objectIds)].flatMap((id) => table.find(condition, id)));
    },

    async deletionOf(serviceId, identifier) {
      // A literal, as in the index of these.
      const condition = `t.service = ? AND t.identifier = ? AND t.direction = ${String(directionCodes.code('delete'))}
        AND t.finished_at_ms IS NULL AND NOT ${isCancelled} ORDER BY t.id DESC LIMIT 1`;
      return table.find(condition, numberOf(serviceId), identifier)[0]?.record ?? null;
    },

    /** Searches the failed records of its service: they are few and indexed. */
    async failedOf(objectId) {
      const condition = `t.service = (SELECT service FROM object WHERE id = ?) AND t.grp = ? AND t.error IS NOT NULL
        AND t.object = ? AND t.tab <> ? ORDER BY t.id DESC LIMIT 1`;
      const [group, none] = [groupCodes.code('needsYou'), tabCodes.code('none')];
      return table.find(condition, objectId, group, objectId, none)[0]?.record ?? null;
    },

    async doneOf(objectId) {
      // The plus keeps SQLite from the index of the whole history: each visible tile asks for its object.
      const condition = `t.object = ? AND +t.grp = ? AND +t.tab IN (0, 1) AND ${orders.done}`;
      return recordsOf(table.find(condition, objectId, groupCodes.code('done')));
    },

    /** Scans all records, newest first: called only at startup. */
    async ofPath(path) {
      const condition = 'instr(t.body, ?) > 0 ORDER BY t.id DESC';
      const found = table.find(condition, JSON.stringify(path));
      return recordsOf(found).find(({ work }) => pathOf(work) === path) ?? null;
    },

    async firstAsking(serviceId) {
      const service = serviceId === null ? null : numberOf(serviceId);
      if (serviceId !== null && service === null) return null;
      const place = service === null ? '' : 't.service = ? AND';
      const isShown = `json_extract(t.body, '$.work.isWatched') IS NULL`;
      const condition = `${place} t.turn = 3 AND NOT ${isCancelled} AND ${isShown} ORDER BY t.id LIMIT 1`;
      return table.find(condition, ...(service === null ? [] : [service]))[0]?.record ?? null;
    },

    async sameBytes(serviceId, createdFromMs) {
      const service = numberOf(serviceId);
      if (service === null) return 0;
      const sql = `SELECT count(*) FROM transfer INDEXED BY transfer_newest
        WHERE tab IN (?, ?) AND grp >= 2 AND grp = ? AND service = ? AND created_at_ms >= ?
        AND json_extract(body, '$.state.outcome.isIdentical')`;
      const tabs = [tabCodes.code('transfers'), tabCodes.code('jobs')] as const;
      const done = groupCodes.code('done');
      return table.rows<[number]>(sql, ...tabs, done, service, createdFromMs)[0]?.[0] ?? 0;
    },
  } satisfies Partial<TransferStore>;
}

/** The conditions of a page: limited to (true), or left out (false). */
function heldBy({ only, except = [] }: PageQuery): (readonly [Held, boolean])[] {
  return [...(only ? [[only, true] as const] : []), ...except.map((held) => [held, false] as const)];
}

function pathOf(work: TransferRecord['work']): string | null {
  if (work.kind === 'upload') return work.path;
  return work.kind === 'download' && work.copyFor !== undefined ? work.saveAsPath : null;
}
