import type { Answer } from '../../../../src/shared/domain/service.ts';
import { leftMs } from '../../../../src/main/clock.ts';
import { maxDelayMs } from '../../../../src/main/transfers/model/failure-policy.ts';
import { isFinished, type TransferRecord } from '../../../../src/main/transfers/model/record.ts';
import type {
  ClaimWish,
  TransferEdit,
  NewTransfer,
  Which,
} from '../../../../src/main/transfers/model/store-types.ts';
import type { RowChange, Transition } from '../../../../src/main/transfers/model/transition.ts';
import type { StoredGroup } from '../../../../src/main/transfers/model/store-queries.ts';
import type { Tab, Priority } from '../../../../src/shared/domain/transfer.ts';
import {
  historyOver,
  isOf,
  byNewest,
  byTurn,
  groupOf,
  isIdle,
  isWatched,
  isWaiting,
  queueKindOf,
  mayHaveArrived,
  tabOf,
  type Entry,
} from './model-entry.ts';
import { ModelRows } from './model-rows.ts';

/** A simple model of the store: arrays, and every change applied at once. */
export class Model {
  entries: Entry[] = [];
  readonly rows = new ModelRows();
  /** By batch: what the history has dropped by itself. */
  readonly forgotten = new Map<number, { done: number; cancelled: number; doneBytes: number }>();
  nowMs = 1_800_000_000_000;
  #keys = { first: 0, last: 0 };

