import { recentMax, type ObjectKind, type ObjectQuery, type SortColumn } from '../../shared/domain/object.ts';
import type { IndexedRow } from './index/object-index.ts';
import type { IdentifierOrder } from './index/sort-orders.ts';
import {
  compareTexts,
  firstStored,
  goneCode,
  kindCode,
  kinds,
  stateRanks,
  states,
  storerOrder,
  teamMarkColumns,
  toTeamMarks,
  type TeamMarks,
  type TeamMarkValues,
} from './rows.ts';
import type { Statements } from '../database/statements.ts';

/**
 * The expression that sorts a page, consistent with `SortOrders`, and the index that provides the order; without one
 * SQLite scans all rows. The expression of `stored` must equal that of its index exactly.
 */
const sortings: Record<SortColumn, { expression: string; index: string }> = {
  identifier: { expression: 'identifier', index: 'INDEXED BY sqlite_autoindex_object_1' },
  stored: {
    expression: 'coalesce(stored_at_ms, iif(state = 1, 281474976710656, -1))',
    index: 'INDEXED BY object_by_stored',
  },
  classification: { expression: 'classification', index: 'NOT INDEXED' },
  size: { expression: 'coalesce(length_bytes, -1)', index: 'NOT INDEXED' },
  checked: { expression: 'coalesce(checked_at_ms, -1)', index: 'NOT INDEXED' },
  state: {
    expression: `CASE state ${stateRanks.map((rank, code) => `WHEN ${code} THEN ${rank}`).join(' ')} END`,
    index: 'NOT INDEXED',
  },
  storedBy: { expression: storerOrder, index: 'NOT INDEXED' },
};

type IndexedValues = [
  id: number,
  kind: number,
  identifier: string,
  state: number,
  lengthBytes: number | null,
  classification: string | null,
  sourceName: string | null,
  storedAtMs: number | null,
  checkedAtMs: number | null,
  note: string,
  unverified: number,
  ...renamed: RenamedValues,
  ...marks: TeamMarkValues,
];

type RenamedValues = [isFrom: number, isTo: number, firstStoredAtMs: number | null];
type Renamed = Pick<IndexedRow, 'renamed' | 'firstStoredAtMs'>;

/**
 * Whether the object of a row has another identifier or is under way to it, whether it is under way to this row, and when it was
 * first stored.
 */
const isRenamed = `state = ${String(goneCode)} AND moved_to IS NOT NULL`;
const renamedColumns = `${isRenamed} OR EXISTS (SELECT 1 FROM moving WHERE moving.object = object.id),
  EXISTS (SELECT 1 FROM moving WHERE target = object.id),
  coalesce(
    (SELECT coalesce(first_ms, stored_at_ms) FROM moving m JOIN object f ON f.id = m.object
       LEFT JOIN first_stored s ON s.object = f.id AND s.stored_ms = f.stored_at_ms WHERE target = object.id LIMIT 1),
    ${firstStored})`;

function toRenamed([isFrom, isTo, firstStoredAtMs]: RenamedValues): Renamed {
  // Where an object returns to, another move may have ended.
  const renamed = isTo === 1 ? 'to' : isFrom === 1 ? 'from' : undefined;
  return { renamed, ...(firstStoredAtMs !== null && { firstStoredAtMs }) };
}

/** Feeds the in-memory index, and answers in its place until it is ready. */
export class IndexSource {
  readonly #statements: Statements;
  readonly #nowMs: () => number;

  constructor(statements: Statements, nowMs: () => number) {
    this.#statements = statements;
    this.#nowMs = nowMs;
  }

