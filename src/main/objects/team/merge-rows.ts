import type { SQLInputValue } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { isClaimed } from '../../../shared/domain/claims.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { Statements } from '../../database/statements.ts';
import type { AddedTally } from '../added-tally.ts';
import type { ObjectWriter, Saved } from '../object-writer.ts';
import { kindCode, kinds } from '../rows.ts';
import { fieldsOf, heard, isAnswer, isOwn, meet, type Met } from './meet.ts';
import type { TeamMoved, TeamRow } from './team-copy.ts';
import type { Due, LocalRow, TeamRows } from './team-rows.ts';
import { dueBits } from './tell.ts';

/** Which service's list, and whose. */
export interface TeamOf {
  readonly service: number;
  readonly serviceId: string;
  readonly me: number;
  /** Areas that the person curates: only there objects that are stored can be taken off the list. */
  readonly curated: ReadonlySet<number>;
}

interface Fill {
  /** The newest number that is known to mean the same here and on the server. */
  readonly commonRev: number;
}

/** Merges what the team says into the list. Must run within a transaction of the writer. */
export class MergeRows {
  readonly #rows: Statements['rows'];
  readonly #writer: ObjectWriter;
  readonly #team: TeamRows;

  constructor({ rows }: Statements, writer: ObjectWriter, team: TeamRows) {
    this.#rows = rows;
    this.#writer = writer;
    this.#team = team;
  }

  /**
   * @param tally counts what is added
   * @param fill the rows are read in full: their numbers may be those of a server that was set back, to this one at most
   */
  merge(of: TeamOf, rows: readonly TeamRow[], tally: AddedTally, fill: Fill | null, nowMs: number): void {
    const [anyDue] = this.#rows('SELECT 1 FROM team_due WHERE service = ? LIMIT 1', of.service);
    const saved: Saved[] = [];
    // Most pages bring new objects only, or known ones only: what the last one was is tried first.
    let isLastNew = true;
    for (const row of rows) {
      const due = anyDue === undefined ? null : this.#team.due(of.service, row.kind, row.identifier);
      const isForgetting = due !== null && (due.bits & dueBits.forget) !== 0 && !due.isRefused;
      // The server will take it off the list for everybody. Where it would refuse to, it stays on this one, too.
      const mayForget = row.state === 'missing' || row.state === 'gone' || of.curated.has(row.area);
      if (isForgetting && (mayForget || row.isForgotten)) continue;
      // Nobody is told any more to take it off.
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
      const met = local && this.#meet(of, row, local, due, tally, fill, nowMs);
      if (met !== null) saved.push(met);
    }
    this.#writer.noteSaved(saved);
  }

  /** Objects that have left an area, and did not come in another one. */
  leave(of: TeamOf, moved: readonly TeamMoved[]): void {
    for (const { kind, identifier, rev } of moved) {
      const local = this.#team.find(of.service, kind, identifier);
      if (local === null || local.rev === null || local.rev >= rev) continue;
      const isKept =
        isOwn(local, of.me) || local.writer !== null || this.#team.due(of.service, kind, identifier) !== null;
      if (isKept) this.#makePrivate(local.record);
      else this.#writer.drop(local.record);
      // What was said of it before is of no interest when its transfer ends.
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

  /** Takes what the team said of objects while transfers worked on them, where they have ended. */
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

  /** Of what was refused the rest is tried once more, as the object may be another one's now; but nothing that the team has told itself. */
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

  #meet(
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
    const { record, fields, keptApart, isContradicted } = meet(local, row, due, of.me);
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
      this.#writer.outbox.mark(of.service, record, dueBits.presence);
    if (keptApart !== null) this.#team.keepApart(id, keptApart, nowMs);
    const textChanged = note !== record.note || sourceName !== record.sourceName;
    const isAnothers =
      local.rev === null || fields.storedBy !== local.storedBy || fields.seenBy !== local.seenBy;
    return isChanged || isAnothers ? { record, textChanged } : null;
  }
}

/** Bits of what the team has otherwise now than this computer had. */
function overtaken(local: LocalRow, { record, fields }: Pick<Met, 'record' | 'fields'>, me: number): number {
  // That a secret is there was only typed, and is this person's word until somebody else's comes.
  const isOthersLook = isClaimed(record, 'presence') && fields.seenBy !== me;
  return (
    (fields.incarnation === local.incarnation ? 0 : dueBits.bytes) |
    (isOthersLook ? dueBits.presence : 0) |
    (record.note === local.record.note ? 0 : dueBits.note) |
    (record.renewBy === local.record.renewBy ? 0 : dueBits.renewBy)
  );
}
