import { deepEqual } from 'node:assert/strict';
import type { Applied, Transition } from '../../../../src/main/transfers/model/transition.ts';
import { serviceIds, type Command, type GivenTransition } from './commands.ts';
import { checkEffect, checkInvariants, type Effect } from './effects.ts';
import { rowChangeOf } from './given.ts';
import { transitionEffect } from './laws.ts';
import { promiseOf } from './promises.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { openStores } from './stores.ts';
import { checkAtOnce, checkViews, type Tally } from './views.ts';

type Opened = Awaited<ReturnType<typeof openStores>>;

/** Commands whose answer, or effect, depends on bulk changes having been applied to each record. */
const afterBulkChanges = new Set<Command['do']>([
  'enqueue',
  'retry',
  'editAndRetry',
  'drop',
  'retryNow',
  'move',
  'clear',
  'clearBatch',
  'trim',
  'update',
  'remove',
  'takeIdentifier',
  'takeVersion',
]);

/**
 * Two stores that get the same commands. One applies each bulk change, and each of several transitions, before the next command, and
 * its contents before and after are compared with what the command may change. The other goes on at once, is closed and opened again,
 * and must answer and show the same.
 */
export class Twins {
  #nowMs = 1_800_000_000_000;
  readonly #patient: Opened;
  readonly #hasty: Opened;
  readonly #trimmed: Tally = new Map();

  private constructor(patient: Opened, hasty: Opened, clock: { nowMs: () => number }) {
    this.#patient = patient;
    this.#hasty = hasty;
    clock.nowMs = () => this.#nowMs;
  }

  static async open(): Promise<Twins> {
    const clock = { nowMs: () => 0 };
    const open = () => openStores(serviceIds, () => clock.nowMs());
    return new Twins(await open(), await open(), clock);
  }

  close(): void {
    this.#patient[Symbol.dispose]();
    this.#hasty[Symbol.dispose]();
  }

  /** What the window shows must be right at once, the rest once bulk changes have been applied. */
  async check(): Promise<void> {
    const { transfers } = this.#hasty.stores;
    const now = await this.#read();
    await checkAtOnce(transfers, now);
    await transfers.settled();
    const later = await readSnapshot(this.#hasty.db, transfers, this.#nowMs);
    checkEffect(now, later, {});
    await checkViews(this.#hasty.db, transfers, now, this.#trimmed);
  }

  async run(step: Command): Promise<void> {
    if (step.do === 'tick') this.#nowMs += step.ms;
    if (step.do === 'reopen') for (const opened of [this.#patient, this.#hasty]) opened.reopen();
    const isDelete = step.do === 'claim' && step.queue === 'delete';
    const changesRows = step.do === 'apply' && step.changes.some(({ row }) => row !== null);
    if (afterBulkChanges.has(step.do) || isDelete || changesRows || step.do === 'settle')
      await this.#hasty.stores.transfers.settled();
    const before = await this.#read();
    if (step.do === 'apply') await this.#apply(before, step.changes);
    else {
      const { ask, effect } = promiseOf(before, step);
      const answer = await ask(this.#patient.stores);
      deepEqual(await ask(this.#hasty.stores), answer);
      const after = await this.#read();
      const promised = effect(after, answer);
      this.#count(before, step, promised);
      checkEffect(before, after, promised);
    }
    checkInvariants(await this.#read());
  }

  /** One transition after the other does what all do together. */
  async #apply(before: Snapshot, changes: readonly GivenTransition[]): Promise<void> {
    const each = await Promise.all(changes.map((change) => transitionOf(this.#patient, before, change)));
    const all = await Promise.all(changes.map((change) => transitionOf(this.#hasty, before, change)));
    const applied: Applied[] = [];
    for (const transition of each) {
      const earlier = await this.#read();
      applied.push(...(await this.#patient.stores.transfers.apply([transition])));
      const after = await this.#read();
      checkEffect(earlier, after, transitionEffect(earlier, after, transition));
    }
    deepEqual(await this.#hasty.stores.transfers.apply(all), applied);
  }

  async #read(): Promise<Snapshot> {
    await this.#patient.stores.transfers.settled();
    return readSnapshot(this.#patient.db, this.#patient.stores.transfers, this.#nowMs);
  }

  /** A batch goes on counting what the history drops by itself, until a person clears it. */
  #count({ entries }: Snapshot, step: Command, { gone }: Effect): void {
    if (step.do === 'clear' && step.tab === 'transfers' && step.group === 'done') this.#trimmed.clear();
    if (step.do === 'clearBatch') this.#trimmed.delete(step.batch);
    if (step.do !== 'trim') return;
    for (const { record } of entries) {
      const { batch, state, totalBytes } = record;
      if (batch === undefined || !gone?.has(record.id)) continue;
      const sums = this.#trimmed.get(batch) ?? { done: 0, cancelled: 0, doneBytes: 0 };
      this.#trimmed.set(batch, sums);
      const isDone = state.name === 'done';
      sums[isDone ? 'done' : 'cancelled'] += 1;
      sums.doneBytes += isDone ? (totalBytes ?? 0) : 0;
    }
  }
}

async function transitionOf(
  { stores }: Opened,
  { entries, nowMs }: Snapshot,
  each: GivenTransition,
): Promise<Transition> {
  // Only claimed records, as the runner changes no others.
  const claimed = entries.filter((entry) => entry.claimed).map(({ record }) => record);
  const record = claimed[each.pick % Math.max(1, claimed.length)];
  const { nextDelayMs, ...change } = each.change;
  const [row] = await stores.transfers.rows([record?.objectId ?? 0]);
  const epochOf = (isLate: boolean) => (row?.epoch ?? 0) - (isLate ? 1 : 0);
  return {
    id: record?.id ?? 0,
    change: { ...change, ...(nextDelayMs !== undefined && { nextAtMs: nextDelayMs && nowMs + nextDelayMs }) },
    keepsClaim: each.keepsClaim,
    ...(each.row && { row: rowChangeOf(each.row, epochOf) }),
  };
}
