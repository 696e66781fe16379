import type { ObjectState } from '../../../../src/shared/domain/object.ts';
import { isFinished, isSmall, type TransferRecord } from '../../../../src/main/transfers/model/record.ts';
import type { State } from '../../../../src/main/transfers/model/state.ts';
import type { ClaimWish, Which } from '../../../../src/main/transfers/model/store-types.ts';
import type { StoredGroup } from '../../../../src/main/transfers/model/store-queries.ts';
import type { Tab, Priority } from '../../../../src/shared/domain/transfer.ts';

export interface Entry {
  record: TransferRecord;
  claimed: boolean;
  rowBefore: ObjectState | null;
}

const priorities: readonly Priority[] = ['now', 'normal', 'whenIdle'];

/** Compares by starting order. */
export function byTurn(a: Entry, b: Entry): number {
  const rank = ({ record: { priority } }: Entry) => priorities.indexOf(priority);
  const [first, second] = [a.record, b.record];
  return rank(a) - rank(b) || first.orderKey - second.orderKey || first.id - second.id;
}

export function isIdle({ record, claimed }: Entry): boolean {
  return !claimed && !isFinished(record);
}

export function isWaiting(entry: Entry): boolean {
  return isIdle(entry) && entry.record.state.name === 'waiting';
}

export function byNewest(a: Entry, b: Entry): number {
  const [first, second] = [a.record.finishedAtMs ?? Infinity, b.record.finishedAtMs ?? Infinity];
  return first === second ? b.record.id - a.record.id : second - first;
}

export function mayHaveArrived(state: State): boolean {
  if (state.name === 'lost') return true;
  return state.name === 'failed' && state.error.code === 'connectionLost' && state.error.outcomeUnknown;
}

export function causeOf({ record: { state, trouble }, claimed }: Entry): string | null {
  if (state.name === 'failed' || state.name === 'lost') return state.error?.code ?? null;
  return state.name === 'waiting' && !claimed ? (trouble?.code ?? null) : null;
}

export function tabOf({ direction, route }: TransferRecord): Tab | 'none' {
  if (direction === 'delete') return 'none';
  return route === 'direct' ? 'transfers' : 'jobs';
}

export function isWatched({ work }: TransferRecord): boolean {
  return work.kind === 'upload' && work.isWatched === true;
}

export function groupOf({ state: { name } }: TransferRecord): StoredGroup {
  if (name === 'waiting') return 'waiting';
  if (name === 'asking' || name === 'failed' || name === 'lost') return 'needsYou';
  return name === 'done' || name === 'cancelled' ? 'done' : 'running';
}

export function queueKindOf(record: TransferRecord): ClaimWish['queue'] {
  if (record.direction === 'delete') return 'delete';
  if (record.route === 'deferred') return 'start';
  return isSmall(record) ? 'small' : 'large';
}

export function isOf(which: Which, entry: Entry): boolean {
  const { record } = entry;
  switch (which.kind) {
    case 'all':
      return which.tab === undefined || tabOf(record) === which.tab;
    case 'ids':
      return which.ids.includes(record.id);
    case 'service':
      return record.serviceId === which.serviceId;
    case 'batch':
      return record.batch === which.batch;
    case 'cause':
      return (
        record.serviceId === which.serviceId &&
        groupOf(record) === which.group &&
        causeOf(entry) === which.code
      );
  }
}

/** Finished entries beyond the size or age limit of the history of their tab. */
export function historyOver(entries: readonly Entry[], most: number, beforeMs: number): Set<Entry> {
  const gone = new Set<Entry>();
  for (const tab of ['transfers', 'jobs', 'none'] as const) {
    for (const group of tab === 'none' ? ['done', 'needsYou'] : ['done']) {
      const list = entries.filter(({ record }) => tabOf(record) === tab && groupOf(record) === group);
      const young = list.sort(byNewest).filter(({ record }) => (record.finishedAtMs ?? 0) >= beforeMs);
      for (const entry of list) if (!young.slice(0, most).includes(entry)) gone.add(entry);
    }
  }
  return gone;
}
