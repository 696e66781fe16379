import { deepEqual, ok } from 'node:assert/strict';
import type { LocalStores } from '../../../../src/main/storage/local-stores.ts';
import type { Which } from '../../../../src/main/transfers/model/store-types.ts';
import { serviceIds, type Command, type GivenWhich } from './commands.ts';
import type { Effect } from './effects.ts';
import { newTransferOf } from './given.ts';
import * as laws from './laws.ts';
import { checkEnqueued, checkTaken, isSecretTaken } from './new-laws.ts';
import { checkRestarted, dropEffect, inVain } from './retry-laws.ts';
import { groupOf, rowNamed, type Snapshot } from './snapshot.ts';

/** What a command asks of a store, and what it then may have changed. Checks what can be said of the answer. */
export interface Promised {
  readonly ask: (stores: LocalStores) => Promise<unknown>;
  readonly effect: (after: Snapshot, answer: unknown) => Effect;
}

function promised<T>(
  ask: (stores: LocalStores) => Promise<T>,
  effect: (after: Snapshot, answer: T) => Effect,
): Promised {
  return { ask, effect: (after, answer) => effect(after, answer as T) };
}

/** The answer is how many records it concerns. */
function counted(effect: Effect, answer: number): Effect {
  deepEqual(answer, (effect.gone ?? effect.records)?.size);
  return effect;
}

export function promiseOf(before: Snapshot, step: Exclude<Command, { do: 'apply' }>): Promised {
  switch (step.do) {
    case 'enqueue':
      return enqueued(before, step);
    case 'claim': {
      const { do: _, ...wish } = step;
      return promised(
        async ({ transfers }) => (await transfers.claim(wish)).map(({ id }) => id),
        (after, taken) => laws.checkClaim(before, after, wish, taken),
      );
    }
    case 'unclaim': {
      const ids = idsAt(before, step.picks);
      return promised(
        ({ transfers }) => transfers.unclaim(ids),
        (after) => laws.unclaimEffect(before, after, ids),
      );
    }
    case 'cancel':
    case 'drop':
    case 'pause':
    case 'retryNow':
    case 'setPriority':
    case 'retry':
      return ofMany(before, step, whichOf(before, step.which));
    case 'editAndRetry':
      return edited(before, step);
    case 'move': {
      const target =
        typeof step.before === 'number' ? (idsAt(before, [step.before])[0] ?? 'top') : step.before;
      const ids = idsAt(before, step.picks);
      return promised(
        ({ transfers }) => transfers.reorder(ids, target),
        (after) => laws.checkMove(before, after, ids, target),
      );
    }
    case 'answer': {
      const ids = typeof step.ids === 'string' ? step.ids : idsAt(before, step.ids);
      return promised(
        ({ transfers }) => transfers.answer(step.serviceId, ids, step.answer),
        () => laws.answerEffect(before, step.serviceId, ids, step.answer),
      );
    }
    case 'clear':
      return promised(
        ({ transfers }) => transfers.clear(step.tab, step.group),
        () => laws.clearEffect(before, laws.isListed(step.tab, step.group)),
      );
    case 'clearBatch':
      return promised(
        ({ transfers }) => transfers.clearBatch(step.batch),
        () => laws.clearEffect(before, (record) => record.batch === step.batch && groupOf(record) === 'done'),
      );
    case 'trim': {
      const sinceMs = before.nowMs - step.agoMs;
      return promised(
        ({ transfers }) => transfers.trim(step.most, sinceMs),
        () => laws.trimEffect(before, step.most, sinceMs),
      );
    }
    case 'update':
    case 'remove': {
      const [row] = before.rows.slice(step.pick % Math.max(1, before.rows.length));
      if (!row) return nothing;
      if (step.do === 'remove')
        return promised(
          ({ catalogue }) => catalogue.remove([row.id]),
          () => ({ rows: new Map([[row.id, null]]) }),
        );
      const patch = { state: step.state, note: step.note };
      return promised(
        ({ catalogue }) => catalogue.update([{ id: row.id, patch }]),
        () => ({ rows: new Map([[row.id, patch]]) }),
      );
    }
    case 'takeIdentifier': {
      const [id = 0] = idsAt(before, [step.pick]);
      return promised(
        ({ transfers }) => transfers.takeIdentifier(id, step.identifier, step.former),
        (after, taken) => checkTaken(before, after, id, step.identifier, taken),
      );
    }
    case 'takeVersion': {
      const [id = 0] = idsAt(before, [step.pick]);
      const record = before.entries.find((entry) => entry.record.id === id)?.record;
      const known = record && rowNamed(before, record, step.identifier);
      return promised(
        async ({ transfers }) => {
          const [row] = known ? await transfers.rows([known.id]) : [];
          const epoch = row ? row.epoch - (step.isLate ? 1 : 0) : null;
          return transfers.takeVersion(id, step.identifier, epoch);
        },
        (after, taken) => checkTaken(before, after, id, step.identifier, taken),
      );
    }
    case 'removeService':
      return promised(
        ({ transfers }) => transfers.removeService(step.serviceId),
        (after) => laws.removeServiceEffect(before, after, step.serviceId),
      );
    case 'reopen':
    case 'settle':
    case 'tick':
      return nothing;
  }
}

