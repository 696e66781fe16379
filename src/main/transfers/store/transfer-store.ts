import type { ObjectWriter } from '../../objects/object-writer.ts';
import type { Statements } from '../../database/statements.ts';
import { recordSent } from '../../database/watched-files.ts';
import { isFinished, isIdle, isOfWatched } from '../model/record.ts';
import type { Applied, Transition } from '../model/transition.ts';
import type { TransferStore } from '../model/store-types.ts';
import { createActions } from './actions.ts';
import { ApplySweeps } from './apply-sweeps.ts';
import { createClaim } from './claim.ts';
import { createOwnDeletions } from './own-deletions.ts';
import { createPrune } from './prune.ts';
import { createBeginAgain } from './begin-again.ts';
import { createFreeRow } from './free-row.ts';
import { createInsert } from './insert.ts';
import { createTakeRow } from './take-row.ts';
import { createDockPage } from './dock-page.ts';
import { EndRecord } from './end-record.ts';
import { createListed } from './listed.ts';
import { createQueries } from './queries.ts';
import { RowChanges } from './row-changes.ts';
import { ForEachMatching } from './for-each-matching.ts';
import { Sweeps } from './sweeps.ts';
import { recordsOf, type StoredTransfer } from './transfer-rows.ts';
import { TransferTable } from './transfer-table.ts';

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
  const sweeps = new Sweeps(table, endRecord);
  const freeRow = createFreeRow(table, sweeps, rows);
  const insert = createInsert(table, sweeps, writer, freeRow);
  const beginAgain = createBeginAgain(table, sweeps, writer, freeRow);
  const applySweeps = new ApplySweeps(table, sweeps, endRecord, beginAgain);
  const ownDeletions = createOwnDeletions(table, writer, insert, nowMs);
  const listed = createListed(table, sweeps, rows);
  const selecting = new ForEachMatching(table, sweeps, rows);
  writer.follow({
    serviceRemoved: (_, service) => {
      sweeps.forgetService(service);
    },
  });

  function applyOne(transition: Transition): Applied {
    const { id, change, row, confirmed, atMs = nowMs(), keepsClaim = false, replaceCopies = [] } = transition;
    const found = table.get(id);
    if (found === null) return { isThere: false, rowChanged: false };
    const before = sweeps.settle(found);
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
      sweep: isReleased ? sweeps.stamp(before.service) : before.sweep,
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

  function settled(ids: readonly number[]): StoredTransfer[] {
    const stored = table.getMany(ids);
    if (!sweeps.arePending) return stored;
    return table.transaction(() => stored.map((each) => sweeps.settle(each)));
  }

  return {
    ...insert.calls,
    ...createTakeRow(table, writer, changes, freeRow),
    ...createClaim(table, sweeps, changes, rows, nowMs),
    ...createActions(table, sweeps, applySweeps, endRecord, beginAgain, selecting, rows, nowMs),
    ...createPrune(table, sweeps, applySweeps, endRecord, selecting, rows, nowMs),
    ...createQueries(table, listed, rows),
    ...createDockPage(table, sweeps, listed),

    async apply(transitions) {
      return table.transaction(() => transitions.map((transition) => applyOne(transition)));
    },

    async getMany(ids) {
      return recordsOf(settled(ids));
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
      await applySweeps.done();
    },

    close() {
      applySweeps.stop();
      table.counts.stop();
    },
  };
}

/** The digest of a file that an upload has stored, or found stored; null: it has done neither, or the digest is not known. */
function digestStored({ row, confirmed }: Transition): string | null {
  if (row?.kind === 'stored' && row.patch.state === 'stored') return row.patch.sha256 ?? null;
  return confirmed?.sha256 ?? null;
}
