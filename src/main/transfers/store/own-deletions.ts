import { randomUUID } from 'node:crypto';
import type { ObjectPatch } from '../../../shared/domain/object-changes.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import type { ReplaceCopy, Transition } from '../model/transition.ts';
import type { WorkOf } from '../model/next.ts';
import type { Insert } from './insert.ts';
import type { StoredTransfer } from './transfer-rows.ts';
import type { TransferTable } from './transfer-table.ts';

/** Queues the deletions that follow from uploads, in the transactions in which these end. */
export function createOwnDeletions(
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
      const only = { ...bytes, at: stored.record.identifier };
      if (former) remove(stored, former.record, { kind: 'delete', only });
    },
  };
}

function bytesOf({ lengthBytes, sha256 }: ObjectPatch): { lengthBytes: number; sha256: string } | null {
  return typeof lengthBytes === 'number' && typeof sha256 === 'string' ? { lengthBytes, sha256 } : null;
}
