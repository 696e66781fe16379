import { randomUUID } from 'node:crypto';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { Statements } from '../../database/statements.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { kindCode, kinds } from '../rows.ts';
import { type Change, dueBits, type Outbox } from './outbox.ts';
import { DueChanges } from './due-changes.ts';
import type { TeamPush, TeamPushAnswer } from './team-copy.ts';
import {
  localColumns,
  readWords,
  toLocalRow,
  writeWords,
  type LocalValues,
  type TeamRows,
} from './team-rows.ts';
import { maxChanges, type StoredTeam, type TeamTable } from './team-table.ts';

interface Flight {
  readonly seq: number;
  readonly tag: string;
  readonly changes: readonly Change[];
  readonly due: readonly number[];
}

/** Tells the server this computer's changes, exactly once. Must run within transactions of the writer. */
export class Pushes {
  readonly #rows: Statements['rows'];
  readonly #table: TeamTable;
  readonly #team: TeamRows;
  readonly #outbox: Outbox;
  readonly #due: DueChanges;

  constructor(
    statements: Statements,
    table: TeamTable,
    team: TeamRows,
    writer: ObjectWriter,
    outbox: Outbox,
  ) {
    this.#outbox = outbox;
    this.#rows = statements.rows;
    this.#table = table;
    this.#team = team;
    this.#due = new DueChanges(statements, table, writer, outbox);
  }

