import { kindCode, stateCode } from '../../catalogue/rows.ts';
import { leftMs } from '../../clock.ts';
import { maxDelayMs } from '../back-off.ts';
import type { State, TransferRecord } from '../record.ts';
import type { ClaimWish, Lane } from '../store-types.ts';
import { directionCodes, laneCodes, priorityCodes, stateCodes } from './codes.ts';
import type { RowChanges } from './row-changes.ts';
import { isHeldBack, type Sweeps } from './sweeps.ts';
import { turnOf, type StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

const [upload, deletion] = [directionCodes.code('upload'), directionCodes.code('delete')];
/** Whose next try is due; more wait for the next claim, so that this one is quick. */
const mostDue = 1000;

/** An upload waits for deletions of its identifier that have begun, or that were asked for before it. */
const waitsForDeletion = `t.direction = ${String(upload)} AND t.kind = ${String(kindCode('data'))} AND (
  EXISTS (SELECT 1 FROM object o WHERE o.profile = t.profile AND o.kind = t.kind AND o.identifier = t.identifier
    AND o.state = ${String(stateCode('deleting'))} AND o.writer IS NOT NULL)
  OR EXISTS (SELECT 1 FROM transfer d WHERE d.profile = t.profile AND d.identifier = t.identifier
    AND d.direction = ${String(deletion)} AND d.finished_at_ms IS NULL AND d.origin = t.origin
    AND (d.id < t.id OR d.claimed = 1)))`;
/** A deletion waits for whoever writes its row, and for uploads of its identifier that are in work. */
const waitsForUpload = `t.direction = ${String(deletion)} AND (
  EXISTS (SELECT 1 FROM object o WHERE o.id = t.object AND o.writer IS NOT NULL)
  OR EXISTS (SELECT 1 FROM transfer u WHERE u.profile = t.profile AND u.identifier = t.identifier
    AND u.claimed = 1 AND u.direction = ${String(upload)} AND u.kind = t.kind))`;
/** An upload waits while another replaces what is under its identifier, and is the writer of its row. */
const waitsForReplace = `t.direction = ${String(upload)} AND EXISTS (
  SELECT 1 FROM transfer r WHERE r.profile = t.profile AND r.identifier = t.identifier AND r.claimed = 1
    AND r.state = ${String(stateCodes.code('replacing'))} AND r.kind = t.kind AND r.id <> t.id
    AND EXISTS (SELECT 1 FROM object o WHERE o.id = r.object AND o.writer = r.id))`;
const claimable = `t.profile = ? AND t.lane = ? AND t.turn = 0 AND t.origin = ? AND t.priority <= ?
  AND NOT ${isHeldBack} AND NOT (${waitsForDeletion}) AND NOT (${waitsForUpload})
  AND NOT (${waitsForReplace})
  ORDER BY t.priority, t.order_key, t.id LIMIT ?`;

/** Which records are in work. */
export class Claiming {
  readonly #table: TransferTable;
  readonly #sweeps: Sweeps;
  readonly #changes: RowChanges;
  readonly #nowMs: () => number;

  constructor(table: TransferTable, sweeps: Sweeps, changes: RowChanges, nowMs: () => number) {
    this.#table = table;
    this.#sweeps = sweeps;
    this.#changes = changes;
    this.#nowMs = nowMs;
  }

  claim(profile: number, wish: ClaimWish): StoredTransfer[] {
    const { lane, limit, includesIdle, origin, ids } = wish;
    if (ids) return this.#table.transaction(() => this.#takeNamed(ids, profile, origin));
    if (this.#sweeps.holdsBackAll(profile)) return [];
    return this.#table.transaction(() => {
      this.#wakeDue(profile, lane);
      this.#sweeps.settleFront(profile, lane);
      const originNumber = this.#table.originNumber(origin);
      const mostIdle = priorityCodes.code(includesIdle ? 'whenIdle' : 'normal');
      const claimed: StoredTransfer[] = [];
      for (;;) {
        const found = this.#table.find(
          claimable,
          profile,
          laneCodes.code(lane),
          originNumber,
          mostIdle,
          limit - claimed.length,
        );
        if (found.length === 0) return claimed;
        for (const stored of found) {
          const taken = this.#take(stored);
          if (taken !== null) claimed.push(taken);
        }
        if (claimed.length >= limit) return claimed;
      }
    });
  }

  /** A person waits for these: whatever else holds them back does not count, but for a cancel. */
  #takeNamed(ids: readonly number[], profile: number, origin: string): StoredTransfer[] {
    return ids.flatMap((id) => {
      const found = this.#table.get(id);
      if (found?.profile !== profile || found.record.origin !== origin) return [];
      const stored = this.#sweeps.settle(found);
      return (turnOf(stored) !== null && this.#take(stored)) || [];
    });
  }

  unclaim(ids: readonly number[]): void {
    this.#table.transaction(() => {
      for (const id of ids) {
        const before = this.#table.get(id);
        if (!before?.isClaimed) continue;
        if (before.record.state.name === 'deleting') this.#putRowBack(before);
        this.#table.save(before, {
          ...before,
          isClaimed: false,
          sweep: this.#sweeps.stamp(before.profile),
          rowBefore: null,
          record: { ...before.record, state: { name: 'waiting' } },
        });
      }
    });
  }

  interrupted(): StoredTransfer[] {
    return this.#table.find('t.claimed = 1 ORDER BY t.id');
  }

  /** When the first of all profiles is due, not before now, ms; null: none waits for a next try. */
  nextDueMs(): number | null {
    const nowMs = this.#nowMs();
    const retries = 'FROM transfer t WHERE t.profile = profile.id AND t.turn = 1';
    const dues = this.#table.rows<[number | null, number | null]>(
      `SELECT (SELECT min(next_at_ms) ${retries}), (SELECT max(next_at_ms) ${retries}) FROM profile`,
    );
    const lefts = dues.flat().flatMap((atMs) => (atMs === null ? [] : leftMs(atMs, nowMs, maxDelayMs)));
    return lefts.length === 0 ? null : nowMs + Math.min(...lefts);
  }

  /** Those whose next try is due, as `leftMs` says, have their turn like all others. */
  #wakeDue(profile: number, lane: Lane): void {
    const nowMs = this.#nowMs();
    const due = this.#table.find(
      `t.profile = ? AND t.turn = 1 AND t.lane = ? AND (t.next_at_ms <= ? OR t.next_at_ms > ?)
       ORDER BY t.next_at_ms LIMIT ?`,
      profile,
      laneCodes.code(lane),
      nowMs,
      nowMs + maxDelayMs,
      mostDue,
    );
    for (const stored of due) this.#table.saveRecord(this.#sweeps.settle(stored), { nextAtMs: null });
  }

  /** null: it is a deletion whose row is not there to be deleted, and has failed. */
  #take(stored: StoredTransfer): StoredTransfer | null {
    const { record } = stored;
    const claimed = { ...stored, isClaimed: true };
    if (record.direction !== 'delete') {
      const state = stateOfBegun(record);
      return this.#table.save(stored, { ...claimed, record: { ...record, state } });
    }
    const { held, rowBefore } = this.#changes.apply({ kind: 'deleting' }, stored);
    if (held) {
      const state: State = { name: 'deleting', isAnswered: false, looks: 0 };
      return this.#table.save(stored, { ...claimed, rowBefore, record: { ...record, state } });
    }
    const error = { code: 'notFound', what: 'object' } as const;
    this.#table.saveRecord(stored, { state: { name: 'failed', error }, finishedAtMs: this.#nowMs() });
    return null;
  }

  #putRowBack(stored: StoredTransfer): void {
    const history = { action: 'deleteFailed', detail: 'cancelled' } as const;
    this.#changes.apply({ kind: 'deleted', state: null, history }, stored);
  }
}

function stateOfBegun({ work, route, direction, origin, state }: TransferRecord): State {
  if (work.kind === 'upload' && work.replace) return { name: 'replacing', looks: 0, absences: 0 };
  if (work.kind === 'upload' && (work.numberedFor ?? origin) !== origin)
    return { name: 'numbering', awaits: null, looks: 0 };
  if (route === 'deferred') return state;
  return direction === 'upload' ? { name: 'sending' } : { name: 'receiving', partPath: null, deferred: null };
}
