import { randomUUID } from 'node:crypto';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import type { Statements } from '../../database/statements.ts';
import { recordSent } from '../../database/watched-files.ts';
import type { Applied, ReplaceCopy, Transition } from '../model/transition.ts';
import type { WorkOf } from '../model/next.ts';
import { isFinished, isIdle, isOfWatched } from '../model/record.ts';
import type { TransferStore } from '../model/store-types.ts';
import { createInsert, type Insert } from './insert.ts';
import { recordsOf, type StoredTransfer } from './transfer-rows.ts';
import { TransferTable } from './transfer-table.ts';
import { createActions } from './actions.ts';
import { ApplyBulkChanges } from './apply-bulk-changes.ts';
import { createClaim } from './claim.ts';
import { createPrune } from './prune.ts';
import { createBeginAgain } from './begin-again.ts';
import { createFreeRow, createTakeRow } from './take-row.ts';
import { createDockPage } from './dock-page.ts';
import { EndRecord } from './end-record.ts';
import { createListed } from './listed.ts';
import { createQueries } from './queries.ts';
import { RowChanges } from './row-changes.ts';
import { ForEachMatching } from './for-each-matching.ts';
import { BulkChanges } from './bulk-changes.ts';

/** Queues the deletions that follow from uploads, in the transactions in which these end. */
function createOwnDeletions(
  table: Pick<TransferTable, 'newId'>,
  writer: ObjectWriter,
  { enter }: Pick<Insert, 'enter'>,
  nowMs: () => number,
) {
  function remove(
    { record: { serviceId, origin }, service }: StoredTransfer,
    { id: objectId, identifier }: ObjectRecord,
    work: WorkOf<'delete'>,
  ): void {
    const deletion = {
      id: table.newId(),
      serviceId,
      origin,
      kind: 'data',
      route: 'direct',
      direction: 'delete',
      identifier,
      objectId,
      totalBytes: null,
      priority: 'normal',
      isPaused: false,
      createdAtMs: nowMs(),
      work,
    } as const;
    enter(service, [deletion]);
  }

  return {
    /**
     * Adds what a Replace left beside the object to the list, and deletes it unless it `stays`. @param atMs of the
     * service's clock
     */
    leave(stored: StoredTransfer, replaceCopies: readonly ReplaceCopy[], atMs: number): void {
      for (const { identifier, stays = false, ...known } of replaceCopies) {
        const patch = { ...known, state: stays ? 'stored' : 'unknown', storedAtMs: atMs } as const;
        const row = writer.add(stored.service, { kind: 'data', identifier, patch });
        if (!row?.added) continue;
        if (stays) writer.save(row.record, {}, undefined, undefined, randomUUID());
        else remove(stored, row.record, { kind: 'delete' });
      }
    },

    /** After a move: deletes the object under its former identifier, provided it still has the same bytes. */
    leaveMoved(stored: StoredTransfer, { row, change }: Transition): void {
      const { work, kind } = stored.record;
      if (work.kind !== 'upload' || !work.moves || change.state?.name !== 'done') return;
      const { identifier } = work.moves;
      const bytes = row?.kind === 'stored' ? bytesOf(row.patch) : null;
      if (bytes === null || identifier === stored.record.identifier) return;
      const patch = { state: 'stored', ...bytes } as const;
      const former = writer.add(stored.service, { kind, identifier, patch });
      const only = { ...bytes, at: stored.record.identifier, classification: work.classification };
      if (former) remove(stored, former.record, { kind: 'delete', only });
    },
  };
}

function bytesOf({ lengthBytes, sha256 }: ObjectPatch): { lengthBytes: number; sha256: string } | null {
  return typeof lengthBytes === 'number' && typeof sha256 === 'string' ? { lengthBytes, sha256 } : null;
}

export interface LocalTransferStore extends TransferStore {
  close(): void;
}

