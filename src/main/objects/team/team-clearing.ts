import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Statements } from '../../database/statements.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { batchMs, BatchSize, type ListChanges } from '../announcements.ts';

/** Rows that stay when the team no longer lists them: `isOwn` in SQL, and those with pending changes. `?1` is the person. */
const isOwnRow = `(claimed & 4 = 0 OR seen_here = 1 OR pushed_bits <> 0 OR stored_by IS ?1
  OR note <> ifnull(team_words ->> 0, '') OR renew_by IS NOT (team_words ->> 1)
  OR EXISTS (SELECT 1 FROM team_due d
    WHERE d.service = object.service AND d.kind = object.kind AND d.identifier = object.identifier))`;

/** Drops some of the team's rows from this list. Must run within a transaction of the writer. */
export class TeamDrops {
  readonly #rows: Statements['rows'];
  readonly #writer: ObjectWriter;

  constructor({ rows }: Statements, writer: ObjectWriter) {
    this.#rows = rows;
    this.#writer = writer;
  }

  /**
   * Rows owned by a transfer always stay.
   * @param keep `own`: what this person stored, saw here or wrote stays
   */
  drop(serviceId: string, me: number, keep: 'own' | 'none', ids: readonly number[]): void {
    const goes = this.#rows<[number]>(
      `SELECT id FROM object WHERE id IN (SELECT value FROM json_each(?2)) AND writer IS NULL
         AND ${keep === 'own' ? `NOT ${isOwnRow}` : '?1 = ?1'}`,
      me,
      JSON.stringify(ids),
    );
    if (goes.length > 0)
      this.#writer.dropMany(
        serviceId,
        goes.map(([id]) => id),
      );
  }

  /** Drops all but the person's own rows, and makes the rows that stay private. */
  dropOthers(serviceId: string, me: number, ids: readonly number[]): void {
    this.drop(serviceId, me, 'own', ids);
    const left = this.#rows<[number]>(
      `UPDATE object SET team_rev = NULL, team_area = NULL
       WHERE id IN (SELECT value FROM json_each(?)) AND team_rev IS NOT NULL RETURNING id`,
      JSON.stringify(ids),
    );
    const records = this.#writer.rows.getMany(left.map(([id]) => id));
    this.#writer.noteSaved(records.map((record) => ({ record, textChanged: false })));
  }
}

/** Delay after a failure, such as a full disk, in ms. */
const retryMs = 5000;
/** Maximum number of ids in a slice: stretches without rows of this service take no time, so slices would grow. */
const idsAtOnce = 4000;
/** Pending changes deleted in one transaction. */
const duesAtOnce = 5000;
/** Codes of `team_clearing.keep`. */
const keeps = ['own', 'all', 'none'] as const;
type Keep = (typeof keeps)[number];

interface Clearing {
  readonly id: number;
  readonly service: number;
  readonly serviceId: string;
  readonly me: number;
  readonly keep: Keep;
  readonly areas: string | null;
  readonly afterId: number;
  readonly lastId: number;
}

/**
 * Drops the team's rows from a list, or makes them private, after the team was left or an area was taken away. The
 * request is recorded, then carried out in slices of one transaction each, which continue after a kill. What the person
 * has stored, seen, added or changed by the time of a slice stays. Nothing of a team may be merged into the list before
 * `next` returns false.
 */
export class TeamClearing {
  readonly #rows: Statements['rows'];
  readonly #run: Statements['run'];
  readonly #writer: ObjectWriter;
  readonly #drops: TeamDrops;
  readonly #list: ListChanges;
  readonly #size = new BatchSize();
  #isWorking = false;
  #isStopped = false;

  constructor({ rows, run }: Statements, writer: ObjectWriter, drops: TeamDrops, list: ListChanges) {
    this.#rows = rows;
    this.#run = run;
    this.#writer = writer;
    this.#drops = drops;
    this.#list = list;
  }

