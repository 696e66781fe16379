import type { SQLInputValue } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { isUnverified } from '../../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { Statements } from '../../database/statements.ts';
import type { AddedTally } from '../announcements.ts';
import type { ObjectWriter, Saved } from '../object-writer.ts';
import { kindCode, kinds } from '../rows.ts';
import { fieldsOf, heard, isAnswer, isOwn, mergeRow, type Merged } from './merge-row.ts';
import { dueBits, type Outbox } from './outbox.ts';
import type { LeftArea, TeamRow } from './team-copy.ts';
import type { Due, LocalRow, TeamRows } from './team-rows.ts';

/** The list of a service, and the person it is merged for. */
export interface TeamOf {
  readonly service: number;
  readonly serviceId: string;
  readonly me: number;
  /** Areas that the person curates: only there can stored objects be taken off the list. */
  readonly curated: ReadonlySet<number>;
}

interface Fill {
  /** The newest number known to mean the same here and on the server. */
  readonly commonRev: number;
}

/** Merges the team's rows into the list. Must run within a transaction of the writer. */
export class MergeRows {
  readonly #rows: Statements['rows'];
  readonly #writer: ObjectWriter;
  readonly #outbox: Outbox;
  readonly #team: TeamRows;

  constructor({ rows }: Statements, writer: ObjectWriter, team: TeamRows, outbox: Outbox) {
    this.#outbox = outbox;
    this.#rows = rows;
    this.#writer = writer;
    this.#team = team;
  }

  /**
   * @param tally counts what is added
   * @param fill for rows of a full read: a server that was set back, at most to `commonRev`, may number them lower
   */
  merge(of: TeamOf, rows: readonly TeamRow[], tally: AddedTally, fill: Fill | null, nowMs: number): void {
    const [anyDue] = this.#rows('SELECT 1 FROM team_due WHERE service = ? LIMIT 1', of.service);
    const saved: Saved[] = [];
    // Most pages bring new objects only, or known ones only: try what the previous row was.
    let isLastNew = true;
    for (const row of rows) {
      const due = anyDue === undefined ? null : this.#team.due(of.service, row.kind, row.identifier);
      const isForgetting = due !== null && (due.bits & dueBits.forget) !== 0 && !due.isRefused;
      // The server will take it off the list for everybody. Where it would refuse to, the row stays on this list too.
      const mayForget = row.state === 'missing' || row.state === 'gone' || of.curated.has(row.area);
      if (isForgetting && (mayForget || row.isForgotten)) continue;
      // The removal is not told any more.
      if (due !== null && (due.bits & dueBits.forget) !== 0) this.#dropDue(due);
      const known: LocalRow | null = isLastNew ? null : this.#team.find(of.service, row.kind, row.identifier);
      const added: Saved | null = row.isForgotten || known !== null ? null : this.#add(of, row);
      isLastNew = added !== null;
      if (added !== null) {
        tally.count(added.record);
        saved.push(added);
        continue;
      }
      const local = known ?? this.#team.find(of.service, row.kind, row.identifier);
      const merged = local && this.#mergeRow(of, row, local, due, tally, fill, nowMs);
      if (merged !== null) saved.push(merged);
    }
    this.#writer.noteSaved(saved);
  }