const nothing = promised(
  () => Promise.resolve(),
  () => ({}),
);

type Step<Name> = Extract<Command, { do: Name }>;

/** @param step a command for a selection that may be large */
function ofMany(
  before: Snapshot,
  step: Step<'cancel' | 'drop' | 'pause' | 'retryNow' | 'setPriority' | 'retry'>,
  which: Which,
): Promised {
  switch (step.do) {
    case 'cancel':
      return promised(
        ({ transfers }) => transfers.cancel(which),
        (after, count) => counted(laws.cancelEffect(before, after, which), count),
      );
    case 'drop':
      return promised(
        ({ transfers }) => transfers.drop(which),
        (after, count) => counted(dropEffect(before, after, which), count),
      );
    case 'pause':
      return promised(
        ({ transfers }) => transfers.pause(which, step.isPaused),
        () => laws.pauseEffect(before, which, step.isPaused),
      );
    case 'retryNow':
      return promised(
        ({ transfers }) => transfers.retryNow(which),
        () => laws.retryNowEffect(before, which),
      );
    case 'setPriority':
      return promised(
        async ({ transfers }) => {
          await transfers.setPriority(which, step.priority);
          // It takes effect only once applied.
          await transfers.settled();
        },
        () => laws.priorityEffect(before, which, step.priority),
      );
    case 'retry': {
      const origins = originsOf(step.origin);
      return promised(
        ({ transfers }) => transfers.retry(which, origins),
        (after, count) => {
          const again = inVain(before, which);
          // The counters of many do not tell secrets, which cannot be retried.
          if (which.kind === 'ids') deepEqual(count, again.length);
          else ok(count >= again.length);
          return checkRestarted(before, after, again, origins);
        },
      );
    }
  }
}

function enqueued(before: Snapshot, step: Step<'enqueue'>): Promised {
  const { serviceId } = step;
  const given = step.given.map((each) => {
    const object = before.rows[each.object % Math.max(1, before.rows.length)];
    return newTransferOf(serviceId, each, object, before.nowMs);
  });
  const newest = Math.max(0, ...before.entries.map(({ record }) => record.batch ?? 0));
  // A batch is of one service.
  const isForeign = before.entries.some(
    ({ record }) => record.batch === newest && record.serviceId !== serviceId,
  );
  const last = newest === 0 || isForeign ? null : newest;
  return promised(
    async ({ transfers }) => {
      const id = step.batch === 'new' ? await transfers.newBatch() : step.batch && last;
      const batch = id === null ? undefined : ({ id, action: 'upload' } as const);
      const added = transfers.enqueue(serviceId, given, batch);
      return { batch: id, added: await added.catch((error: unknown) => (error as Error).message) };
    },
    (after, { batch, added }) => {
      deepEqual(added === 'exists', isSecretTaken(before, given));
      return typeof added === 'string' ? {} : checkEnqueued(before, after, given, added, batch);
    },
  );
}

function edited(before: Snapshot, { pick, change, origin }: Step<'editAndRetry'>): Promised {
  const [id = 0] = idsAt(before, [pick]);
  const again = inVain(before, { kind: 'ids', ids: [id] }).filter(
    ({ record }) => record.work.kind === 'upload',
  );
  const origins = originsOf(origin);
  return promised(
    ({ transfers }) => transfers.editAndRetry(id, change, origins),
    (after, isRetried) => {
      deepEqual(isRetried, again.length > 0);
      return isRetried ? checkRestarted(before, after, again, origins, change) : {};
    },
  );
}

/** @param origin of the first service; null: unknown */
function originsOf(origin: string | null): Map<string, string> {
  return new Map(origin === null ? [] : [[serviceIds[0] ?? '', origin]]);
}

function whichOf(before: Snapshot, which: GivenWhich): Which {
  return which.kind === 'picks' ? { kind: 'ids', ids: idsAt(before, which.picks) } : which;
}

function idsAt({ entries }: Snapshot, picks: readonly number[]): number[] {
  return picks.flatMap((pick) => entries[pick % Math.max(1, entries.length)]?.record.id ?? []);
}