  /** The push that may already have been sent, or a new one. */
  next(team: StoredTeam, presentMs: number): TeamPush | null {
    const { service, client, seq, clientTag } = team;
    const [known] = this.#rows<[number, string, string]>(
      'SELECT seq, tag, changes FROM team_flight WHERE service = ?',
      service,
    );
    if (known !== undefined)
      return { client, seq: known[0], before: clientTag, tag: known[1], changes: known[2] };
    const { changes, due } = this.#due.next(team, presentMs);
    if (changes.length === 0) return null;
    const [tag, text] = [randomUUID(), `[${changes.join(',')}]`];
    this.#rows(
      'INSERT INTO team_flight (service, seq, tag, changes, due) VALUES (?, ?, ?, ?, ?)',
      service,
      seq + 1,
      tag,
      text,
      JSON.stringify(due),
    );
    return { client, seq: seq + 1, before: clientTag, tag, changes: text };
  }

  /**
   * @param kept sets a note apart that lost to somebody else's, and reports the row as saved
   * @returns the other objects that are on the team's list from now on
   */
  acknowledge(
    team: StoredTeam,
    seq: number,
    answer: TeamPushAnswer,
    kept: (objectId: number, note: string) => void,
  ): ObjectRecord[] {
    const flight = this.#flight(team.service);
    if (flight?.seq !== seq) return [];
    const added: ObjectRecord[] = [];
    const { service } = team;
    const refused = new Map(answer.refused);
    const apart = new Set(answer.kept.filter(([, field]) => field === 'note').map(([n]) => n));
    // The server numbers what it accepts in this order.
    let rev = answer.rev - (flight.changes.length - refused.size);
    for (const [at, change] of flight.changes.entries()) {
      const due = flight.due[at] ?? 0;
      const reason = refused.get(at + 1);
      if (reason !== undefined) {
        this.#rows('UPDATE team_due SET refused = ? WHERE id = ?', reason, due);
        continue;
      }
      rev += 1;
      const sharesNotes = answer.sharesNotes ?? false;
      const apartFrom = apart.has(at + 1) ? kept : null;
      const record = this.#clear(service, change, due, { rev, sharesNotes }, apartFrom);
      if (record !== null) added.push(record);
    }
    this.#rows('DELETE FROM team_flight WHERE service = ?', service);
    this.#table.setClient(service, team.client, seq, flight.tag);
    this.#table.set(service, 'push_max', Math.min(team.pushMax * 2, maxChanges));
    // An answer in another epoch proves nothing about what was told before.
    const isOfEpoch = answer.epoch === undefined || answer.epoch === team.cursor?.epoch;
    if (isOfEpoch && refused.size < flight.changes.length)
      this.#table.addAnchor(service, answer.rev, answer.tag);
    return added;
  }

  /** The server has written nothing: the next push has half of the changes; a single change is set aside. */
  halve(team: StoredTeam, seq: number, reason: string): void {
    const flight = this.#flight(team.service);
    if (flight?.seq !== seq) return;
    const count = flight.due.length;
    if (count === 1) this.#rows('UPDATE team_due SET refused = ? WHERE id = ?', reason, flight.due[0] ?? 0);
    this.#table.set(
      team.service,
      'push_max',
      count === 1 ? Math.min(team.pushMax * 2, maxChanges) : Math.ceil(count / 2),
    );
    this.#rows('DELETE FROM team_flight WHERE service = ?', team.service);
  }

  /** Whether there is a push without an answer. */
  mayHaveLeft(service: number): boolean {
    return this.#flight(service) !== null;
  }

  renewClient({ service }: StoredTeam): void {
    this.#rows('DELETE FROM team_flight WHERE service = ?', service);
    this.#table.setClient(service, randomUUID(), 0, null);
  }

  /** Tells again what was pushed after this number, which the server has forgotten. What others have stored since is theirs to tell. */
  tellAgain({ service }: StoredTeam, commonRev: number): void {
    this.#tellAgain(service, 'pushed_rev > ?', commonRev);
  }

  /** The server has deleted the secrets. They are told again once it takes them, and do not leave this computer until then. */
  takeBackSecrets(team: StoredTeam): void {
    this.#tellAgain(team.service, 'kind = ?', kindCode('secret'));
    const mayLeave = this.#flight(team.service)?.changes.some(({ kind }) => kind === kindCode('secret'));
    if (mayLeave === true) this.renewClient(team);
  }

  #tellAgain(service: number, where: string, value: number): void {
    const lost = this.#rows<LocalValues>(
      `SELECT ${localColumns} FROM object JOIN service ON service.id = object.service
       WHERE service = ? AND ${where} AND pushed_bits <> 0 ORDER BY pushed_rev`,
      service,
      value,
    ).map(toLocalRow);
    for (const { record, pushed } of lost) {
      this.#outbox.mark(service, record, pushed);
      if (pushed & dueBits.note) this.#team.setNoteBase(service, record, null);
    }
  }

  #flight(service: number): Flight | null {
    const [found] = this.#rows<[number, string, string, string]>(
      'SELECT seq, tag, changes, due FROM team_flight WHERE service = ?',
      service,
    );
    if (found === undefined) return null;
    const [seq, tag, changes, due] = found;
    return { seq, tag, changes: JSON.parse(changes) as Change[], due: JSON.parse(due) as number[] };
  }

  /** @returns the object, if it was not on the team's list before and no note of it was set apart */
  #clear(
    service: number,
    change: Change,
    dueId: number,
    { rev, sharesNotes }: { rev: number; sharesNotes: boolean },
    kept: ((objectId: number, note: string) => void) | null,
  ): ObjectRecord | null {
    const [kind, identifier] = [kinds[change.kind] ?? 'data', change.identifier];
    // If the row of `team_due` has changed since, it has another id.
    const [told] = this.#rows<[number]>('DELETE FROM team_due WHERE id = ? RETURNING bits', dueId);
    const since = told === undefined ? this.#team.due(service, kind, identifier) : null;
    // What was typed since is based on the note just told.
    if (since !== null && change.note !== undefined && kept === null)
      this.#rows('UPDATE team_due SET note_base = ? WHERE id = ?', change.note, since.id);
    const local = this.#team.find(service, kind, identifier);
    if (local === null || change.forget === true) return null;
    // The server has these texts now, even before they are read back. A row that was removed and added again never had them.
    const words = readWords(local.words);
    const { note, renewBy = null } = local.record;
    const typedSince = told?.[0] ?? since?.bits ?? 0;
    const hadNote = change.note === note || (typedSince & dueBits.note) !== 0;
    const hadRenewBy = (change.renew_by ?? null) === renewBy || (typedSince & dueBits.renewBy) !== 0;
    const now = {
      ...words,
      note: kept === null && sharesNotes && hadNote ? (change.note ?? words.note) : words.note,
      renewBy: change.sets_renew === true && hadRenewBy ? (change.renew_by ?? null) : words.renewBy,
    };
    this.#rows(
      `UPDATE object SET team_rev = max(ifnull(team_rev, 0), ?1), pushed_rev = ?1, pushed_bits = (pushed_bits | ?2) & ~?3, team_words = ?4
       WHERE id = ?5`,
      rev,
      bitsOf(change),
      kept === null && (change.note === undefined || hadNote) ? 0 : dueBits.note,
      writeWords(now),
      local.record.id,
    );
    if (kept !== null && told !== undefined && change.note !== undefined) {
      kept(local.record.id, change.note);
      return null;
    }
    return local.rev === null ? local.record : null;
  }
}

function bitsOf({ incarnation, state, note, sets_renew: setsRenew }: Change): number {
  return (
    (incarnation === undefined ? 0 : dueBits.bytes) |
    (state === undefined ? 0 : dueBits.presence) |
    (note === undefined ? 0 : dueBits.note) |
    (setsRenew === true ? dueBits.renewBy : 0)
  );
}
