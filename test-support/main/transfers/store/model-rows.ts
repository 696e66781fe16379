import { isFinished, type TransferRecord } from '../../../../src/main/transfers/model/record.ts';
import type { RowChange } from '../../../../src/main/transfers/model/transition.ts';
import type { ObjectState } from '../../../../src/shared/domain/object.ts';
import type { Entry } from './model-entry.ts';

/** The columns of a list row that transfers change. */
export interface ModelRow {
  readonly id: number;
  readonly serviceId: string;
  readonly kind: 'data' | 'secret';
  readonly identifier: string;
  state: ObjectState;
  lengthBytes: number | null;
  sha256: string | null;
  note: string;
  writer: number | null;
  epoch: number;
}

/** A model of the list and of its changes by transfers. */
export class ModelRows {
  all: ModelRow[] = [];

  get(id: number | null): ModelRow | undefined {
    return this.all.find((row) => row.id === id);
  }

  find(serviceId: string, kind: string, identifier: string): ModelRow | undefined {
    const is = (row: ModelRow) => row.kind === kind && row.identifier === identifier;
    return this.all.find((row) => row.serviceId === serviceId && is(row));
  }

  add(
    {
      serviceId,
      kind,
      identifier,
      totalBytes,
    }: Pick<TransferRecord, 'serviceId' | 'kind' | 'identifier' | 'totalBytes'>,
    id: number | null,
    writer: number | null,
  ): ModelRow {
    const given = { id: id ?? 0, serviceId, kind, identifier, lengthBytes: totalBytes };
    const row: ModelRow = { ...given, state: 'uploading', sha256: null, note: '', writer, epoch: 0 };
    this.all.push(row);
    return row;
  }

  change(row: ModelRow, patch: Partial<Pick<ModelRow, 'state' | 'lengthBytes' | 'sha256' | 'note'>>): void {
    const before = { ...row };
    Object.assign(row, patch);
    const isOther = (['state', 'lengthBytes', 'sha256'] as const).some((key) => row[key] !== before[key]);
    if (isOther) row.epoch += 1;
  }

  setWriter(row: ModelRow, writer: number | null): void {
    if (row.writer !== writer) row.epoch += 1;
    row.writer = writer;
  }

  letGo({ record }: Entry): void {
    const row = this.get(record.objectId);
    if (row?.writer !== record.id) return;
    if (row.state === 'uploading' || row.state === 'deleting') this.change(row, { state: 'unknown' });
    this.setWriter(row, null);
  }

