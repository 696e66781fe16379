import type { SQLInputValue } from 'node:sqlite';
import {
  historyEntrySchema,
  type HistoryEntry,
  type ObjectKind,
  type ObjectRecord,
  type ObjectState,
} from '../../shared/domain/object.ts';
import { separatorDefault } from '../../shared/domain/service.ts';
import { versionOf, versionPrefix, type VersionNaming } from '../../shared/domain/versions.ts';
import type { NewObject } from './catalogue.ts';
import type { HistoryNote, ListedVersion } from '../../shared/domain/object-changes.ts';
import {
  kindCode,
  kinds,
  objectColumns,
  insertedValues,
  patchColumns,
  patchValues,
  stateCode,
  toRecord,
  type ObjectValues,
} from './rows.ts';
import { insertion, type Statements } from '../database/statements.ts';

export interface StoredService extends VersionNaming {
  readonly number: number;
}

/** A row with the fields that transfers keep in it. */
export interface ObjectRow {
  readonly record: ObjectRecord;
  /** Increases with every change of state, length, digest or writer. */
  readonly epoch: number;
  /** The transfer that is uploading or deleting the object. */
  readonly writer: number | null;
}

const fromObjects = 'FROM object JOIN service ON service.id = object.service';
// Constants, because statements are cached by their text: building and hashing a long one takes as long as a short query.
const getSql = `SELECT ${objectColumns} ${fromObjects} WHERE object.id = ?`;
const rowSql = `SELECT epoch, writer, ${objectColumns} ${fromObjects} WHERE object.id = ?`;
const findSql = `SELECT ${objectColumns} ${fromObjects} WHERE service = ? AND kind = ? AND identifier = ?`;

/** SQL statements for rows. Starts no transactions and caches nothing. */
export class ObjectStore {
  readonly #rows: Statements['rows'];
  readonly #run: Statements['run'];
  readonly #insertRows: Statements['insertRows'];

  constructor({ rows, run, insertRows }: Statements) {
    this.#rows = rows;
    this.#run = run;
    this.#insertRows = insertRows;
  }

