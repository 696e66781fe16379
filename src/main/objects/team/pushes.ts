import { randomUUID } from 'node:crypto';
import type { Statements } from '../../database/statements.ts';
import { goneCode, kindCode, kinds, stateCode } from '../rows.ts';
import type { Outbox } from './outbox.ts';
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
import { dueBits, tell, type Change } from './tell.ts';

/** The server takes 4 MiB as it writes JSON itself, which is a little longer. */
const maxBytes = 3_500_000;

const [uploading, deleting] = [stateCode('uploading'), stateCode('deleting')];

interface Flight {
  readonly seq: number;
  readonly tag: string;
  readonly changes: readonly Change[];
  readonly due: readonly number[];
}

/** Of a row of `object`, in SQL: this computer stored what the service has. What was deleted since is nobody else's business. */
export const isStoredHere = `claimed = 0 AND stored_at_ms IS NOT NULL AND stored_by IS NULL AND state <> ${String(goneCode)}
  AND (sha256 IS NOT NULL OR kind = ${String(kindCode('secret'))})
  AND EXISTS (SELECT 1 FROM history WHERE history.object = object.id
    AND action IN ('uploaded', 'replaced', 'reclassified', 'moved'))`;

/** What this computer tells the server, exactly once. Must run within transactions of the writer. */
export class Pushes {
  readonly #rows: Statements['rows'];
  readonly #table: TeamTable;
  readonly #team: TeamRows;
  readonly #outbox: Outbox;

  constructor({ rows }: Statements, table: TeamTable, team: TeamRows, outbox: Outbox) {
    this.#rows = rows;
    this.#table = table;
    this.#team = team;
    this.#outbox = outbox;
  }

  /** The push that may have left, or a new one. */
  next(team: StoredTeam): TeamPush | null {
    const { service, client, seq, clientTag } = team;
    const [known] = this.#rows<[number, string, string]>(
      'SELECT seq, tag, changes FROM team_flight WHERE service = ?',
      service,
    );
    if (known !== undefined)
      return { client, seq: known[0], before: clientTag, tag: known[1], changes: known[2] };
    for (;;) {
      const { changes, due } = this.#gather(team);
      if (changes.length > 0) {
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
      if (!this.#shareEarlier(service)) return null;
    }
  }

  /**
   * @param kept sets a note apart that somebody else's came before
   * @returns the objects that the server has taken
   */
  acknowledge(
    team: StoredTeam,
    seq: number,
    answer: TeamPushAnswer,
    kept: (objectId: number, note: string) => void,
  ): number[] {
    const flight = this.#flight(team.service);
    if (flight?.seq !== seq) return [];
    const taken: number[] = [];
    const { service } = team;
    const refused = new Map(answer.refused);
    const apart = new Set(answer.kept.filter(([, field]) => field === 'note').map(([n]) => n));
    // The server has numbered what it took in its order.
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
      const objectId = this.#clear(service, change, due, { rev, sharesNotes }, apartFrom);
      if (objectId !== null) taken.push(objectId);
    }
    this.#rows('DELETE FROM team_flight WHERE service = ?', service);
    this.#table.setClient(service, team.client, seq, flight.tag);
    this.#table.set(service, 'push_max', Math.min(team.pushMax * 2, maxChanges));
    // In another epoch it says nothing of what was told before.
    const isOfEpoch = answer.epoch === undefined || answer.epoch === team.cursor?.epoch;
    if (isOfEpoch && refused.size < flight.changes.length)
      this.#table.addAnchor(service, answer.rev, flight.tag);
    return taken;
  }

  /** The server has written nothing. */
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

  /** Whether there is a push whose answer did not come. */
  mayHaveLeft(service: number): boolean {
    return this.#flight(service) !== null;
  }

  renewClient({ service }: StoredTeam): void {
    this.#rows('DELETE FROM team_flight WHERE service = ?', service);
    this.#table.setClient(service, randomUUID(), 0, null);
  }

  /** The server has forgotten what it was told after this number. What others have stored since is theirs to tell. */
  tellAgain({ service }: StoredTeam, commonRev: number): void {
    this.#tellAgain(service, 'pushed_rev > ?', commonRev);
  }

  /** The server has deleted them. They are told again when it takes them, and until then they do not leave this computer. */
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

