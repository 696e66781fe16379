import type { Answer } from '../../../shared/domain/profile.ts';
import type { Priority } from '../../../shared/domain/transfer.ts';
import type { TransferRecord } from '../record.ts';
import { statesWhere, traitsOf } from '../state-traits.ts';
import type { Mending, Which } from '../store-types.ts';
import { groupCodes, stateCodes } from './codes.ts';
import type { Entering } from './entering.ts';
import { moveInOrder } from './moving.ts';
import type { Selecting, WhichMany } from './selecting.ts';
import type { Sweeps } from './sweeps.ts';
import { turnOf, type StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

const needsYou = String(groupCodes.code('needsYou'));
const failedStates = statesWhere(({ life }) => life === 'failed').map((name) => stateCodes.code(name));

/** Trying again all that have failed takes less, however many they are. */
const longestRetryMs = 600_000;

/** What a person asks of records that are not in work. */
export class Actions {
  readonly #table: TransferTable;
  readonly #sweeps: Sweeps;
  readonly #entering: Entering;
  readonly #selecting: Selecting;
  readonly #nowMs: () => number;

  constructor(
    table: TransferTable,
    sweeps: Sweeps,
    entering: Entering,
    selecting: Selecting,
    nowMs: () => number,
  ) {
    this.#table = table;
    this.#sweeps = sweeps;
    this.#entering = entering;
    this.#selecting = selecting;
    this.#nowMs = nowMs;
  }

  async cancel(which: Which): Promise<number> {
    if (which.kind === 'all' || which.kind === 'profile') return this.#sweep('cancel', which);
    const atMs = this.#nowMs();
    return this.#selecting.each(which, 't.turn IS NOT NULL', (stored) => {
      if (turnOf(stored) === null) return false;
      this.#sweeps.cancel(stored, atMs);
      return true;
    });
  }

  async pause(which: Which, isPaused: boolean): Promise<number> {
    if (which.kind === 'all' || which.kind === 'profile') {
      return this.#sweep(isPaused ? 'pause' : 'resume', which);
    }
    return this.#selecting.each(which, `t.turn < 3 AND t.paused = ${isPaused ? '0' : '1'}`, (stored) => {
      if (!isWaiting(stored)) return false;
      this.#table.saveRecord(stored, { isPaused });
      return true;
    });
  }

  async hurry(which: Which): Promise<number> {
    return this.#selecting.each(which, 't.turn = 1', (stored) => {
      if (turnOf(stored) !== 'retry') return false;
      this.#table.saveRecord(stored, { nextAtMs: null });
      return true;
    });
  }

  async retry(which: Which, origins: ReadonlyMap<string, string>): Promise<number> {
    // What fails again meanwhile has had its new chance. What failed later than that did so while the clock was ahead.
    const nowMs = this.#nowMs();
    const condition = `t.grp >= 2 AND t.grp = ${needsYou} AND t.state IN (${failedStates.join()}) AND t.kind = 0
      AND t.finished_at_ms NOT BETWEEN ${String(nowMs + 1)} AND ${String(nowMs + longestRetryMs)}`;
    return this.#selecting.each(which, condition, (stored) => {
      if (!isInVain(stored)) return false;
      const { profileId, origin } = stored.record;
      this.#entering.beginAgain(stored, origins.get(profileId) ?? origin);
      return true;
    });
  }

  async mend(id: number, change: Mending, origins: ReadonlyMap<string, string>): Promise<boolean> {
    return this.#table.transaction(() => {
      const stored = this.#selecting.load(id);
      if (stored === null || !isInVain(stored) || stored.record.work.kind !== 'upload') return false;
      const { profileId, origin } = stored.record;
      this.#entering.beginAgain(stored, origins.get(profileId) ?? origin, change);
      return true;
    });
  }

  async drop(which: Which): Promise<number> {
    const condition = `t.grp >= 2 AND t.grp = ${needsYou} AND t.state IN (${failedStates.join()}) AND t.kind = 0`;
    return this.#selecting.each(which, condition, (stored) => {
      if (!isInVain(stored)) return false;
      this.#entering.forgetRow(stored.record);
      this.#table.remove(stored);
      return true;
    });
  }

  /** `all` means those too that have not asked yet. */
  async answer(profileId: string, ids: readonly number[] | 'all', answer: Answer): Promise<void> {
    const work = (stored: StoredTransfer) => this.#answerOne(stored, profileId, answer);
    if (ids !== 'all') {
      await this.#selecting.each({ kind: 'ids', ids }, '', (stored) => isAsking(stored) && work(stored));
      return;
    }
    await this.#selecting.each({ kind: 'profile', profileId }, 't.turn = 3', work);
    await this.#selecting.throughAll(profileId, 't.turn IS NOT NULL AND t.direction = 0', work);
  }

  async setPriority(ids: readonly number[], priority: Priority): Promise<void> {
    await this.#selecting.each({ kind: 'ids', ids }, '', (stored) => {
      if (turnOf(stored) === null) return false;
      this.#table.saveRecord(stored, { priority });
      return true;
    });
  }

  async move(ids: readonly number[], before: number | 'top' | null): Promise<void> {
    this.#table.transaction(() => {
      const load = (id: number) => {
        const stored = this.#selecting.load(id);
        return stored !== null && turnOf(stored) !== null ? stored : null;
      };
      moveInOrder(this.#table, load, ids, before);
    });
  }

  async #sweep(action: 'cancel' | 'pause' | 'resume', which: WhichMany): Promise<number> {
    await this.#table.counts.ready;
    const tab = which.kind === 'all' ? (which.tab ?? null) : null;
    return this.#sweeps.begin(action, this.#selecting.profilesOf(which), tab, this.#nowMs());
  }

  #answerOne(stored: StoredTransfer, profileId: string, answer: Answer): boolean {
    const { record } = stored;
    const { work } = record;
    if (turnOf(stored) === null || record.profileId !== profileId || work.kind !== 'upload') return false;
    if (!isAsking(stored) && work.ifExists !== 'ask') return false;
    const agreed = answer === 'replace' ? agreedOf(record) : undefined;
    const answered = { ...work, ifExists: answer, ...(agreed && { agreed }) };
    const change = { work: answered, state: { name: 'waiting' } } as const;
    const sweep = isAsking(stored) ? this.#sweeps.stamp(stored.profile) : stored.sweep;
    this.#table.save(stored, { ...stored, sweep, record: { ...record, ...change } });
    return true;
  }
}

/** What they saw, and said that it may be replaced. */
function agreedOf({
  state,
}: TransferRecord): { lengthBytes: number | null; sha256: string | null } | undefined {
  if (state.name !== 'asking') return undefined;
  if (state.there) return { lengthBytes: state.there.lengthBytes, sha256: state.there.sha256 };
  return { lengthBytes: state.seen.present ? state.seen.lengthBytes : null, sha256: null };
}

/** It ended without what it was for, and can begin again. */
function isInVain({ record }: StoredTransfer): boolean {
  const { kind, direction, state } = record;
  return traitsOf(state).isRetryable === true && kind === 'data' && direction !== 'delete';
}

function isAsking(stored: StoredTransfer): boolean {
  return turnOf(stored) === 'answer';
}

function isWaiting(stored: StoredTransfer): boolean {
  return turnOf(stored) !== null && !isAsking(stored);
}
