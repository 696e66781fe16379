import { deepEqual, rejects } from 'node:assert/strict';
import type { Transition } from '../../../../src/main/transfers/model/transition.ts';
import type { Which } from '../../../../src/main/transfers/model/store-types.ts';
import { serviceIds, type Command, type GivenTransition, type GivenWhich } from './commands.ts';
import { Model } from './model.ts';
import { newTransferOf, rowChangeOf } from './given.ts';
import { groupOf } from './model-entry.ts';
import { openStores } from './stores.ts';

/** The store and the model side by side. */
export class Pair {
  readonly model = new Model();
  #lastBatch = 0;
  readonly opened: Awaited<ReturnType<typeof openStores>>;

  private constructor(opened: (model: Model) => Awaited<ReturnType<typeof openStores>>) {
    this.opened = opened(this.model);
  }

  static async open(): Promise<Pair> {
    const clock = { model: null as Model | null };
    const opened = await openStores(serviceIds, () => clock.model?.nowMs ?? 0);
    return new Pair((model) => {
      clock.model = model;
      return opened;
    });
  }

  get store() {
    return this.opened.stores.transfers;
  }

  close(): void {
    this.opened[Symbol.dispose]();
  }

  async run(step: Command): Promise<void> {
    const { model } = this;
    const store = this.store;
    switch (step.do) {
      case 'enqueue':
        return this.#enqueue(step);
      case 'claim': {
        const { do: _, ...wish } = step;
        // A deletion waits for the writer of its row until the writer's cancellation was applied.
        if (wish.queue === 'delete') await store.settled();
        const claimed = await store.claim(wish);
        deepEqual(
          claimed.map(({ id }) => id),
          model.claim(wish),
        );
        return;
      }
      case 'apply': {
        const transitions = await Promise.all(step.changes.map((each) => this.#transition(each)));
        const applied = await store.apply(transitions);
        const expected = [];
        for (const transition of transitions) {
          const [record] = await store.getMany([transition.id]);
          expected.push(model.apply(transition, record?.objectId ?? null));
        }
        deepEqual(applied, expected);
        return;
      }
      case 'unclaim': {
        const ids = this.#ids(step.picks);
        await store.unclaim(ids);
        model.unclaim(ids);
        return;
      }
      case 'cancel': {
        const meant = this.#which(step.which);
        deepEqual(await store.cancel(meant), model.cancel(meant));
        return;
      }
      case 'retry':
        return this.#retry(this.#which(step.which), step.origin);
      case 'editAndRetry':
        return this.#editAndRetry(step);
      case 'drop': {
        await store.settled();
        const meant = this.#which(step.which);
        deepEqual(await store.drop(meant), model.drop(meant));
        return;
      }
      case 'pause': {
        const meant = this.#which(step.which);
        await store.pause(meant, step.isPaused);
        model.pause(meant, step.isPaused);
        return;
      }
      case 'retryNow': {
        const meant = this.#which(step.which);
        await store.settled();
        await store.retryNow(meant);
        model.retryNow(meant);
        return;
      }
      case 'move': {
        const before = typeof step.before === 'number' ? (this.#ids([step.before])[0] ?? 'top') : step.before;
        const ids = this.#ids(step.picks);
        await store.settled();
        await store.move(ids, before);
        model.move(ids, before);
        return;
      }
      case 'setPriority': {
        const meant = this.#which(step.which);
        await store.setPriority(meant, step.priority);
        await store.settled();
        model.setPriority(meant, step.priority);
        return;
      }
      case 'answer': {
        const ids = typeof step.ids === 'string' ? step.ids : this.#ids(step.ids);
        await store.answer(step.serviceId, ids, step.answer);
        model.answer(step.serviceId, ids, step.answer);
        return;
      }
      case 'clear':
        await store.settled();
        await store.clear(step.tab, step.group);
        model.clear(step.tab, step.group);
        return;
      case 'clearBatch':
        await store.settled();
        await store.clearBatch(step.batch);
        model.clearBatch(step.batch);
        return;
      case 'trim':
        await store.settled();
        await store.trim(step.most, model.nowMs - step.agoMs);
        model.trim(step.most, model.nowMs - step.agoMs);
        return;
      case 'update': {
        await store.settled();
        const row = this.#row(step.pick);
        if (!row) return;
        await this.opened.stores.catalogue.update([
          { id: row.id, patch: { state: step.state, note: step.note } },
        ]);
        model.rows.change(row, { state: step.state, note: step.note });
        return;
      }
      case 'remove': {
        await store.settled();
        const row = this.#row(step.pick);
        if (!row) return;
        await this.opened.stores.catalogue.remove([row.id]);
        model.rows.all = model.rows.all.filter(({ id }) => id !== row.id);
        return;
      }
      case 'takeIdentifier': {
        await store.settled();
        const [id = 0] = this.#ids([step.pick]);
        const taken = await store.takeIdentifier(id, step.identifier, step.former);
        const objectId = taken?.objectId ?? 0;
        deepEqual(taken !== null, model.takeIdentifier(id, step.identifier, step.former, objectId));
        return;
      }
      case 'takeVersion': {
        await store.settled();
        const [id = 0] = this.#ids([step.pick]);
        const known = model.rowNamed(id, step.identifier);
        const [row] = known ? await store.rows([known.id]) : [];
        const epoch = row ? row.epoch - (step.isLate ? 1 : 0) : null;
        const taken = await store.takeVersion(id, step.identifier, epoch);
        deepEqual(taken, model.takeVersion(id, step.identifier, taken?.objectId ?? 0, step.isLate));
        return;
      }
      case 'removeService':
        await store.removeService(step.serviceId);
        model.removeService(step.serviceId);
        return;
      case 'reopen':
        this.opened.reopen();
        return;
      case 'settle':
        await store.settled();
        return;
      case 'tick':
        model.nowMs += step.ms;
        return;
    }
  }

  async #enqueue(step: Extract<Command, { do: 'enqueue' }>): Promise<void> {
    const { model } = this;
    const store = this.store;
    await store.settled();
    const transfers = step.given.map((each) =>
      newTransferOf(step.serviceId, each, this.#row(each.object), model.nowMs),
    );
    const takes = transfers.some(({ work, identifier: name }) => {
      const row = model.rows.find(step.serviceId, 'secret', name);
      return (
        work.kind === 'storeSecret' && row && !['failed', 'missing', 'gone', 'unknown'].includes(row.state)
      );
    });
    const twice = transfers.filter(({ work }) => work.kind === 'storeSecret').map((each) => each.identifier);
    if (takes || new Set(twice).size < twice.length) {
      await rejects(store.enqueue(step.serviceId, transfers), { message: 'exists' });
      return;
    }
    if (step.batch === 'new') this.#lastBatch = await store.newBatch();
    const id = step.batch === null ? 0 : this.#lastBatch;
    // A batch is of one service.
    const isForeign = model.entries.some(
      ({ record }) => record.batch === id && record.serviceId !== step.serviceId,
    );
    const batch = id === 0 || isForeign ? undefined : ({ id, action: 'upload' } as const);
    model.enqueue(transfers, await store.enqueue(step.serviceId, transfers, batch), batch?.id);
    return;
  }

  /** @param origin current origin of the first service; null: unknown */
  async #retry(meant: Which, origin: string | null): Promise<void> {
    const { model } = this;
    const store = this.store;
    await store.settled();
    const origins = new Map(origin === null ? [] : [[serviceIds[0] ?? '', origin]]);

    const before = new Set(
      model.entries.filter(({ record }) => groupOf(record) !== 'waiting').map(({ record }) => record.id),
    );
    deepEqual(await store.retry(meant, origins), model.retry(meant));
    await store.settled();
    const again = (await store.getMany([...before])).filter(({ state: { name } }) => name === 'waiting');
    for (const { id, objectId, serviceId } of again.sort((a, b) => a.orderKey - b.orderKey)) {
      const entry = model.entries.find(({ record }) => record.id === id);
      if (entry && !entry.claimed) model.beginAgain(id, objectId, origins.get(serviceId));
    }
    return;
  }

  async #editAndRetry({ pick, change, origin }: Extract<Command, { do: 'editAndRetry' }>): Promise<void> {
    await this.store.settled();
    const [id = 0] = this.#ids([pick]);
    const origins = new Map(origin === null ? [] : [[serviceIds[0] ?? '', origin]]);
    const isRetried = this.model.editAndRetry(id, change);
    deepEqual(await this.store.editAndRetry(id, change, origins), isRetried);
    if (!isRetried) return;
    const [{ objectId, serviceId } = { objectId: null, serviceId: '' }] = await this.store.getMany([id]);
    this.model.beginAgain(id, objectId, origins.get(serviceId));
  }

  async #transition(each: GivenTransition): Promise<Transition> {
    const [id = 0] = this.#claimed([each.pick]);
    const { nextDelayMs, ...rest } = each.change;
    const objectId = this.model.entries.find(({ record }) => record.id === id)?.record.objectId ?? 0;
    if (each.row) await this.store.settled();
    const [row] = await this.store.rows([objectId]);
    // The store decides how much an epoch grows.
    const known = this.model.rows.get(objectId);
    if (row && known) known.epoch = row.epoch;
    const epochOf = (isLate: boolean) => (row?.epoch ?? 0) - (isLate ? 1 : 0);
    return {
      id,
      change: {
        ...rest,
        ...(nextDelayMs !== undefined && { nextAtMs: nextDelayMs && this.model.nowMs + nextDelayMs }),
      },
      keepsClaim: each.keepsClaim,
      ...(each.row && { row: rowChangeOf(each.row, epochOf) }),
    };
  }

  #which(each: GivenWhich): Which {
    return each.kind === 'picks' ? { kind: 'ids', ids: this.#ids(each.picks) } : each;
  }

  #ids(found: readonly number[]): number[] {
    const all = idsOf(this.model.entries.map(({ record }) => record));
    return all.length === 0 ? [] : found.map((each) => all[each % all.length] ?? 0);
  }

  /** Only claimed records, as the runner changes no others. */
  #claimed(found: readonly number[]): number[] {
    const all = this.model.entries.filter(({ claimed }) => claimed).map(({ record }) => record.id);
    return all.length === 0 ? [] : found.map((each) => all[each % all.length] ?? 0);
  }

  #row(found: number) {
    return this.model.rows.all[found % Math.max(1, this.model.rows.all.length)];
  }
}

export function idsOf(records: readonly { readonly id: number }[]): number[] {
  return records.map(({ id }) => id);
}