  /** In the order of ids, which is the order in the database file. */
  *indexedAfter(service: number, afterId: number, limit: number): Generator<IndexedRow> {
    // Without a team there are no names.
    const marks = this.hasTeam(service) ? teamMarkColumns : '0, 0, NULL';
    const rows = this.#statements.eachRow<IndexedValues>(
      `SELECT id, kind, identifier, state, length_bytes, classification, source_name, stored_at_ms, checked_at_ms, note, claimed,
         ${this.#renamedColumns()}, ${marks}
       FROM object NOT INDEXED WHERE id > ? AND service = ? ORDER BY id LIMIT ?`,
      afterId,
      service,
      limit,
    );
    for (const row of rows) {
      yield {
        id: row[0],
        kind: kinds[row[1]] ?? 'data',
        identifier: row[2],
        state: states[row[3]] ?? 'unknown',
        lengthBytes: row[4],
        classification: row[5],
        sourceName: row[6],
        storedAtMs: row[7],
        checkedAtMs: row[8],
        note: row[9],
        unverified: row[10],
        ...toRenamed([row[11], row[12], row[13]]),
        ...toTeamMarks([row[14], row[15], row[16]]),
      };
    }
  }

  hasTeam(service: number): boolean {
    return this.#statements.rows('SELECT 1 FROM team WHERE service = ?', service).length > 0;
  }

  /** The team's name for this person; '': there is no team, or it isn't known yet. */
  ownName(service: number): string {
    const sql =
      'SELECT shown FROM team JOIN team_person p ON p.service = team.service AND p.id = me WHERE team.service = ?';
    return this.#statements.rows<[string]>(sql, service)[0]?.[0] ?? '';
  }

  /** Team marks of the rows as stored now, by id. */
  teamMarks(ids: readonly number[]): Map<number, TeamMarks> {
    const found = this.#statements.rows<[number, ...TeamMarkValues]>(
      `SELECT id, ${teamMarkColumns} FROM object WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    return new Map(found.map(([id, ...marks]) => [id, toTeamMarks(marks)]));
  }

  /** What `renamedColumns` say; without the look into tables that are empty. */
  #renamedColumns(): string {
    const sql = 'SELECT EXISTS (SELECT 1 FROM moving) OR EXISTS (SELECT 1 FROM first_stored)';
    return this.#statements.rows<[number]>(sql)[0]?.[0] === 1 ? renamedColumns : `${isRenamed}, 0, NULL`;
  }

  /** As stored now, by id. */
  renamed(ids: readonly number[]): Map<number, Renamed> {
    const found = this.#statements.rows<[number, ...RenamedValues]>(
      `SELECT id, ${this.#renamedColumns()} FROM object WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    return new Map(found.map(([id, ...renamed]) => [id, toRenamed(renamed)]));
  }

  idOf(service: number, kind: ObjectKind, identifier: string): number | null {
    const sql = 'SELECT id FROM object WHERE service = ? AND kind = ? AND identifier = ?';
    return this.#statements.rows<[number]>(sql, service, kindCode(kind), identifier)[0]?.[0] ?? null;
  }

  /** Frees SQLite's page cache: after reading the whole file once, few of its pages are needed again soon. */
  dropPages(): void {
    this.#statements.rows('PRAGMA shrink_memory');
  }

  identifierOrder(service: number): IdentifierOrder {
    return {
      stretches: (limit) => this.#idsByIdentifier(service, limit),
      place: (ids) =>
        ids
          .flatMap((id) =>
            this.#statements
              .rows<[number, string]>('SELECT kind, identifier FROM object WHERE id = ?', id)
              .map(([kind, identifier]) => ({ id, kind, identifier })),
          )
          .sort((a, b) => a.kind - b.kind || compareTexts(a.identifier, b.identifier))
          .map(({ id, kind, identifier }) => {
            const sql = `SELECT id FROM object WHERE service = ? AND (kind, identifier) > (?, ?)
                         ORDER BY kind, identifier LIMIT 1`;
            return {
              id,
              next: this.#statements.rows<[number]>(sql, service, kind, identifier)[0]?.[0] ?? null,
            };
          }),
    };
  }

  count(service: number): number {
    return (
      this.#statements.rows<[number]>(
        'SELECT total(objects) FROM tally WHERE service = ?',
        service,
      )[0]?.[0] ?? 0
    );
  }

  /** Rows whose transfer waits for the person's answer, without duplicates. */
  askingIds(service: number): number[] {
    const sql = `SELECT DISTINCT object FROM transfer INDEXED BY transfer_asking
                 WHERE service = ? AND turn = 3 AND object IS NOT NULL ORDER BY object`;
    return this.#statements.rows<[number]>(sql, service).map(([id]) => id);
  }

  /**
   * The most recently used rows, newest first. Rows dated in the future, by a clock that was ahead, come last, so that
   * they displace nothing newer. The condition on the state must equal that of the index.
   */
  recentIds(service: number, kind: ObjectKind): number[] {
    const nowMs = this.#nowMs();
    const ids = (when: '<=' | '>', limit: number) =>
      this.#statements
        .rows<[number]>(
          `SELECT id FROM object INDEXED BY object_by_use
           WHERE service = ? AND kind = ? AND used_at_ms ${when} ? AND state <> 5
           ORDER BY used_at_ms DESC, id DESC LIMIT ?`,
          service,
          kindCode(kind),
          nowMs,
          limit,
        )
        .map(([id]) => id);
    const past = ids('<=', recentMax);
    return past.length < recentMax ? [...past, ...ids('>', recentMax - past.length)] : past;
  }

  /** Number of objects that are not gone, and the sum of their known lengths in bytes. */
  totals(service: number, kind: ObjectKind): { total: number; totalBytes: number } {
    const [row] = this.#statements.rows<[number, number]>(
      'SELECT total(objects), total(bytes) FROM tally WHERE service = ? AND kind = ? AND state <> ?',
      service,
      kindCode(kind),
      goneCode,
    );
    return { total: row?.[0] ?? 0, totalBytes: row?.[1] ?? 0 };
  }

  /** A page of all objects that are not gone, without the in-memory index. */
  firstIds({ kind, sort }: ObjectQuery, service: number, offset: number, limit: number): number[] {
    const direction = sort.direction === 'ascending' ? 'ASC' : 'DESC';
    const { expression, index } = sortings[sort.column];
    const ties = sort.column === 'stored' ? 'id' : 'identifier';
    return this.#statements
      .rows<[number]>(
        `SELECT id FROM object ${index} WHERE service = ? AND kind = ? AND state <> ?
       ORDER BY ${expression} ${direction}, ${ties} LIMIT ? OFFSET ?`,
        service,
        kindCode(kind),
        goneCode,
        limit,
        offset,
      )
      .map(([id]) => id);
  }

  /** Each batch starts after the last identifier of the one before, so rows may change in between. */
  *#idsByIdentifier(service: number, limit: number): Generator<number[]> {
    let [kind, identifier] = [-1, ''] as [number, string];
    for (;;) {
      const rows = this.#statements.eachRow<[number]>(
        `SELECT id FROM object WHERE service = ? AND (kind, identifier) > (?, ?) ORDER BY kind, identifier LIMIT ?`,
        service,
        kind,
        identifier,
        limit,
      );
      const ids: number[] = [];
      for (const [id] of rows) ids.push(id);
      const sql = 'SELECT kind, identifier FROM object WHERE id = ?';
      const [last] = this.#statements.rows<[number, string]>(sql, ids.at(-1) ?? 0);
      if (last !== undefined) [kind, identifier] = last;
      yield ids;
      if (ids.length < limit) return;
    }
  }
}
