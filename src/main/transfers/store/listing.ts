import type { SQLInputValue } from 'node:sqlite';
import type { AppError } from '../../../shared/errors.ts';
import { failureOf, isFinishedState, type TransferRecord } from '../record.ts';
import type { Held, StoredGroup, Tab, TransferCounts, TransferStore } from '../store-types.ts';
import { directionCodes, groupCodes, tabCodes } from './codes.ts';
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
  readonly #profile: (profileId: string) => number | null;

  constructor(
    table: TransferTable,
    sweeps: Sweeps,
    profileId: (profile: number) => string | null,
    profile: (profileId: string) => number | null,
  ) {
    this.#table = table;
    this.#sweeps = sweeps;
    this.#profileId = profileId;
    this.#profile = profile;
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
    for (const [held, isMeant] of heldBy(query)) {
      const code = held.code === null ? [] : [held.code];
      const is = `t.profile = ?${code.length > 0 ? ' AND t.error IS ?' : ''}`;
      conditions.push(isMeant ? is : `NOT (${is})`);
      values.push(this.#profile(held.profileId) ?? -1, ...code);
    }
    const where = conditions.join(' AND ');
    const shown = exceptIds.length > 0 ? `${where} AND t.id NOT IN (SELECT value FROM json_each(?))` : where;
    const shownValues = exceptIds.length > 0 ? [...values, JSON.stringify(exceptIds)] : values;
    const order = orders[group];
    return {
      total:
        filter === ''
          ? (await this.#total(query)) - this.#countAmong(exceptIds, where, values)
          : this.#count(shown, group, shownValues),
      records: this.#table.find(`${shown} AND ${order} LIMIT ? OFFSET ?`, ...shownValues, limit, offset),
    };
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

  /** Among those of its service that failed: there are few, and an index of them. */
  failedOf(objectId: number): StoredTransfer | null {
    const condition = `t.profile = (SELECT profile FROM object WHERE id = ?) AND t.grp = ? AND t.error IS NOT NULL
      AND t.object = ? AND t.tab <> ? ORDER BY t.id DESC LIMIT 1`;
    const [group, none] = [groupCodes.code('needsYou'), tabCodes.code('none')];
    return this.#table.find(condition, objectId, group, objectId, none)[0] ?? null;
  }

  /** The history is short: it is looked through, newest first. */
  savedOf(objectId: number): StoredTransfer | null {
    const done = this.#table.find(
      `t.tab IN (0, 1) AND t.grp = ? AND t.object = ? AND t.direction = ? AND ${orders.done}`,
      groupCodes.code('done'),
      objectId,
      directionCodes.code('download'),
    );
    return done.find(({ record: { state } }) => state.name === 'done' && state.savedPath !== null) ?? null;
  }

  /** Reads through what is kept, newest first: asked at a start alone. */
  ofPath(path: string): StoredTransfer | null {
    const condition = 'instr(t.body, ?) > 0 ORDER BY t.id DESC';
    const found = this.#table.find(condition, JSON.stringify(path));
    return found.find(({ record: { work } }) => pathOf(work) === path) ?? null;
  }

  firstAsking(profile: number | null): StoredTransfer | null {
    const place = profile === null ? '' : 't.profile = ? AND';
    const condition = `${place} t.turn = 3 AND NOT ${isCancelled} ORDER BY t.id LIMIT 1`;
    return this.#table.find(condition, ...(profile === null ? [] : [profile]))[0] ?? null;
  }

  sameBytes(profile: number, createdFromMs: number): number {
    const sql = `SELECT count(*) FROM transfer INDEXED BY transfer_newest
      WHERE tab IN (?, ?) AND grp >= 2 AND grp = ? AND profile = ? AND created_at_ms >= ?
      AND json_extract(body, '$.state.outcome.isIdentical')`;
    const tabs = [tabCodes.code('transfers'), tabCodes.code('jobs')] as const;
    const done = groupCodes.code('done');
    return this.#table.rows<[number]>(sql, ...tabs, done, profile, createdFromMs)[0]?.[0] ?? 0;
  }

  /** Of all, from the counts. */
  async #total(query: PageQuery): Promise<number> {
    await this.#table.counts.ready;
    const held = heldBy(query).map(([{ profileId, code }, isMeant]) => ({
      profile: this.#profile(profileId),
      code,
      isMeant,
    }));
    return this.#table.counts.buckets
      .filter(({ tab, group }) => tab === query.tab && group === query.group)
      .filter((bucket) =>
        held.every(
          ({ profile, code, isMeant }) =>
            isMeant === (bucket.profile === profile && (code === null || bucket.error === code)),
        ),
      )
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** Those shown elsewhere are few. */
  #countAmong(ids: readonly number[], where: string, values: readonly SQLInputValue[]): number {
    if (ids.length === 0) return 0;
    const condition = `t.id IN (SELECT value FROM json_each(?)) AND NOT ${isCancelled} AND ${where}`;
    return this.#table.ids(condition, JSON.stringify(ids), ...values).length;
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
    return failureOf(found.record) ?? found.record.trouble;
  }
}

/** What a page is limited to (true), and what it leaves out. */
function heldBy({ only, except = [] }: PageQuery): (readonly [Held, boolean])[] {
  return [...(only ? [[only, true] as const] : []), ...except.map((held) => [held, false] as const)];
}

function pathOf(work: TransferRecord['work']): string | null {
  if (work.kind === 'upload') return work.path;
  return work.kind === 'download' && work.copyFor !== undefined ? work.saveAsPath : null;
}
