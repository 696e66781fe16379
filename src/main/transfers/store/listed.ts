import type { SQLInputValue } from 'node:sqlite';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { Held, PageGroup, StoredGroup } from '../model/store-queries.ts';
import type { Tab } from '../../../shared/domain/transfer.ts';
import { isCancelled } from './bulk-conditions.ts';
import type { BulkChanges } from './bulk-changes.ts';
import { groupCodes, tabCodes } from './codes.ts';
import type { TransferTable } from './transfer-table.ts';

/** The end time, as in the indexes. Asking records have none, so they come first. */
const endedAt = 'ifnull(t.finished_at_ms, 9007199254740991)';
const inOrder = 't.grp < 2 ORDER BY t.priority, t.order_key, t.id';
const newest = `t.grp >= 2 ORDER BY ${endedAt} DESC, t.id DESC`;

/** Orders of the indexes and of the window. */
export const orders = { waiting: inOrder, running: inOrder, needsYou: newest, done: newest } as const;

export interface ListedQuery extends Omit<PageGroup, 'group' | 'after'> {
  readonly tab: Tab;
  /** `open`: waiting or running. */
  readonly group: StoredGroup | 'open';
  readonly filter: string;
  readonly exceptIds: readonly number[];
  /** Without transfers of batches. */
  readonly isAlone?: boolean;
}

export interface Listed {
  /** Condition on `transfer t`, for one of `orders`. */
  readonly where: string;
  readonly values: readonly SQLInputValue[];
  readonly total: number;
}

/** Builds the query and the total for a group of a list. */
export function createListed(table: TransferTable, bulkChanges: BulkChanges, rows: ObjectStore) {
  const numberOf = (serviceId: string) => rows.service(serviceId)?.number ?? null;

  /** The total without a filter, from the counts. */
  function totalOf(query: ListedQuery): number {
    const held = heldBy(query).map(([{ serviceId, code }, matches]) => ({
      service: numberOf(serviceId),
      code,
      matches,
    }));
    const groups: readonly StoredGroup[] = query.group === 'open' ? ['waiting', 'running'] : [query.group];
    return table.counts.buckets
      .filter(({ tab, group }) => tab === query.tab && groups.includes(group))
      .filter(({ batch }) => query.isAlone !== true || batch === null)
      .filter((bucket) =>
        held.every(
          ({ service, code, matches }) =>
            matches === (bucket.service === service && (code === null || bucket.error === code)),
        ),
      )
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** How many of these ids, which are shown elsewhere, the conditions match. */
  function countAmong(ids: readonly number[], where: string, values: readonly SQLInputValue[]): number {
    if (ids.length === 0) return 0;
    const condition = `t.id IN (SELECT value FROM json_each(?)) AND NOT ${isCancelled} AND ${where}`;
    return table.ids(condition, JSON.stringify(ids), ...values).length;
  }

  function count(where: string, group: ListedQuery['group'], values: readonly SQLInputValue[]): number {
    const isOpen = group === 'open' || group === 'waiting' || group === 'running';
    const part = isOpen ? 't.grp < 2' : 't.grp >= 2';
    const sql = `SELECT count(*) FROM transfer t WHERE ${where} AND ${part}`;
    return table.rows<[number]>(sql, ...values)[0]?.[0] ?? 0;
  }

  return function listed(query: ListedQuery): Listed {
    const { tab, group, filter, exceptIds, isAlone } = query;
    const conditions = ['t.tab = ?'];
    const values: SQLInputValue[] = [tabCodes.code(tab)];
    if (group === 'open') conditions.push('t.grp < 2');
    else {
      conditions.push('t.grp = ?');
      values.push(groupCodes.code(group));
    }
    if (isAlone === true) conditions.push('t.batch IS NULL');
    if (bulkChanges.arePending) conditions.push(`NOT ${isCancelled}`);
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
    return { where: shown, values: shownValues, total };
  };
}

/** Causes that the list is limited to (true), or leaves out (false). */
function heldBy({ only, except = [] }: ListedQuery): (readonly [Held, boolean])[] {
  return [...(only ? [[only, true] as const] : []), ...except.map((held) => [held, false] as const)];
}