  /** Drops objects that have left an area without coming into another one, or makes them private. */
  leave(of: TeamOf, leftArea: readonly LeftArea[]): void {
    for (const { kind, identifier, rev } of leftArea) {
      const local = this.#team.find(of.service, kind, identifier);
      if (local === null || local.rev === null || local.rev >= rev) continue;
      const isKept =
        isOwn(local, of.me) || local.writer !== null || this.#team.due(of.service, kind, identifier) !== null;
      if (isKept) this.#makePrivate(local.record);
      else this.#writer.drop(local.record);
      // Drops what was held back before the departure, which no longer matters when the transfer ends.
      this.#rows(
        'DELETE FROM team_held WHERE service = ? AND kind = ? AND identifier = ? AND body ->> ? < ?',
        of.service,
        kindCode(kind),
        identifier,
        'rev',
        rev,
      );
    }
  }

  /** Applies team changes that were held back while a transfer owned the row. */
  takeHeld(
    teamOf: (service: number) => TeamOf | null,
    tallyOf: (service: number) => AddedTally,
    nowMs: number,
  ): void {
    const ready = this.#rows<[service: number, kind: number, identifier: string, body: string]>(
      `SELECT h.service, h.kind, h.identifier, h.body FROM team_held h
       LEFT JOIN object o ON o.service = h.service AND o.kind = h.kind AND o.identifier = h.identifier
       WHERE o.writer IS NULL`,
    );
    for (const [service, kind, identifier, body] of ready) {
      const key: SQLInputValue[] = [service, kind, identifier];
      this.#rows('DELETE FROM team_held WHERE service = ? AND kind = ? AND identifier = ?', ...key);
      const of = teamOf(service);
      if (of === null) continue;
      const row = JSON.parse(body) as TeamRow;
      const tally = tallyOf(service);
      this.merge(of, [{ ...row, kind: kinds[kind] ?? 'data', identifier }], tally, null, nowMs);
      tally.end();
    }
  }

  #makePrivate(record: ObjectRecord): void {
    this.#team.makePrivate(record.id, dueBits.presence);
    this.#writer.noteSaved([{ record, textChanged: false }]);
  }

  #dropDue({ id }: Due): void {
    this.#rows('DELETE FROM team_due WHERE id = ?', id);
  }

  /** Retries a refused change without what the team has replaced since: the object may be somebody else's now. */
  #overtake(due: Due, lost: number): void {
    const bits = due.bits & ~lost;
    if (bits === 0) this.#dropDue(due);
    else this.#rows('UPDATE team_due SET bits = ?, refused = NULL WHERE id = ?', bits, due.id);
  }

  #add({ service, serviceId }: TeamOf, row: TeamRow): Saved | null {
    const facts = heard(row);
    const id = this.#team.insert(service, facts, fieldsOf(row));
    return id === null ? null : { record: { id, serviceId, ...facts }, textChanged: true };
  }

  #mergeRow(
    of: TeamOf,
    row: TeamRow,
    local: LocalRow,
    due: Due | null,
    tally: AddedTally,
    fill: Fill | null,
    nowMs: number,
  ): Saved | null {
    const { kind, identifier } = row;
    if (fill === null && local.rev !== null && row.rev < local.rev) return null;
    if (local.writer !== null) {
      this.#rows(
        'INSERT OR REPLACE INTO team_held (service, kind, identifier, body) VALUES (?, ?, ?, ?)',
        of.service,
        kindCode(kind),
        identifier,
        JSON.stringify(row),
      );
      return null;
    }
    const { id } = local.record;
    if (row.isForgotten) {
      tally.write();
      if (due !== null || isOwn(local, of.me)) this.#makePrivate(local.record);
      else this.#writer.drop(local.record);
      return null;
    }
    const { record, fields, noteConflict, isContradicted } = mergeRow(local, row, due, of.me);
    const lost = overtaken(local, { record, fields }, of.me);
    if (due?.isRefused === true) this.#overtake(due, lost);
    // The server was set back to before it got the note, and nobody has written another one since.
    const isToldAgain = due !== null && (due.bits & dueBits.note) !== 0 && due.noteBase === null;
    if (isToldAgain && fill !== null && row.rev <= fill.commonRev)
      this.#team.setNoteBase(of.service, row, row.note);
    const { parts, note, sourceName } = local.record;
    const isChanged = !isDeepStrictEqual(record, local.record);
    if (isChanged) {
      tally.write();
      this.#writer.rows.update(record);
    }
    if (parts !== undefined && parts.manifestSha256 !== record.parts?.manifestSha256)
      this.#writer.rows.setManifest(id, null);
    this.#team.setFields(id, fields, lost);
    if (isContradicted && due === null && !isAnswer(local, row))
      this.#outbox.mark(of.service, record, dueBits.presence);
    if (noteConflict !== null) this.#team.addNoteConflict(id, noteConflict, nowMs);
    const textChanged = note !== record.note || sourceName !== record.sourceName;
    const isAnothers =
      local.rev === null || fields.storedBy !== local.storedBy || fields.seenBy !== local.seenBy;
    return isChanged || isAnothers ? { record, textChanged } : null;
  }
}

/** The `dueBits` of the fields in which the team's row now differs from ours. */
function overtaken(
  local: LocalRow,
  { record, fields }: Pick<Merged, 'record' | 'fields'>,
  me: number,
): number {
  // The presence of a secret that was only typed in is this person's word, until somebody else's comes.
  const isOthersCheck = isUnverified(record, 'presence') && fields.seenBy !== me;
  return (
    (fields.incarnation === local.incarnation ? 0 : dueBits.bytes) |
    (isOthersCheck ? dueBits.presence : 0) |
    (record.note === local.record.note ? 0 : dueBits.note) |
    (record.renewBy === local.record.renewBy ? 0 : dueBits.renewBy)
  );
}
