import type { SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import type { ObjectKind, ObjectRecord } from '../../../shared/domain/object.ts';
import type { Statements } from '../../database/statements.ts';
import { patchColumns, patchValues, kindCode, objectColumns, toRecord, type ObjectValues } from '../rows.ts';

/** The server's last values of what people type, and of the file name, which curators may stop sharing. */
export interface Words {
  readonly note: string;
  readonly renewBy: string | null;
  readonly sourceName: string | null;
}

/** The team's fields of a row. */
export interface TeamFields {
  readonly incarnation: string | null;
  /** The number of its last change on the server; null: not shared. */
  readonly rev: number | null;
  readonly area: number | null;
  readonly storedBy: number | null;
  readonly seenBy: number | null;
  readonly seenAtMs: number | null;
  /** It was seen on this computer, although somebody else has found otherwise since. */
  readonly seenHere: boolean;
  readonly words: string | null;
}

export interface LocalRow extends TeamFields {
  readonly record: ObjectRecord;
  readonly writer: number | null;
  /** What the team has from this computer and nobody has overridden, as `dueBits`. */
  readonly pushed: number;
}

export interface Due {
  readonly id: number;
  readonly bits: number;
  readonly noteBase: string | null;
  readonly isRefused: boolean;
}

/** An object known only from the team. */
export type Heard = Omit<ObjectRecord, 'id' | 'serviceId'>;

const fieldColumns =
  'incarnation, team_rev, team_area, stored_by, seen_by, seen_at_ms, seen_here, team_words';
/** For `FROM object JOIN service`. */
export const localColumns = `object.${fieldColumns}, writer, pushed_bits, ${objectColumns}`;

// Constants, because they run once for each of many rows.
const findSql = `SELECT ${localColumns} FROM object JOIN service ON service.id = object.service
  WHERE service = ? AND kind = ? AND identifier = ?`;
const insertSql = `INSERT INTO object (service, kind, identifier, ${patchColumns}, ${fieldColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

export type LocalValues = [
  incarnation: string | null,
  rev: number | null,
  area: number | null,
  storedBy: number | null,
  seenBy: number | null,
  seenAtMs: number | null,
  seenHere: number,
  words: string | null,
  writer: number | null,
  pushed: number,
  ...record: ObjectValues,
];

export function toLocalRow(values: LocalValues): LocalRow {
  const [incarnation, rev, area, storedBy, seenBy, seenAtMs, seenHere, words, writer, pushed, ...record] =
    values;
  return {
    incarnation,
    rev,
    area,
    storedBy,
    seenBy,
    seenAtMs,
    seenHere: seenHere === 1,
    words,
    writer,
    pushed,
    record: toRecord(record),
  };
}

const wordsSchema = z.tuple([z.string(), z.string().nullable(), z.string().optional()]);

export function readWords(text: string | null): Words {
  if (text === null) return { note: '', renewBy: null, sourceName: null };
  const [note, renewBy, sourceName = null] = wordsSchema.parse(JSON.parse(text));
  return { note, renewBy, sourceName };
}

export function writeWords({ note, renewBy, sourceName }: Words): string | null {
  if (sourceName !== null) return JSON.stringify([note, renewBy, sourceName]);
  return note === '' && renewBy === null ? null : JSON.stringify([note, renewBy]);
}

/** Statements of a team copy on single rows. Starts no transactions. */
export class TeamRows {
  readonly #rows: Statements['rows'];
  readonly #run: Statements['run'];

  constructor({ rows, run }: Statements) {
    this.#rows = rows;
    this.#run = run;
  }

  find(service: number, kind: ObjectKind, identifier: string): LocalRow | null {
    const [found] = this.#rows<LocalValues>(findSql, service, kindCode(kind), identifier);
    return found === undefined ? null : toLocalRow(found);
  }

  wordsOf(id: number): string | null {
    return this.#rows<[string | null]>('SELECT team_words FROM object WHERE id = ?', id)[0]?.[0] ?? null;
  }

  /** When somebody in the team last looked, as far as this computer has heard. */
  heardMs(id: number): number | null {
    return this.#rows<[number | null]>('SELECT seen_at_ms FROM object WHERE id = ?', id)[0]?.[0] ?? null;
  }

  due(service: number, kind: ObjectKind, identifier: string): Due | null {
    const [found] = this.#rows<[number, number, string | null, number]>(
      'SELECT id, bits, note_base, refused IS NOT NULL FROM team_due WHERE service = ? AND kind = ? AND identifier = ?',
      service,
      kindCode(kind),
      identifier,
    );
    if (found === undefined) return null;
    const [id, bits, noteBase, isRefused] = found;
    return { id, bits, noteBase, isRefused: isRefused === 1 };
  }

  /** @returns the new id; null: the identifier exists already */
  insert(service: number, { kind, identifier, ...patch }: Heard, fields: TeamFields): number | null {
    return this.#run(
      insertSql,
      service,
      kindCode(kind),
      identifier,
      ...patchValues(patch),
      ...fieldValues(fields),
    );
  }

  /** @param lost `dueBits` of what this computer has told and the team has replaced since */
  setFields(id: number, fields: TeamFields, lost: number): void {
    this.#rows(
      `UPDATE object SET incarnation = ?, team_rev = ?, team_area = ?, stored_by = ?, seen_by = ?, seen_at_ms = ?,
         seen_here = ?, team_words = ?, pushed_bits = pushed_bits & ~? WHERE id = ?`,
      ...fieldValues(fields),
      lost,
      id,
    );
  }

  /** @param base the server's note when the pending one was typed; null: the server had the pending one, and lost it */
  setNoteBase(
    service: number,
    { kind, identifier }: Pick<ObjectRecord, 'kind' | 'identifier'>,
    base: string | null,
  ): void {
    this.#rows(
      'UPDATE team_due SET note_base = ? WHERE service = ? AND kind = ? AND identifier = ?',
      base,
      service,
      kindCode(kind),
      identifier,
    );
  }

  addNoteConflict(id: number, note: string, atMs: number): void {
    this.#rows('INSERT INTO team_kept_apart (object, mine, at_ms) VALUES (?, ?, ?)', id, note, atMs);
  }

  /**
   * Keeps the row on this list, no longer as the team's.
   * @param lost `dueBits` that no longer count as told, so that they are told again where the team then differs
   */
  makePrivate(id: number, lost: number): void {
    this.#rows(
      'UPDATE object SET team_rev = NULL, team_area = NULL, pushed_bits = pushed_bits & ~? WHERE id = ?',
      lost,
      id,
    );
  }
}

function fieldValues(fields: TeamFields): SQLInputValue[] {
  return [
    fields.incarnation,
    fields.rev,
    fields.area,
    fields.storedBy,
    fields.seenBy,
    fields.seenAtMs,
    fields.seenHere ? 1 : 0,
    fields.words,
  ];
}
