import {
  groupOf,
  isFinished,
  transferGroupSchema,
  transferTransitions,
  type Transfer,
  type TransferGroup,
  type TransferState,
} from '../../shared/domain/transfer.ts';
import type { Entry } from './entry.ts';

type Change = Partial<Omit<Transfer, 'id' | 'profileId' | 'direction' | 'state'>>;

/** Sums over everything since the list was last at rest, so that a bar over all never goes back because a file is done. */
export interface Totals {
  readonly doneBytes: number;
  readonly totalBytes: number;
  readonly unfinished: number;
}

/** All transfers, grouped. The only place where one changes its state, and only as the table allows. */
export interface TransferList {
  add(entries: readonly Entry[]): void;
  get(id: number): Entry | undefined;
  all(): Iterable<Entry>;
  /** @throws Error a transition that is not in the table */
  move(entry: Entry, state: TransferState, change?: Change): void;
  /** Everything but the state. */
  change(entry: Entry, change: Change): void;
  remove(entry: Entry): void;
  group(group: TransferGroup): ReadonlyMap<number, Entry>;
  /** In the order of the dock; stable as long as no transfer changes its group. */
  slice(offset: number, limit: number): Entry[];
  /** The newest unfinished transfer of an object. */
  ofObject(objectId: number): Entry | undefined;
  totals(): Totals;
  /** How many failed. */
  failed(): number;
}

const groups = transferGroupSchema.options;

/** @param onTouched after every change */
export function createTransferList(onTouched: () => void): TransferList {
  const entries = new Map<number, Entry>();
  const members = new Map(groups.map((group) => [group, new Map<number, Entry>()]));
  const sorted = new Map<TransferGroup, Entry[]>();
  const byObject = new Map<number, Entry>();
  // Of the unfinished ones, and of those that were done since the list was last at rest.
  let unfinished = 0;
  let unfinishedBytes = 0;
  let finishedBytes = 0;
  let failed = 0;

  function group(name: TransferGroup): Map<number, Entry> {
    return members.get(name) ?? new Map<number, Entry>();
  }

  /** Takes an entry out of, or into, everything that is kept about it. */
  function count(entry: Entry, sign: 1 | -1): void {
    const { transfer } = entry;
    const name = groupOf(transfer);
    sorted.delete(name);
    if (sign === 1) group(name).set(transfer.id, entry);
    else group(name).delete(transfer.id);
    if (transfer.state === 'failed') failed += sign;
    if (!isFinished(transfer.state)) {
      unfinished += sign;
      unfinishedBytes += sign * (transfer.totalBytes ?? 0);
    }
    if (transfer.objectId === null) return;
    if (sign === 1 && !isFinished(transfer.state)) byObject.set(transfer.objectId, entry);
    else if (byObject.get(transfer.objectId) === entry) byObject.delete(transfer.objectId);
  }

  function apply(entry: Entry, change: Change & { state?: TransferState }): void {
    const { objectId, totalBytes, state } = change;
    // Progress, the most frequent change by far, moves nothing.
    if (
      state === undefined &&
      objectId === undefined &&
      totalBytes === undefined &&
      change.waitingFor === undefined
    ) {
      Object.assign(entry.transfer, change);
    } else {
      count(entry, -1);
      Object.assign(entry.transfer, change);
      count(entry, 1);
      if (state === 'done') finishedBytes += entry.transfer.totalBytes ?? 0;
      if (unfinished === 0) finishedBytes = 0;
    }
    onTouched();
  }

  function sortedOf(name: TransferGroup): Entry[] {
    const known = sorted.get(name);
    if (known) return known;
    const list = [...group(name).values()];
    // The last to come into the group of the done is the newest; the others stand as they were enqueued.
    if (name === 'done') list.reverse();
    else list.sort((a, b) => a.transfer.id - b.transfer.id);
    sorted.set(name, list);
    return list;
  }

  return {
    group,
    add(added) {
      for (const entry of added) {
        entries.set(entry.transfer.id, entry);
        count(entry, 1);
      }
      onTouched();
    },
    get: (id) => entries.get(id),
    all: () => entries.values(),
    move(entry, state, change = {}) {
      const from = entry.transfer.state;
      if (!transferTransitions[from].includes(state))
        throw new Error(`no transition from ${from} to ${state}`);
      const waitingFor = state === 'waiting' ? 'turn' : null;
      apply(entry, { waitingFor, retryAtMs: null, bytesPerSecond: null, leftMs: null, ...change, state });
    },
    change: apply,
    remove(entry) {
      count(entry, -1);
      entries.delete(entry.transfer.id);
      onTouched();
    },
    slice(offset, limit) {
      const rows: Entry[] = [];
      let skip = offset;
      for (const name of groups) {
        const list = sortedOf(name);
        for (const entry of list.slice(skip, skip + limit - rows.length)) rows.push(entry);
        skip = Math.max(0, skip - list.length);
        if (rows.length >= limit) break;
      }
      return rows;
    },
    failed: () => failed,
    ofObject: (objectId) => byObject.get(objectId),
    totals() {
      let doneBytes = finishedBytes;
      for (const { transfer } of group('moving').values()) doneBytes += transfer.doneBytes;
      return { doneBytes, totalBytes: finishedBytes + unfinishedBytes, unfinished };
    },
  };
}
