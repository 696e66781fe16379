import type { ObjectStore } from '../../objects/object-store.ts';
import type { AppError } from '../../../shared/errors.ts';
import { failureOf, isFinishedState, isOver, type TransferRecord } from '../model/record.ts';
import type { StoredGroup, TransferCounts } from '../model/store-queries.ts';
import type { Tab } from '../../../shared/domain/transfer.ts';
import type { TransferStore } from '../model/store-types.ts';
import { walkPage } from '../model/batches.ts';
import { directionCodes, groupCodes, stateCodes, tabCodes } from './codes.ts';
import { isCancelled } from './bulk-conditions.ts';
import { orders, type createListed, type ListedQuery } from './listed.ts';
import { recordsOf } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

type Causes = Awaited<ReturnType<TransferStore['causes']>>;

export function createQueries(
  table: TransferTable,
  listed: ReturnType<typeof createListed>,
  rows: ObjectStore,
) {
  const numberOf = (serviceId: string) => rows.service(serviceId)?.number ?? null;

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

  function pageOf(query: ListedQuery & { group: StoredGroup }, take: ReturnType<typeof walkPage>) {
    const { where, values, total } = listed(query);
    const { from, to } = take(total);
    const sql = `${where} AND ${orders[query.group]} LIMIT ? OFFSET ?`;
    return { total, records: recordsOf(table.find(sql, ...values, to - from, from)) };
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
        const { service, tab, direction, state, asksForWatched, isPaused, batch, count, totalBytes } = bucket;
        const serviceId = rows.serviceId(service);
        if (serviceId === null) continue;
        const isAlone = batch === null;
        const kind = { serviceId, tab, direction, state, asksForWatched, isPaused, isAlone };
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

    async deletions(serviceId) {
      // The direction is a literal, as in the partial index.
      const condition = `t.service = ? AND t.direction = ${String(directionCodes.code('delete'))}
        AND t.finished_at_ms IS NULL AND NOT ${isCancelled} ORDER BY t.id`;
      return table.find(condition, numberOf(serviceId)).map(({ record }) => record.identifier);
    },

    async openIds(which) {
      const isOpen = 't.turn IS NOT NULL OR t.claimed = 1';
      const [over, cancelled] = [groupCodes.code('done'), stateCodes.code('cancelled')];
      const isCancelled = 't.batch = ? AND t.grp = ? AND t.state = ? ORDER BY t.id';
      if ('cancelledOf' in which) return table.ids(isCancelled, which.cancelledOf, over, cancelled);
      return 'tab' in which
        ? table.ids(`t.tab = ? AND (${isOpen})`, tabCodes.code(which.tab))
        : table.ids(`t.batch = ? AND (${isOpen})`, which.batch);
    },

    async unsentDeletions(serviceId) {
      const condition = `t.service = ? AND t.grp = ? AND t.error = 'cancelled' AND t.direction = ? ORDER BY t.id`;
      const [group, direction] = [groupCodes.code('needsYou'), directionCodes.code('delete')];
      return recordsOf(table.find(condition, numberOf(serviceId), group, direction));
    },

    async halfReplaced(serviceId) {
      const service = numberOf(serviceId);
      if (service === null) return [];
      // Only the body says so: the condition leaves out most of the others.
      const found = table.find(`t.service = ? AND instr(t.body, '"isOut":true') > 0 ORDER BY t.id`, service);
      return recordsOf(found).filter(
        (record) => record.work.kind === 'upload' && record.work.replace?.isOut === true && !isOver(record),
      );
    },

    async ofObjects(objectIds) {
      const condition = `t.object = ? AND t.finished_at_ms IS NULL AND NOT ${isCancelled} ORDER BY t.id DESC LIMIT 1`;
      return recordsOf([...new Set(objectIds)].flatMap((id) => table.find(condition, id)));
    },

    async isBeingReclassified(objectId, before) {
      const condition = `t.object = ? AND t.id < ? AND t.finished_at_ms IS NULL AND NOT ${isCancelled}`;
      return recordsOf(table.find(condition, objectId, before)).some(
        ({ work, isPaused }) => work.kind === 'upload' && work.reclassifies === true && !isPaused,
      );
    },

    async deletionOf(serviceId, identifier) {
      // The direction is a literal, as in the partial index.
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

function pathOf(work: TransferRecord['work']): string | null {
  if (work.kind === 'upload') return work.path;
  return work.kind === 'download' && work.copyFor !== undefined ? work.saveAsPath : null;
}