  #gather(team: StoredTeam): { changes: string[]; due: number[] } {
    const { service, pushMax, secretsSince } = team;
    const ready = this.#rows<[number, number, string | null, string | null, ...LocalValues]>(
      `SELECT d.due, d.bits, d.note_base, d.facts, ${localColumns} FROM (
         SELECT id AS due, service AS of_service, kind AS of_kind, identifier AS named, bits, note_base, facts
         FROM team_due WHERE service = ? AND refused IS NULL AND (kind = ? OR ?)
       ) d
       JOIN service ON service.id = d.of_service
       LEFT JOIN object ON object.service = d.of_service AND object.kind = d.of_kind AND object.identifier = d.named
       WHERE ifnull(object.state, 0) NOT IN (?, ?) ORDER BY d.due LIMIT ?`,
      service,
      kindCode('data'),
      secretsSince === null ? 0 : 1,
      uploading,
      deleting,
      pushMax,
    );
    const changes: string[] = [];
    const due: number[] = [];
    let bytes = 0;
    for (const [id, bits, noteBase, facts, ...values] of ready) {
      const isListed = values[10] !== null;
      const text = facts ?? (isListed ? textOf(tell(toLocalRow(values), bits, noteBase)) : null);
      if (text === null) {
        this.#rows('DELETE FROM team_due WHERE id = ?', id);
        continue;
      }
      bytes += Buffer.byteLength(text);
      if (bytes > maxBytes && changes.length > 0) break;
      changes.push(text);
      due.push(id);
    }
    return { changes, due };
  }

  /**
   * Makes due what was stored here before joining: what the history says was uploaded, and of which nothing is somebody's word or was found
   * otherwise since.
   * @returns false: that was all
   */
  #shareEarlier(service: number): boolean {
    const [found] = this.#rows<[number | null]>('SELECT earlier_after FROM team WHERE service = ?', service);
    const after = found?.[0] ?? null;
    if (after === null) return false;
    const stretch = this.#rows<LocalValues>(
      `SELECT ${localColumns} FROM object NOT INDEXED CROSS JOIN service ON service.id = object.service
       WHERE object.id > ? AND service = ? AND ${isStoredHere}
       ORDER BY object.id LIMIT ?`,
      after,
      service,
      maxChanges,
    ).map(toLocalRow);
    for (const { record, incarnation } of stretch) {
      if (incarnation === null) this.#setIncarnation(record.id);
      const words = (record.note === '' ? 0 : dueBits.note) | (record.renewBy == null ? 0 : dueBits.renewBy);
      this.#outbox.note(record, words | dueBits.bytes | dueBits.presence);
    }
    const last = stretch.length < maxChanges ? null : (stretch.at(-1)?.record.id ?? null);
    this.#table.set(service, 'earlier_after', last);
    return true;
  }

  #setIncarnation(id: number): void {
    this.#rows('UPDATE object SET incarnation = ? WHERE id = ?', randomUUID(), id);
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

  #clear(
    service: number,
    change: Change,
    dueId: number,
    { rev, sharesNotes }: { rev: number; sharesNotes: boolean },
    kept: ((objectId: number, note: string) => void) | null,
  ): number | null {
    const [kind, identifier] = [kinds[change.kind] ?? 'data', change.identifier];
    const due = this.#team.due(service, kind, identifier);
    const isAsTold = due?.id === dueId;
    if (isAsTold) this.#rows('DELETE FROM team_due WHERE id = ?', dueId);
    // What was typed since goes on from what was told.
    else if (due !== null && change.note !== undefined && kept === null)
      this.#rows('UPDATE team_due SET note_base = ? WHERE id = ?', change.note, due.id);
    const local = this.#team.find(service, kind, identifier);
    if (local === null || change.forget === true) return null;
    // The server has these words from now on, also before they are read back. A row that was removed and added meanwhile never had them.
    const words = readWords(local.words);
    const { note, renewBy = null } = local.record;
    const typedSince = due?.bits ?? 0;
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
    if (kept !== null && isAsTold && change.note !== undefined) kept(local.record.id, change.note);
    return local.record.id;
  }
}

function textOf(change: Change | null): string | null {
  return change === null ? null : JSON.stringify(change);
}

function bitsOf({ incarnation, state, note, sets_renew: setsRenew }: Change): number {
  return (
    (incarnation === undefined ? 0 : dueBits.bytes) |
    (state === undefined ? 0 : dueBits.presence) |
    (note === undefined ? 0 : dueBits.note) |
    (setsRenew === true ? dueBits.renewBy : 0)
  );
}