  service(serviceId: string): StoredService | null {
    const [row] = this.#rows<[number, string, string]>(
      'SELECT id, separator, version_mark FROM service WHERE service_id = ?',
      serviceId,
    );
    return row === undefined ? null : { number: row[0], separator: row[1], versionMark: row[2] };
  }

  serviceId(service: number): string | null {
    return this.#rows<[string]>('SELECT service_id FROM service WHERE id = ?', service)[0]?.[0] ?? null;
  }

  serviceIds(): string[] {
    return this.#rows<[string]>('SELECT service_id FROM service').map(([serviceId]) => serviceId);
  }

  /** The number of a service; assigns one if necessary. */
  ensureService(serviceId: string): number {
    const [known] = this.#rows<[number]>('SELECT id FROM service WHERE service_id = ?', serviceId);
    if (known !== undefined) return known[0];
    this.#rows('INSERT INTO service (service_id, separator) VALUES (?, ?)', serviceId, separatorDefault);
    return this.ensureService(serviceId);
  }

  setNaming(service: number, { separator, versionMark }: VersionNaming): void {
    this.#rows(
      'UPDATE service SET separator = ?, version_mark = ? WHERE id = ?',
      separator,
      versionMark,
      service,
    );
  }

  removeService(service: number): void {
    this.#rows('DELETE FROM service WHERE id = ?', service);
  }

  get(id: number): ObjectRecord | null {
    return this.#record(getSql, id);
  }

  /** Unknown ids are left out. */
  getMany(ids: readonly number[]): ObjectRecord[] {
    return ids.flatMap((id) => this.get(id) ?? []);
  }

  find(service: number, kind: ObjectKind, identifier: string): ObjectRecord | null {
    return this.#record(findSql, service, kindCode(kind), identifier);
  }

  /** The rows of a base identifier and its versions, oldest first. */
  versions(
    service: number,
    kind: ObjectKind,
    base: string,
    { separator, versionMark }: VersionNaming,
  ): ListedVersion[] {
    const prefix = versionPrefix(base, separator, versionMark);
    const first = this.find(service, kind, base);
    const others = this.#rows<ObjectValues>(
      `SELECT ${objectColumns} ${fromObjects} WHERE service = ? AND kind = ? AND identifier > ? AND identifier < ?`,
      service,
      kindCode(kind),
      prefix,
      // The character after '9'.
      `${prefix}:`,
    ).map(toRecord);
    return [...(first ? [first] : []), ...others]
      .flatMap((record) => {
        const version = versionOf(record.identifier, separator, versionMark);
        return version.base === base ? { number: version.number, record } : [];
      })
      .sort((a, b) => a.number - b.number);
  }

  row(id: number): ObjectRow | null {
    const [row] = this.#rows<[epoch: number, writer: number | null, ...ObjectValues]>(rowSql, id);
    if (row === undefined) return null;
    const [epoch, writer, ...values] = row;
    return { record: toRecord(values), epoch, writer };
  }

  setWriter(id: number, writer: number | null): void {
    this.#rows(
      'UPDATE object SET epoch = epoch + (writer IS NOT ?), writer = ? WHERE id = ?',
      writer,
      writer,
      id,
    );
  }

  /** @param incarnation drawn by the transfer that stored the bytes; null: not stored by a transfer of this computer */
  setIncarnation(id: number, incarnation: string | null): void {
    this.#run(
      'UPDATE object SET incarnation = ?1, stored_by = NULL WHERE id = ?2 AND incarnation IS NOT ?1',
      incarnation,
      id,
    );
  }

  incarnation(id: number): string | null {
    return this.#rows<[string | null]>('SELECT incarnation FROM object WHERE id = ?', id)[0]?.[0] ?? null;
  }

  /** @returns the new id; null: the identifier exists already */
  insert(service: number, object: NewObject, writer: number | null = null): number | null {
    return this.#run(insertOne, ...insertedValues(service, object, writer));
  }

  /** Skips identifiers that exist already. @returns the new ids, by writer */
  insertFor(
    service: number,
    objects: readonly { readonly object: NewObject; readonly writer: number }[],
  ): Map<number, number> {
    const rows = objects.map(({ object, writer }) => insertedValues(service, object, writer));
    return new Map(this.#insertRows<[number, number]>(insertForWriters, rows));
  }

  /** Writes all fields except those that identify the row. */
  update(record: ObjectRecord): void {
    const values = patchValues(record);
    this.#rows(
      `UPDATE object SET epoch = epoch + (state IS NOT ? OR length_bytes IS NOT ? OR sha256 IS NOT ?),
         state = ?, length_bytes = ?, sha256 = ?, classification = ?, source_name = ?,
         stored_at_ms = ?, checked_at_ms = ?, activity_token = ?, note = ?, parts = ?, renew_by = ?, claimed = ?,
         used_at_ms = ?, moved_to = ?
       WHERE id = ?`,
      ...values.slice(0, 3),
      ...values,
      record.id,
    );
  }

  /** The manifest of an object in parts; null: unknown. */
  manifest(id: number): string | null {
    return this.#rows<[string]>('SELECT text FROM manifest WHERE object = ?', id)[0]?.[0] ?? null;
  }

  setManifest(id: number, text: string | null): void {
    if (text === null) this.#rows('DELETE FROM manifest WHERE object = ?', id);
    else this.#rows('INSERT OR REPLACE INTO manifest (object, text) VALUES (?, ?)', id, text);
  }

  /** Parts that the last check did not find, by number, from 0. */
  missingParts(id: number): number[] {
    const [row] = this.#rows<[string]>('SELECT missing FROM manifest WHERE object = ?', id);
    return row === undefined ? [] : (JSON.parse(row[0]) as number[]);
  }

  setMissingParts(id: number, missing: readonly number[]): void {
    this.#rows('UPDATE manifest SET missing = ? WHERE object = ?', JSON.stringify(missing), id);
  }

  remove(id: number): void {
    this.#rows('DELETE FROM object WHERE id = ?', id);
  }

  removeMany(ids: readonly number[]): void {
    this.#rows('DELETE FROM object WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  }

  addHistory(id: number, note: HistoryNote, atMs: number): void {
    this.#run(
      'INSERT INTO history (object, at_ms, action, detail, activity_token) VALUES (?, ?, ?, ?, ?)',
      id,
      atMs,
      note.action,
      note.detail ?? null,
      note.activityToken ?? null,
    );
  }

  moveHistory(from: number, to: number): void {
    this.#run('UPDATE history SET object = ? WHERE object = ?', to, from);
  }

  /** For the bytes that are stored there now. */
  setFirstStored(id: number, atMs: number): void {
    this.#rows(
      `INSERT OR REPLACE INTO first_stored (object, first_ms, stored_ms)
       SELECT id, ?, stored_at_ms FROM object WHERE id = ? AND stored_at_ms IS NOT NULL`,
      atMs,
      id,
    );
  }

  /** Newest first. Invalid entries are skipped, so that they do not lose the others. */
  history(id: number, limit: number): HistoryEntry[] {
    return this.#rows(
      `SELECT at_ms, action, detail, activity_token FROM history WHERE object = ?
       ORDER BY at_ms DESC, id DESC LIMIT ?`,
      id,
      limit,
    ).flatMap(([atMs, action, detail, activityToken]) => {
      const entry = historyEntrySchema.safeParse({ atMs, action, detail, activityToken });
      return entry.success ? [entry.data] : [];
    });
  }

  idsInStates(service: number, wanted: readonly ObjectState[]): number[] {
    const sql = 'SELECT id FROM object WHERE service = ? AND kind = ? AND state = ?';
    const ofState = (kind: ObjectKind, state: ObjectState) =>
      this.#rows<[number]>(sql, service, kindCode(kind), stateCode(state)).map(([id]) => id);
    const found = kinds.flatMap((kind) => [...new Set(wanted)].flatMap((state) => ofState(kind, state)));
    return found.sort((a, b) => a - b);
  }

  renewals(untilDate: string): ObjectRecord[] {
    return this.#rows<ObjectValues>(
      `SELECT ${objectColumns} ${fromObjects} WHERE renew_by IS NOT NULL AND renew_by <= ? AND kind = ? AND state NOT IN (?, ?)
       ORDER BY renew_by, object.id`,
      untilDate,
      kindCode('secret'),
      stateCode('gone'),
      stateCode('failed'),
    ).map(toRecord);
  }

  /** In the order of ids, which is the order in the database file. */
  recordsAfter(service: number, afterId: number, limit: number): ObjectRecord[] {
    return this.#rows<ObjectValues>(
      `SELECT ${objectColumns} FROM object NOT INDEXED CROSS JOIN service ON service.id = object.service
       WHERE object.id > ? AND service = ? ORDER BY object.id LIMIT ?`,
      afterId,
      service,
      limit,
    ).map(toRecord);
  }

  #record(sql: string, ...values: SQLInputValue[]): ObjectRecord | null {
    const [row] = this.#rows<ObjectValues>(sql, ...values);
    return row === undefined ? null : toRecord(row);
  }
}

const insertInto = `INSERT INTO object (service, kind, identifier, writer, ${patchColumns})`;
const { one: insertOne } = insertion(insertInto, 18, 'ON CONFLICT DO NOTHING');
const insertForWriters = insertion(insertInto, 18, 'ON CONFLICT DO NOTHING RETURNING writer, id');