/** Records and rows of the list in one database, on its thread. */
export function createTransferStore(
  statements: Statements,
  writer: ObjectWriter,
  nowMs: () => number,
): LocalTransferStore {
  const { rows } = writer;
  const table = new TransferTable(statements, writer);
  const changes = new RowChanges(writer, nowMs);
  const endRecord = new EndRecord(table, changes, nowMs);
  const bulkChanges = new BulkChanges(table, endRecord);
  const freeRow = createFreeRow(table, bulkChanges, rows);
  const insert = createInsert(table, bulkChanges, writer, freeRow);
  const beginAgain = createBeginAgain(table, bulkChanges, writer, freeRow);
  const applyBulkChanges = new ApplyBulkChanges(table, bulkChanges, endRecord, beginAgain);
  const ownDeletions = createOwnDeletions(table, writer, insert, nowMs);
  const listed = createListed(table, bulkChanges, rows);
  const selecting = new ForEachMatching(table, bulkChanges, rows);
  writer.follow({
    serviceRemoved: (_, service) => {
      bulkChanges.forgetService(service);
    },
  });

  function applyOne(transition: Transition): Applied {
    const { id, change, row, confirmed, atMs = nowMs(), keepsClaim = false, replaceCopies = [] } = transition;
    const found = table.get(id);
    if (found === null) return { isThere: false, rowChanged: false };
    const before = bulkChanges.resolve(found);
    if (changes.isOvertaken(row, before.record))
      return { isThere: true, rowChanged: false, isOvertaken: true };
    const changed: StoredTransfer = { ...before, record: { ...before.record, ...change } };
    if (confirmed) changes.confirm(confirmed, atMs);
    const outcome = row && changes.apply(row, changed, atMs);
    const after = ended({
      ...changed,
      ...(outcome && { rowBefore: outcome.rowBefore }),
      record: { ...changed.record, ...(outcome && { objectId: outcome.objectId }) },
    });
    const isWaiting = after.record.state.name === 'waiting';
    const isReleased = isIdle(after.record) && change.state !== undefined && !(isWaiting && keepsClaim);
    table.save(before, {
      ...after,
      isClaimed: isIdle(after.record) ? before.isClaimed && !isReleased : true,
      bulkChange: isReleased ? bulkChanges.stamp(before.service) : before.bulkChange,
    });
    const sha256 = digestStored(transition);
    if (sha256 !== null && isOfWatched(after.record)) recordSent(table.rows, id, sha256);
    changes.letGo(after.record);
    ownDeletions.leave(after, replaceCopies, atMs);
    ownDeletions.leaveMoved(after, transition);
    return { isThere: true, rowChanged: outcome?.held ?? false };
  }

  function ended(stored: StoredTransfer): StoredTransfer {
    const { record } = stored;
    if (!isFinished(record)) return { ...stored, record: { ...record, finishedAtMs: null } };
    const finishedAtMs = record.finishedAtMs ?? nowMs();
    return { ...stored, record: { ...record, finishedAtMs, nextAtMs: null, isPaused: false } };
  }

  function resolved(ids: readonly number[]): StoredTransfer[] {
    const stored = table.getMany(ids);
    if (!bulkChanges.arePending) return stored;
    return table.transaction(() => stored.map((each) => bulkChanges.resolve(each)));
  }

  return {
    ...insert.calls,
    ...createTakeRow(table, writer, changes, freeRow),
    ...createClaim(table, bulkChanges, changes, rows, nowMs),
    ...createActions(table, bulkChanges, applyBulkChanges, endRecord, beginAgain, selecting, rows, nowMs),
    ...createPrune(table, bulkChanges, applyBulkChanges, endRecord, selecting, rows, nowMs),
    ...createQueries(table, listed, rows),
    ...createDockPage(table, bulkChanges, listed),

    async apply(transitions) {
      return table.transaction(() => transitions.map((transition) => applyOne(transition)));
    },

    async getMany(ids) {
      return recordsOf(resolved(ids));
    },

    async rows(objectIds) {
      return objectIds.flatMap((id) => {
        const row = rows.row(id);
        return row === null ? [] : { record: row.record, epoch: row.epoch };
      });
    },

    async versions(serviceId, kind, base, naming) {
      const service = rows.service(serviceId)?.number;
      if (service === undefined) return [];
      return rows.versions(service, kind, base, naming).flatMap((version) => {
        const row = rows.row(version.record.id);
        if (row === null) return [];
        return { ...version, epoch: row.epoch };
      });
    },

    async settled() {
      await applyBulkChanges.done();
    },

    close() {
      applyBulkChanges.stop();
      table.counts.stop();
    },
  };
}

/** The digest of a file that an upload has stored, or found stored; null: it has done neither, or the digest is not known. */
function digestStored({ row, confirmed }: Transition): string | null {
  if (row?.kind === 'stored' && row.patch.state === 'stored') return row.patch.sha256 ?? null;
  return confirmed?.sha256 ?? null;
}
