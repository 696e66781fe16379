import type { SQLInputValue } from 'node:sqlite';
import type { AppError } from '../../../shared/errors.ts';
import { isFinishedState } from '../record.ts';
import type { StoredGroup, Tab, TransferCounts, TransferStore } from '../store-types.ts';
import { groupCodes, tabCodes } from './codes.ts';
import { isCancelled, type Sweeps } from './sweeps.ts';
import type { StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

type PageQuery = Parameters<TransferStore['page']>[0];
type Causes = Awaited<ReturnType<TransferStore['causes']>>;

/** As the indexes have them, and as the window shows them. */
const orders: Record<StoredGroup, string> = {
  waiting: 't.grp < 2 ORDER BY t.priority, t.order_key, t.id',
  running: 't.grp < 2 ORDER BY t.priority, t.order_key, t.id',
  // What asks has no end yet, and comes first.
  needsYou: 't.grp >= 2 ORDER BY ifnull(t.finished_at_ms, 9007199254740991) DESC, t.id DESC',
  done: 't.grp >= 2 ORDER BY ifnull(t.finished_at_ms, 9007199254740991) DESC, t.id DESC',
};

/** What the window is told of the records. */
export class Listing {
  readonly #table: TransferTable;
  readonly #sweeps: Sweeps;
  readonly #profileId: (profile: number) => string | null;

  constructor(table: TransferTable, sweeps: Sweeps, profileId: (profile: number) => string | null) {
    this.#table = table;
    this.#sweeps = sweeps;
    this.#profileId = profileId;
  }

  async page(query: PageQuery): Promise<{ total: number; records: StoredTransfer[] }> {
    const { tab, group, offset, limit, filter, exceptIds } = query;
    const conditions = ['t.tab = ? AND t.grp = ?'];
    const values: SQLInputValue[] = [tabCodes.code(tab), groupCodes.code(group)];
    if (this.#sweeps.arePending) conditions.push(`NOT ${isCancelled}`);
    if (filter !== '') {
      conditions.push(`t.identifier LIKE ? ESCAPE '\\'`);
      values.push(`%${filter.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    }
    if (exceptIds.length > 0) {
      conditions.push('t.id NOT IN (SELECT value FROM json_each(?))');
      values.push(JSON.stringify(exceptIds));
    }
    const where = conditions.join(' AND ');
    const total =
      filter === '' ? await this.#total(tab, group, exceptIds) : this.#count(where, group, values);
    // Past the end there is nothing to look for among a million that were just cancelled.
    if (offset >= total) return { total, records: [] };
    const order = orders[group];
    const records = this.#table.find(`${where} AND ${order} LIMIT ? OFFSET ?`, ...values, limit, offset);
    return { total, records };
  }

  async counts(): Promise<TransferCounts[]> {
    await this.#table.counts.ready;
    const sums = new Map<string, { -readonly [K in keyof TransferCounts]: TransferCounts[K] }>();
    for (const { profile, tab, state, count, totalBytes } of this.#table.counts.buckets) {
      const profileId = this.#profileId(profile);
      if (profileId === null) continue;
      const key = `${tab} ${state} ${profileId}`;
      const sum = sums.get(key) ?? { profileId, tab, state, count: 0, totalBytes: 0 };
      sums.set(key, { ...sum, count: sum.count + count, totalBytes: sum.totalBytes + totalBytes });
    }
    return [...sums.values()];
  }

  async causes(): Promise<Causes> {
    await this.#table.counts.ready;
    const causes = new Map<string, Causes[number]>();
    for (const { profile, tab, group, error: code, count } of this.#table.counts.buckets) {
      if (code === null || tab === 'none' || (group !== 'waiting' && group !== 'needsYou')) continue;
      const profileId = this.#profileId(profile);
      const error = this.#errorOf(profile, tab, group, code);
      if (profileId === null || error === null) continue;
      const key = `${profileId} ${tab} ${group} ${code}`;
      const before = causes.get(key)?.count ?? 0;
      causes.set(key, { profileId, tab, group, code, count: before + count, error });
    }
    return [...causes.values()];
  }

  async unfinished(profile: number): Promise<number> {
    await this.#table.counts.ready;
    return this.#table.counts.buckets
      .filter((bucket) => bucket.profile === profile && !isFinishedState(bucket.state))
      .reduce((sum, { count }) => sum + count, 0);
  }

  ofObjects(objectIds: readonly number[]): StoredTransfer[] {
    const condition = `t.object = ? AND t.finished_at_ms IS NULL AND NOT ${isCancelled} ORDER BY t.id DESC LIMIT 1`;
    return [...new Set(objectIds)].flatMap((id) => this.#table.find(condition, id));
  }

  firstAsking(profile: number | null): StoredTransfer | null {
    const place = profile === null ? '' : 't.profile = ? AND';
    const condition = `${place} t.turn = 3 AND NOT ${isCancelled} ORDER BY t.id LIMIT 1`;
    return this.#table.find(condition, ...(profile === null ? [] : [profile]))[0] ?? null;
  }

  /** Of all, from the counts; those shown elsewhere are few. */
  async #total(tab: Tab, group: StoredGroup, exceptIds: readonly number[]): Promise<number> {
    await this.#table.counts.ready;
    const all = this.#table.counts.buckets
      .filter((bucket) => bucket.tab === tab && bucket.group === group)
      .reduce((sum, { count }) => sum + count, 0);
    const condition = `t.id IN (SELECT value FROM json_each(?)) AND t.tab = ? AND t.grp = ? AND NOT ${isCancelled}`;
    const codes = [tabCodes.code(tab), groupCodes.code(group)];
    return all - this.#table.ids(condition, JSON.stringify(exceptIds), ...codes).length;
  }

  #count(where: string, group: StoredGroup, values: readonly SQLInputValue[]): number {
    const part = group === 'waiting' || group === 'running' ? 't.grp < 2' : 't.grp >= 2';
    const sql = `SELECT count(*) FROM transfer t WHERE ${where} AND ${part}`;
    return this.#table.rows<[number]>(sql, ...values)[0]?.[0] ?? 0;
  }

  /** Of the newest of them. */
  #errorOf(profile: number, tab: Tab, group: StoredGroup, code: string): AppError | null {
    const [found] = this.#table.find(
      't.profile = ? AND t.grp = ? AND t.error = ? AND t.tab = ? ORDER BY t.id DESC LIMIT 1',
      profile,
      groupCodes.code(group),
      code,
      tabCodes.code(tab),
    );
    if (found === undefined) return null;
    const { state, trouble } = found.record;
    return state.name === 'failed' || state.name === 'lost' ? state.error : trouble;
  }
}
