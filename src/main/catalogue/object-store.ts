import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  historyEntrySchema,
  type HistoryEntry,
  type ObjectKind,
  type ObjectQuery,
  type ObjectRecord,
  type ObjectState,
  type SortColumn,
} from '../../shared/domain/object.ts';
import { separatorDefault } from '../../shared/domain/profile.ts';
import type { HistoryNote, NewObject, ObjectPatch } from './catalogue.ts';
import type { IndexedRow } from './index/object-index.ts';
import type { IdentifierOrder } from './index/sort-orders.ts';
import {
  goneCode,
  kindCode,
  kinds,
  objectColumns,
  stateCode,
  states,
  readText,
  toRecord,
  writeText,
  type ObjectValues,
} from './rows.ts';

export interface StoredProfile {
  readonly number: number;
  readonly separator: string;
}

const sortExpressions: Record<SortColumn, string> = {
  identifier: 'identifier',
  classification: 'classification',
  size: 'length_bytes',
  stored: 'stored_at_ms',
  checked: 'checked_at_ms',
  state: 'state',
};

const fromObjects = 'FROM object JOIN profile ON profile.id = object.profile';

/** The rows in the file: statements, no transactions, no memory of its own. */
export class ObjectStore {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, (...values: SQLInputValue[]) => unknown[][]>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  profile(profileId: string): StoredProfile | null {
    const [row] = this.#rows<[number, string]>(
      'SELECT id, separator FROM profile WHERE profile_id = ?',
      profileId,
    );
    return row === undefined ? null : { number: row[0], separator: row[1] };
  }

  /** The number of a profile, which is made when it is not there. */
  ensureProfile(profileId: string): number {
    const known = this.profile(profileId);
    if (known !== null) return known.number;
    this.#rows('INSERT INTO profile (profile_id, separator) VALUES (?, ?)', profileId, separatorDefault);
    return this.ensureProfile(profileId);
  }

  setSeparator(profile: number, separator: string): void {
    this.#rows('UPDATE profile SET separator = ? WHERE id = ?', separator, profile);
  }

  removeProfile(profile: number): void {
    this.#rows('DELETE FROM profile WHERE id = ?', profile);
  }

  get(id: number): ObjectRecord | null {
    return this.#record(`SELECT ${objectColumns} ${fromObjects} WHERE object.id = ?`, id);
  }

  find(profile: number, kind: ObjectKind, identifier: string): ObjectRecord | null {
    return this.#record(
      `SELECT ${objectColumns} ${fromObjects} WHERE profile = ? AND kind = ? AND identifier = ?`,
      profile,
      kindCode(kind),
      identifier,
    );
  }

  /** The id of the new row; null when the identifier is there already. */
  insert(profile: number, { kind, identifier, patch }: NewObject): number | null {
    const [row] = this.#rows<[number]>(
      `INSERT INTO object (profile, kind, identifier, state, length_bytes, sha256, classification, source_name,
         stored_at_ms, checked_at_ms, activity_token, note)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
      profile,
      kindCode(kind),
      identifier,
      ...patchValues({
        state: 'unknown',
        lengthBytes: null,
        sha256: null,
        classification: null,
        sourceName: null,
        storedAtMs: null,
        checkedAtMs: null,
        activityToken: null,
        note: '',
        ...patch,
      }),
    );
    return row?.[0] ?? null;
  }

  /** Writes every field of the record but its identity. */
  update(record: ObjectRecord): void {
    this.#rows(
      `UPDATE object SET state = ?, length_bytes = ?, sha256 = ?, classification = ?, source_name = ?,
         stored_at_ms = ?, checked_at_ms = ?, activity_token = ?, note = ? WHERE id = ?`,
      ...patchValues(record),
      record.id,
    );
  }

  remove(id: number): void {
    this.#rows('DELETE FROM object WHERE id = ?', id);
  }

  addHistory(id: number, note: HistoryNote, atMs: number): void {
    this.#rows(
      'INSERT INTO history (object, at_ms, action, detail, activity_token) VALUES (?, ?, ?, ?, ?)',
      id,
      atMs,
      note.action,
      note.detail ?? null,
      note.activityToken ?? null,
    );
  }

  /** Newest first. */
  history(id: number, limit: number): HistoryEntry[] {
    return this.#rows(
      'SELECT at_ms, action, detail, activity_token FROM history WHERE object = ? ORDER BY at_ms DESC, id DESC LIMIT ?',
      id,
      limit,
    ).map(([atMs, action, detail, activityToken]) =>
      historyEntrySchema.parse({ atMs, action, detail, activityToken }),
    );
  }

  idsInStates(profile: number, wanted: readonly ObjectState[]): number[] {
    const found: number[] = [];
    for (const kind of kinds) {
      for (const state of new Set(wanted)) {
        const sql = 'SELECT id FROM object WHERE profile = ? AND kind = ? AND state = ?';
        for (const [id] of this.#rows<[number]>(sql, profile, kindCode(kind), stateCode(state)))
          found.push(id);
      }
    }
    return found.sort((a, b) => a - b);
  }

  /** How many are not gone, and their known bytes. */
  totals(profile: number, kind: ObjectKind): { total: number; totalBytes: number } {
    const [row] = this.#rows<[number, number]>(
      `SELECT count(*), total(length_bytes) FROM object WHERE profile = ? AND kind = ? AND state <> ${String(goneCode)}`,
      profile,
      kindCode(kind),
    );
    return { total: row?.[0] ?? 0, totalBytes: row?.[1] ?? 0 };
  }

  /** A page of all that is not gone, without an index in memory; quick by identifier, a scan by other columns. */
  firstRecords({ kind, sort }: ObjectQuery, profile: number, offset: number, limit: number): ObjectRecord[] {
    const direction = sort.direction === 'ascending' ? 'ASC' : 'DESC';
    const hint = sort.column === 'identifier' ? '' : 'NOT INDEXED';
    return this.#rows<[number]>(
      `SELECT id FROM object ${hint} WHERE profile = ? AND kind = ? AND +state <> ${String(goneCode)}
       ORDER BY ${sortExpressions[sort.column]} ${direction}, identifier ${direction} LIMIT ? OFFSET ?`,
      profile,
      kindCode(kind),
      limit,
      offset,
    ).flatMap(([id]) => this.get(id) ?? []);
  }

  /** In the order of ids, which is the order of the file. */
  recordsAfter(profile: number, afterId: number, limit: number): ObjectRecord[] {
    return this.#rows<ObjectValues>(
      `SELECT ${objectColumns} FROM object NOT INDEXED CROSS JOIN profile ON profile.id = object.profile
       WHERE object.id > ? AND profile = ? ORDER BY object.id LIMIT ?`,
      afterId,
      profile,
      limit,
    ).map(toRecord);
  }

  /** As `recordsAfter`, what an index needs. */
  indexedAfter(profile: number, afterId: number, limit: number): IndexedRow[] {
    return this.#rows<
      [
        number,
        number,
        string,
        number,
        number | null,
        string | null,
        string | null,
        number | null,
        number | null,
        string,
      ]
    >(
      `SELECT id, kind, identifier, state, length_bytes, classification, source_name, stored_at_ms, checked_at_ms, note
       FROM object NOT INDEXED WHERE id > ? AND profile = ? ORDER BY id LIMIT ?`,
      afterId,
      profile,
      limit,
    ).map((row) => ({
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
    }));
  }

  identifierOrder(profile: number): IdentifierOrder {
    return {
      all: () => {
        // One JSON text is read twice as fast as a million rows.
        const [row] = this.#rows<[string]>(
          'SELECT json_group_array(id) FROM (SELECT id FROM object WHERE profile = ? ORDER BY kind, identifier)',
          profile,
        );
        return parseNumbers(row?.[0] ?? '[]');
      },
      place: (ids) =>
        ids
          .flatMap((id) =>
            this.#rows<[number, string]>('SELECT kind, identifier FROM object WHERE id = ?', id).map(
              ([kind, identifier]) => ({ id, kind, identifier, bytes: Buffer.from(writeText(identifier)) }),
            ),
          )
          .sort((a, b) => a.kind - b.kind || Buffer.compare(a.bytes, b.bytes))
          .map(({ id, kind, identifier }) => {
            const sql = `SELECT id FROM object WHERE profile = ? AND (kind, identifier) > (?, ?)
                         ORDER BY kind, identifier LIMIT 1`;
            return { id, next: this.#rows<[number]>(sql, profile, kind, identifier)[0]?.[0] ?? null };
          }),
    };
  }

  #record(sql: string, ...values: SQLInputValue[]): ObjectRecord | null {
    const [row] = this.#rows<ObjectValues>(sql, ...values);
    return row === undefined ? null : toRecord(row);
  }

  #rows<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] {
    let run = this.#statements.get(sql);
    if (run === undefined) {
      const statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      run = (...given) => statement.all(...given.map(writeText)) as unknown as unknown[][];
      this.#statements.set(sql, run);
    }
    const rows = run(...values) as Row[];
    for (const row of rows) {
      for (let at = 0; at < row.length; at += 1) row[at] = readText(row[at]);
    }
    return rows;
  }
}

function patchValues(patch: Required<ObjectPatch>): SQLInputValue[] {
  return [
    stateCode(patch.state),
    patch.lengthBytes,
    patch.sha256,
    patch.classification,
    patch.sourceName,
    patch.storedAtMs,
    patch.checkedAtMs,
    patch.activityToken,
    patch.note,
  ];
}

function parseNumbers(json: string): number[] {
  return JSON.parse(json) as number[];
}