  /** Records the request. Must run within a transaction of the writer. @param areas null: the team was left */
  note(service: number, me: number, keep: Keep, areas: readonly number[] | null): void {
    this.#rows(
      `INSERT INTO team_clearing (service, me, keep, areas, last_id)
       VALUES (?, ?, ?, ?, (SELECT ifnull(max(id), 0) FROM object))`,
      service,
      me,
      keeps.indexOf(keep),
      areas && JSON.stringify(areas),
    );
  }

  /** Clears one slice for this service. @returns whether more is left */
  next(serviceId: string): boolean {
    const clearing = this.#first(serviceId);
    if (clearing !== null) this.#clear(clearing);
    return this.#first(serviceId) !== null;
  }

  /** Clears all that is left for this service, slice by slice. */
  async finish(serviceId: string): Promise<void> {
    while (this.next(serviceId)) await setImmediate();
  }

  /** Call after `note` was committed. Clears at once what takes no longer than one slice; the rest in the background. */
  begin(serviceId: string): void {
    const startedMs = performance.now();
    try {
      while (this.next(serviceId) && performance.now() - startedMs < batchMs);
    } catch {
      // A full disk, for example: retried in the background.
    }
    this.start();
  }

  /** Continues in the background until nothing is left, or `stop`. */
  start(): void {
    if (this.#isWorking || this.#isStopped || this.#first(null) === null) return;
    this.#isWorking = true;
    void this.#work();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #work(): Promise<void> {
    for (;;) {
      await setImmediate();
      if (this.#isStopped) return;
      try {
        const clearing = this.#first(null);
        if (clearing === null) break;
        this.#clear(clearing);
      } catch {
        // The request is still recorded.
        await delay(retryMs, undefined, { ref: false });
      }
    }
    this.#isWorking = false;
  }

  /** The oldest request. @param serviceId null: of any service */
  #first(serviceId: string | null): Clearing | null {
    const [found] = this.#rows<
      [
        id: number,
        service: number,
        serviceId: string,
        me: number,
        keep: number,
        areas: string | null,
        afterId: number,
        lastId: number,
      ]
    >(
      `SELECT c.id, service, service_id, me, keep, areas, after_id, last_id
       FROM team_clearing c JOIN service ON service.id = c.service
       WHERE ?1 IS NULL OR service_id = ?1 ORDER BY c.id LIMIT 1`,
      serviceId,
    );
    if (found === undefined) return null;
    const [id, service, ofService, me, keep, areas, afterId, lastId] = found;
    return { id, service, serviceId: ofService, me, keep: keeps[keep] ?? 'own', areas, afterId, lastId };
  }

  #clear(clearing: Clearing): void {
    const { serviceId, afterId, lastId } = clearing;
    if (afterId >= lastId) {
      this.#end(clearing);
      return;
    }
    const to = Math.min(afterId + Math.min(this.#size.rows, idsAtOnce), lastId);
    this.#size.measure(to - afterId, () =>
      this.#list.seldom(serviceId, () => this.#writer.unflushed(() => this.#clearTo(clearing, to))),
    );
  }

  #clearTo(clearing: Clearing, to: number): void {
    const { id, service, serviceId, me, keep, areas, afterId } = clearing;
    const ids = areas === null && keep === 'all' ? [] : this.#idsOf(clearing, to);
    if (areas !== null) this.#drops.dropOthers(serviceId, me, ids);
    else if (keep !== 'all') this.#drops.drop(serviceId, me, keep, ids);
    // The other rows stay, with their facts. What others have stored must not be told to another team as an own store.
    if (areas === null)
      this.#rows(
        `UPDATE object NOT INDEXED SET team_rev = NULL, team_area = NULL, seen_by = NULL, seen_at_ms = NULL, team_words = NULL,
           pushed_rev = NULL, pushed_bits = 0, stored_by = iif(stored_by IS NULL OR stored_by = ?4, NULL, 0),
           incarnation = iif(stored_by IS NULL OR stored_by = ?4, incarnation, NULL)
         WHERE id > ?1 AND id <= ?2 AND service = ?3
           AND (team_rev IS NOT NULL OR pushed_rev IS NOT NULL OR seen_by IS NOT NULL)`,
        afterId,
        to,
        service,
        me,
      );
    this.#rows('UPDATE team_clearing SET after_id = ? WHERE id = ?', to, id);
  }

  #idsOf({ service, areas, afterId }: Clearing, to: number): number[] {
    return this.#rows<[number]>(
      `SELECT id FROM object NOT INDEXED WHERE id > ?1 AND id <= ?2 AND service = ?3 AND team_rev IS NOT NULL
         AND (?4 IS NULL OR team_area IN (SELECT value FROM json_each(?4)))`,
      afterId,
      to,
      service,
      areas,
    ).map(([id]) => id);
  }

  #end({ id, service, serviceId, areas }: Clearing): void {
    const isOver = this.#writer.transaction(() => {
      // Kept until now, because pending changes mark rows as this person's own.
      if (areas === null && this.#forgetDues(service)) return false;
      this.#rows('DELETE FROM team_clearing WHERE id = ?', id);
      return true;
    });
    if (!isOver) return;
    // The index holds team marks, and was not told of each row that stays.
    this.#list.reload(serviceId);
  }

  /** @returns whether there were any */
  #forgetDues(service: number): boolean {
    return (
      this.#run(
        'DELETE FROM team_due WHERE id IN (SELECT id FROM team_due WHERE service = ? LIMIT ?)',
        service,
        duesAtOnce,
      ) !== null
    );
  }
}
