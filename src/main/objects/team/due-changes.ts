import { type Change, dueBits, type Outbox, tell } from './outbox.ts';
import { randomUUID } from 'node:crypto';
import type { Statements } from '../../database/statements.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { goneCode, kindCode, stateCode } from '../rows.ts';
import { localColumns, toLocalRow, type LocalRow, type LocalValues } from './team-rows.ts';
import { maxChanges, type StoredTeam, type TeamTable } from './team-table.ts';

/** The server takes 4 MiB, measured in the JSON that it writes itself, which is a little longer. */
const maxBytes = 3_500_000;

const [uploading, deleting] = [stateCode('uploading'), stateCode('deleting')];

/**
 * SQL for a row of `object`: this computer stored what the service has. Objects deleted since do not concern the team, and a history that
 * came with an import (all of it before `imported`) proves nothing.
 */
export const isStoredHere = `claimed = 0 AND stored_at_ms IS NOT NULL AND stored_by IS NULL AND state <> ${String(goneCode)}
  AND (sha256 IS NOT NULL OR kind = ${String(kindCode('secret'))})
  AND EXISTS (SELECT 1 FROM history WHERE history.object = object.id
    AND action IN ('uploaded', 'replaced', 'reclassified', 'moved')
    AND history.id > ifnull((SELECT max(id) FROM history i WHERE i.object = object.id AND i.action = 'imported'), 0))`;

/** Changes as JSON, and the ids of their rows in `team_due`, in the same order. */
interface Gathered {
  readonly changes: readonly string[];
  readonly due: readonly number[];
}

/** Collects the changes that are due. Must run within transactions of the writer. */
export class DueChanges {
  readonly #rows: Statements['rows'];
  readonly #table: TeamTable;
  readonly #writer: ObjectWriter;
  readonly #outbox: Outbox;

  constructor({ rows }: Statements, table: TeamTable, writer: ObjectWriter, outbox: Outbox) {
    this.#outbox = outbox;
    this.#rows = rows;
    this.#table = table;
    this.#writer = writer;
  }

  /**
   * As many changes as fit into a push; empty: nothing is due.
   * @param presentMs by the server's clock
   */
  next(team: StoredTeam, presentMs: number): Gathered {
    for (;;) {
      const gathered = this.#gather(team, presentMs);
      if (gathered.changes.length > 0 || !this.#shareEarlier(team.service)) return gathered;
    }
  }

  #gather(team: StoredTeam, presentMs: number): Gathered {
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
      const local = isListed ? this.#setBack(toLocalRow(values), bits, presentMs) : null;
      const text = facts ?? (local && textOf(tell(local, bits, noteBase)));
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
   * The server sets future moments back to its present. If they stayed later here, this list would contradict everyone
   * who looks before they have passed.
   */
  #setBack(local: LocalRow, bits: number, presentMs: number): LocalRow {
    const { checkedAtMs, storedAtMs } = local.record;
    const isTold = (bits & (dueBits.bytes | dueBits.presence)) !== 0;
    if (!isTold || Math.max(checkedAtMs ?? 0, storedAtMs ?? 0) <= presentMs) return local;
    const record = {
      ...local.record,
      checkedAtMs: checkedAtMs && Math.min(checkedAtMs, presentMs),
      storedAtMs: storedAtMs && Math.min(storedAtMs, presentMs),
    };
    this.#writer.rows.update(record);
    this.#writer.noteSaved([{ record, textChanged: false }]);
    return { ...local, record };
  }

  /**
   * Marks as due what was stored here before joining: objects whose history says so, without an unverified fact, and not
   * found to be different since.
   * @returns false: none are left
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
}

function textOf(change: Change | null): string | null {
  return change === null ? null : JSON.stringify(change);
}