  /** @param ids the ids that the store has assigned */
  enqueue(
    given: readonly NewTransfer[],
    ids: readonly { id: number; objectId: number | null }[],
    batch?: number,
  ): void {
    given.forEach(({ newRow, ...transfer }, index) => {
      const { id = 0, objectId = null } = ids[index] ?? {};
      let { work } = transfer;
      if (work.kind === 'upload' || work.kind === 'storeSecret') {
        const row = this.rows.find(transfer.serviceId, transfer.kind, transfer.identifier);
        work = { ...work, addedRow: !row };
        if (!row) this.rows.add({ ...transfer, totalBytes: newRow?.lengthBytes ?? null }, objectId, id);
        else if (work.kind === 'storeSecret') {
          this.rows.change(row, { state: 'uploading' });
          this.rows.setWriter(row, id);
        }
      }
      const fresh = { state: { name: 'waiting' }, tries: 0, trouble: null, nextAtMs: null } as const;
      const orderKey = (this.#keys.last += 1);
      const record = {
        ...transfer,
        ...fresh,
        id,
        objectId,
        orderKey,
        work,
        activityToken: null,
        finishedAtMs: null,
        ...(batch !== undefined && { batch }),
      };
      this.entries.push({ record, claimed: false, rowBefore: null });
    });
  }

  claim(wish: ClaimWish): number[] {
    for (const { record } of this.entries.filter(isIdle)) {
      const isDue =
        record.nextAtMs !== null && leftMs(record.nextAtMs, this.nowMs, maxDelayMs) === 0 && !record.isPaused;
      if (record.serviceId === wish.serviceId && isDue) record.nextAtMs = null;
    }
    const taken: number[] = [];
    for (;;) {
      const next = this.entries.toSorted(byTurn).find((entry) => this.#isClaimable(entry, wish));
      if (!next || taken.length >= wish.limit) return taken;
      if (this.#begin(next)) taken.push(next.record.id);
    }
  }

  unclaim(ids: readonly number[]): void {
    for (const entry of this.entries.filter(({ record, claimed }) => claimed && ids.includes(record.id))) {
      if (entry.record.state.name === 'deleting') this.rows.endDeletion(entry, null);
      Object.assign(entry, { claimed: false, rowBefore: null });
      entry.record.state = { name: 'waiting' };
    }
  }

  /** @param addedId id of the row that the store has added, if any */
  apply(
    { id, change, row: rowChange, keepsClaim = false }: Transition,
    addedId: number | null,
  ): { isThere: boolean; rowChanged: boolean } {
    const entry = this.entries.find(({ record }) => record.id === id);
    if (!entry) return { isThere: false, rowChanged: false };
    Object.assign(entry.record, structuredClone(change));
    const rowChanged = rowChange !== undefined && this.rows.apply(entry, rowChange, addedId);
    const { record } = entry;
    record.finishedAtMs = isFinished(record) ? (record.finishedAtMs ?? this.nowMs) : null;
    if (isFinished(record)) Object.assign(record, { nextAtMs: null, isPaused: false });
    const isQuiet = isFinished(record) || record.state.name === 'waiting' || record.state.name === 'asking';
    if (!isQuiet) entry.claimed = true;
    else if (change.state && !(record.state.name === 'waiting' && keepsClaim)) entry.claimed = false;
    if (isFinished(record)) this.rows.letGo(entry);
    return { isThere: true, rowChanged };
  }

  which(which: Which, matches: (entry: Entry) => boolean): Entry[] {
    return this.entries.filter((entry) => matches(entry) && isOf(which, entry));
  }

  cancel(which: Which): number {
    const meant = this.which(which, isIdle);
    for (const entry of meant) this.#cancel(entry);
    return meant.length;
  }

  retry(which: Which): number {
    return this.#inVain(which).length;
  }

  drop(which: Which): number {
    const meant = this.#inVain(which);
    for (const { record } of meant) this.#forgetRow(record);
    this.entries = this.entries.filter((entry) => !meant.includes(entry));
    return meant.length;
  }

  /** The part of `editAndRetry` before the restart; false: not possible in this state. */
  editAndRetry(id: number, change: TransferEdit): boolean {
    const [entry] = this.#inVain({ kind: 'ids', ids: [id] });
    if (entry?.record.work.kind !== 'upload') return false;
    const { record } = entry;
    const { identifier = record.identifier, file } = change;
    // A watched folder does not touch what a person has edited.
    const { isWatched: _watched, ...before } = entry.record.work;
    const { classification = before.classification } = change;
    const isOther = classification !== before.classification;
    const work = { ...before, classification, ...(isOther && { classificationChosen: true }) };
    if (file) {
      Object.assign(work, { path: file.path, fileName: file.fileName, modifiedAtMs: file.mtimeMs });
      record.totalBytes = file.sizeBytes;
    }
    record.work = work;
    if (identifier === record.identifier) return true;
    this.#forgetRow(record);
    // These facts are about the object under the earlier identifier.
    record.work = { ...work, addedRow: false, mayBeThere: false };
    Object.assign(record, { identifier, objectId: null, state: { name: 'cancelled' } });
    return true;
  }

  #inVain(which: Which): Entry[] {
    return this.which(which, ({ record: { state, kind, direction } }) => {
      const isOver = state.name === 'failed' || state.name === 'lost';
      const isNamed = which.kind === 'ids' && state.name === 'cancelled';
      return (isOver || isNamed) && kind === 'data' && direction !== 'delete';
    });
  }

  #forgetRow({ objectId, work }: TransferRecord): void {
    const row = this.rows.get(objectId);
    if (work.kind !== 'upload' || !work.addedRow) return;
    if (row?.writer !== null || row.state !== 'failed' || row.note !== '') return;
    this.rows.all = this.rows.all.filter((each) => each !== row);
  }

  /** The part of `retry` for one record; the store decides the order. @param origin current origin of its service, if known */
  beginAgain(id: number, objectId: number | null, origin: string | undefined): void {
    const entry = this.entries.find(({ record }) => record.id === id);
    if (!entry) return;
    const { record } = entry;
    const isElsewhere = origin !== undefined && origin !== record.origin;
    if (isElsewhere) record.origin = origin;
    if (isElsewhere && record.work.kind === 'download') {
      record.work = { ...record.work, isMoved: true };
      record.totalBytes = null;
    }
    if (record.work.kind === 'upload') {
      const row = this.rows.find(record.serviceId, record.kind, record.identifier);
      const isOurs = row?.state === 'failed' && row.id === record.objectId;
      const wasAdded = record.work.addedRow;
      const mayBeThere = !isElsewhere && (record.work.mayBeThere || mayHaveArrived(record.state));
      record.work = { ...record.work, expected: null, mayBeThere, addedRow: !row || (isOurs && wasAdded) };
      if (!row) this.rows.add(record, objectId, id);
      else if (isOurs) {
        this.rows.change(row, { state: 'uploading', lengthBytes: record.totalBytes });
        this.rows.setWriter(row, id);
      }
      record.objectId = row?.id ?? objectId;
    }
    const fresh = { state: { name: 'waiting' }, tries: 0, trouble: null, nextAtMs: null } as const;
    Object.assign(record, fresh, { isPaused: false, activityToken: null, finishedAtMs: null });
    record.orderKey = this.#keys.last += 1;
    entry.rowBefore = null;
  }

  pause(which: Which, isPaused: boolean): void {
    for (const { record } of this.which(which, isWaiting)) record.isPaused = isPaused;
  }

  retryNow(which: Which): void {
    for (const { record } of this.which(which, isWaiting)) if (!record.isPaused) record.nextAtMs = null;
  }

  setPriority(which: Which, priority: Priority): void {
    for (const { record } of this.which(which, isIdle)) record.priority = priority;
  }

  move(ids: readonly number[], before: number | 'top' | null): void {
    const idle = this.entries.filter(isIdle).map(({ record }) => record);
    const moved = [...new Set(ids)].flatMap((id) =>
      id === before ? [] : (idle.find((r) => r.id === id) ?? []),
    );
    if (moved.length === 0) return;
    const key = idle.find(({ id }) => id === before)?.orderKey;
    const ordered = this.entries.filter(({ record }) => ['waiting', 'running'].includes(groupOf(record)));
    const below = ordered
      .map(({ record }) => record.orderKey)
      .filter((each) => key !== undefined && each < key);
    if (before === null) for (const record of moved) record.orderKey = this.#keys.last += 1;
    else if (key === undefined || below.length === 0) {
      this.#keys.first -= moved.length;
      moved.forEach((record, index) => (record.orderKey = this.#keys.first + index));
    } else {
      const floor = Math.max(...below);
      const step = (key - floor) / (moved.length + 1);
      moved.forEach((record, index) => (record.orderKey = floor + step * (index + 1)));
    }
  }

  answer(serviceId: string, ids: readonly number[] | 'all' | 'allWatched', answer: Answer): void {
    for (const { record } of this.entries.filter(isIdle)) {
      const asks = record.state.name === 'asking';
      const matches =
        typeof ids === 'string'
          ? isWatched(record) === (ids === 'allWatched') &&
            (asks || (record.work.kind === 'upload' && record.work.ifExists === 'ask'))
          : asks && ids.includes(record.id);
      if (!matches || record.serviceId !== serviceId || record.work.kind !== 'upload') continue;
      record.work = { ...record.work, ifExists: answer };
      record.state = { name: 'waiting' };
    }
  }

  clearBatch(batch: number): void {
    this.forgotten.delete(batch);
    this.entries = this.entries.filter(({ record }) => record.batch !== batch || groupOf(record) !== 'done');
  }

  clear(tab: Tab, group: StoredGroup): void {
    if (tab === 'transfers' && group === 'done') this.forgotten.clear();
    this.entries = this.entries.filter(
      ({ record }) => !(isFinished(record) && tabOf(record) === tab && groupOf(record) === group),
    );
  }

  trim(maxDone: number, beforeMs: number): void {
    const gone = historyOver(this.entries, maxDone, beforeMs);
    for (const { record } of gone) {
      if (record.batch === undefined) continue;
      const sums = this.forgotten.get(record.batch) ?? { done: 0, cancelled: 0, doneBytes: 0 };
      this.forgotten.set(record.batch, sums);
      const isDone = record.state.name === 'done';
      sums[isDone ? 'done' : 'cancelled'] += 1;
      sums.doneBytes += isDone ? (record.totalBytes ?? 0) : 0;
    }
    this.entries = this.entries.filter((entry) => !gone.has(entry));
  }

  /** @param objectId id of the row that the store has added */
  takeIdentifier(id: number, identifier: string, former: RowChange, objectId: number): boolean {
    const entry = this.entries.find(({ record }) => record.id === id);
    if (entry?.record.work.kind !== 'upload' || isFinished(entry.record)) return false;
    const { record } = entry;
    if (this.rows.find(record.serviceId, record.kind, identifier)) return false;
    this.rows.add({ ...record, identifier }, objectId, id);
    this.rows.apply(entry, former);
    Object.assign(record, { identifier, objectId, work: { ...entry.record.work, addedRow: true } });
    return true;
  }

  /** Finds a row by identifier, with the service and kind of the record. */
  rowNamed(id: number, identifier: string): { readonly id: number } | undefined {
    const record = this.entries.find((entry) => entry.record.id === id)?.record;
    return record && this.rows.find(record.serviceId, record.kind, identifier);
  }

  /**
   * @param addedId id of the row that the store has added, if there was none
   * @param isLate the existing row has changed meanwhile
   */
  takeVersion(
    id: number,
    identifier: string,
    addedId: number,
    isLate: boolean,
  ): { objectId: number; addedRow: boolean } | null {
    const entry = this.entries.find(({ record }) => record.id === id);
    const work = entry?.record.work;
    if (!entry || (work?.kind !== 'upload' && work?.kind !== 'storeSecret')) return null;
    const { record } = entry;
    if (isFinished(record)) return null;
    const known = this.rows.find(record.serviceId, record.kind, identifier);
    if (known && known.writer === id && known.id === record.objectId)
      return { objectId: known.id, addedRow: work.addedRow };
    if (known && (known.writer !== null || known.state === 'deleting' || isLate)) return null;
    if (known) {
      this.rows.change(known, { state: 'uploading', lengthBytes: record.totalBytes, sha256: null });
      this.rows.setWriter(known, id);
    }
    const taken = known ?? this.rows.add({ ...record, identifier }, addedId, id);
    if (record.objectId !== taken.id) this.#leaveRow(entry);
    const addedRow = !known;
    Object.assign(record, { identifier, objectId: taken.id, work: { ...work, addedRow } });
    return { objectId: taken.id, addedRow };
  }

  #leaveRow(entry: Entry): void {
    const { record } = entry;
    // The row stays, as unknown, if an earlier request may still be carried out.
    const mayArrive =
      (record.work.kind === 'upload' && record.work.mayBeThere) || record.state.name === 'unsure';
    const history = { action: 'uploadFailed', detail: 'exists' } as const;
    this.rows.apply(entry, mayArrive ? { kind: 'release', state: 'unknown', history } : { kind: 'remove' });
  }

  removeService(serviceId: string): void {
    for (const entry of this.entries.filter(({ record }) => record.serviceId === serviceId)) {
      if (isIdle(entry)) this.#cancel(entry);
      else this.rows.letGo(entry);
    }
    this.entries = this.entries.filter(({ record }) => record.serviceId !== serviceId);
  }

  page(tab: Tab, group: StoredGroup): TransferRecord[] {
    const found = this.entries
      .toSorted(byTurn)
      .filter(({ record }) => tabOf(record) === tab && groupOf(record) === group);
    const isOver = group === 'done' || group === 'needsYou';
    return (isOver ? found.sort(byNewest) : found).map(({ record }) => record);
  }

  #isClaimable(entry: Entry, { serviceId, queue, includesIdle, origin }: ClaimWish): boolean {
    const { record } = entry;
    if (!isWaiting(entry) || record.isPaused || record.nextAtMs !== null) return false;
    if (record.serviceId !== serviceId || record.origin !== origin || queueKindOf(record) !== queue)
      return false;
    if (record.priority === 'whenIdle' && !includesIdle) return false;
    const same = this.entries.filter(
      ({ record: other }) => other.serviceId === serviceId && other.identifier === record.identifier,
    );
    if (record.direction === 'upload' && record.kind === 'data') {
      const row = this.rows.find(serviceId, record.kind, record.identifier);
      if (row?.state === 'deleting' && row.writer !== null) return false;
      return !same.some(
        ({ record: other, claimed }) =>
          other.direction === 'delete' &&
          !isFinished(other) &&
          other.origin === origin &&
          (other.id < record.id || claimed),
      );
    }
    if (record.direction !== 'delete') return true;
    if ((this.rows.get(record.objectId)?.writer ?? null) !== null) return false;
    return !same.some(
      ({ record: other, claimed }) => claimed && other.direction === 'upload' && other.kind === record.kind,
    );
  }

  #begin(entry: Entry): boolean {
    const { record } = entry;
    if (record.direction === 'delete') {
      if (!this.rows.apply(entry, { kind: 'deleting' })) {
        record.state = { name: 'failed', error: { code: 'notFound', what: 'object' } };
        record.finishedAtMs = this.nowMs;
        return false;
      }
      record.state = { name: 'deleting', isAnswered: false, looks: 0 };
    } else if (record.route === 'direct') {
      record.state =
        record.direction === 'upload'
          ? { name: 'sending' }
          : { name: 'receiving', temporaryPath: null, deferred: null };
    }
    entry.claimed = true;
    return true;
  }

  #cancel(entry: Entry): void {
    const { record } = entry;
    const history = { action: 'uploadFailed' } as const;
    if (record.work.kind === 'upload' && record.work.mayBeThere) {
      this.rows.apply(entry, { kind: 'release', state: 'unknown', history });
    } else if (record.direction === 'upload') this.rows.apply(entry, { kind: 'remove' });
    Object.assign(record, {
      state: { name: 'cancelled' },
      isPaused: false,
      trouble: null,
      nextAtMs: null,
      finishedAtMs: this.nowMs,
    });
  }
}