  apply(entry: Entry, change: RowChange, addedId: number | null = null): boolean {
    const { record } = entry;
    const row = this.get(record.objectId);
    if (change.kind === 'stored') {
      const known = row ?? this.find(record.serviceId, record.kind, record.identifier);
      const found = known ?? this.add({ ...record, totalBytes: null }, addedId, null);
      const { lengthBytes = found.lengthBytes, sha256 = found.sha256, state = 'stored' } = change.patch;
      this.change(found, { state, lengthBytes, sha256 });
      this.setWriter(found, null);
      record.objectId = found.id;
      return true;
    }
    if (change.kind === 'found') return this.#find(entry, change, addedId);
    if (!row) {
      if (change.kind === 'deleted') entry.rowBefore = null;
      return false;
    }
    const isOwn = row.writer === record.id;
    const wasAdded = 'addedRow' in record.work && record.work.addedRow;
    switch (change.kind) {
      case 'seen': {
        const isBusy = row.state === 'deleting' || row.state === 'uploading';
        if (row.epoch !== change.epoch || isBusy) return false;
        if (change.seen.present) {
          const { lengthBytes } = change.seen;
          this.change(row, {
            state: 'stored',
            lengthBytes,
            sha256: lengthBytes === row.lengthBytes ? row.sha256 : null,
          });
        } else if (row.state !== 'gone' && row.state !== 'failed') {
          this.change(row, { state: 'missing' });
        }
        return true;
      }
      case 'downloaded': {
        const agrees =
          (row.sha256 ?? change.sha256) === change.sha256 &&
          (row.lengthBytes ?? change.lengthBytes) === change.lengthBytes;
        const isLate = change.epoch === null ? !agrees || row.state !== 'stored' : row.epoch !== change.epoch;
        if (isLate) return false;
        const isThere = change.isFresh && ['stored', 'unknown', 'missing'].includes(row.state);
        const { lengthBytes, sha256 } = change;
        this.change(row, { lengthBytes, sha256, state: isThere ? 'stored' : row.state });
        return true;
      }
      case 'replacing':
        if (!isOwn) return false;
        this.change(row, { state: 'uploading' });
        return true;
      case 'leave': {
        if (!isOwn) return false;
        if (row.state === 'uploading' && wasAdded) {
          if (!isFinished(record)) return true;
          if (record.state.name === 'cancelled') return this.apply(entry, { kind: 'remove' });
        }
        if (row.state === 'uploading') this.change(row, { state: wasAdded ? 'failed' : 'unknown' });
        this.setWriter(row, null);
        return true;
      }
      case 'release':
        if (!isOwn) return false;
        if (row.state === 'uploading' || row.state === 'unknown') this.change(row, { state: change.state });
        this.setWriter(row, null);
        return true;
      case 'unsure':
        if (!isOwn || row.state !== 'uploading') return false;
        this.change(row, { state: 'unknown' });
        return true;
      case 'secretRead':
        if (row.state === 'uploading') return false;
        this.change(row, { state: 'stored', lengthBytes: change.lengthBytes });
        return true;
      case 'remove': {
        if (!isOwn) return false;
        if (wasAdded && row.state === 'uploading' && row.note === '') {
          this.all = this.all.filter((each) => each !== row);
        } else {
          if (row.state === 'uploading' || row.state === 'unknown') this.change(row, { state: 'failed' });
          this.setWriter(row, null);
        }
        return true;
      }
      case 'skipped':
        if (isOwn && (row.state === 'uploading' || (row.state === 'unknown' && wasAdded))) {
          const seen = change.seen.present ? change.seen : null;
          const lengthBytes = seen?.lengthBytes ?? null;
          this.change(row, { state: seen ? 'stored' : 'unknown', lengthBytes, sha256: null });
        }
        if (isOwn) this.setWriter(row, null);
        return true;
      case 'deleting':
        if (row.kind !== 'data' || row.writer !== null) return false;
        if (row.state === 'uploading' || row.state === 'deleting') return false;
        entry.rowBefore = row.state;
        this.change(row, { state: 'deleting' });
        this.setWriter(row, record.id);
        return true;
      case 'deleted':
        return this.endDeletion(entry, change.state);
      case 'note':
        return true;
    }
  }

  #find(
    { record }: Entry,
    { lengthBytes, sentBytes, epoch }: Extract<RowChange, { kind: 'found' }>,
    addedId: number | null,
  ): boolean {
    const known =
      this.get(record.objectId) ?? this.find(record.serviceId, record.kind, record.identifier) ?? null;
    const row = known ?? this.add({ ...record, totalBytes: null }, addedId, null);
    const isOwn = record.objectId === row.id && row.writer === record.id;
    record.objectId = row.id;
    const wasDeleted = row.state === 'deleting' || (row.state === 'gone' && row.epoch !== epoch);
    if (isOwn) this.setWriter(row, null);
    if (known && wasDeleted) return false;
    if (!known) {
      Object.assign(row, { state: 'stored', lengthBytes });
      return true;
    }
    const isAsListed = lengthBytes !== null && lengthBytes === row.lengthBytes && lengthBytes !== sentBytes;
    this.change(row, { state: 'stored', lengthBytes, sha256: isAsListed ? row.sha256 : null });
    return true;
  }

  endDeletion(entry: Entry, state: 'gone' | 'missing' | 'unknown' | null): boolean {
    const row = this.get(entry.record.objectId);
    const before = entry.rowBefore ?? 'unknown';
    entry.rowBefore = null;
    if (row?.writer !== entry.record.id) return false;
    this.setWriter(row, null);
    if (row.state !== 'deleting') return false;
    this.change(row, { state: state ?? before });
    return true;
  }
}
