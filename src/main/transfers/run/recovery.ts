import { cancel, fail } from './terminal-transitions.ts';
import { newActiveTransfer, type ActiveTransfer } from '../model/active-transfer.ts';
import { removeTemporaryFile } from '../../local-files/finish-temporary-file.ts';
import type { TransferRecord } from '../model/record.ts';
import type { Transition } from '../model/transition.ts';
import type { TransferStore } from '../model/store-types.ts';

/** Resumes the records in work when the last run ended. Relies on the records alone, never on the states of rows. */
export async function takeUp(deps: {
  store: Pick<TransferStore, 'apply'>;
  interrupted: readonly TransferRecord[];
  /** Wall clock. */
  nowMs: number;
  /** The temporary file of an interrupted download. */
  temporaryPathOf: (record: TransferRecord) => Promise<string | null>;
  /** Whether a sparse download is kept, as each of its parts is verified. */
  keepsTemporaryFile: (record: TransferRecord) => boolean;
}): Promise<ActiveTransfer[]> {
  const { store, interrupted, nowMs, temporaryPathOf, keepsTemporaryFile } = deps;
  const entries: ActiveTransfer[] = [];
  const changes: Transition[] = [];
  for (const record of interrupted) {
    const { state, work } = record;
    // The state `receiving` is written lazily, so a temporary file may exist in `completed` too.
    if (
      (state.name === 'receiving' || state.name === 'completed') &&
      record.kind === 'data' &&
      !keepsTemporaryFile(record)
    ) {
      const temporaryPath = await temporaryPathOf(record);
      if (temporaryPath !== null) await removeTemporaryFile(temporaryPath);
    }
    const entry = newActiveTransfer(record, false, -Infinity);
    // The reader of the value is gone.
    if (work.kind === 'readSecret') end(entry, cancel(entry));
    // The value was in memory only. Once the request was sent, it is unknown whether it arrived.
    else if (work.kind === 'storeSecret' && state.name === 'waiting')
      end(entry, fail(entry, { code: 'cancelled' }));
    else if (work.kind === 'storeSecret' && state.name === 'sending') {
      const error = {
        code: 'connectionLost',
        doneBytes: 0,
        expectedBytes: record.totalBytes,
        outcomeUnknown: true,
      } as const;
      const unsure = { ...record, state: { name: 'unsure', goal: 'goOn', looks: 0, error: null } } as const;
      end(entry, fail({ ...entry, record: unsure }, error));
    } else if (state.name === 'sending') {
      go(entry, { name: 'unsure', goal: 'goOn', looks: 0, error: null });
    } else if (state.name === 'receiving') {
      if (state.deferred) go(entry, { name: 'completed', deferred: state.deferred });
      else putBack(entry);
    }
    // A person could still undo it, and it was never sent: it is not sent now without a new word.
    else if (work.kind === 'delete' && record.isPaused) end(entry, fail(entry, { code: 'cancelled' }));
    else if (state.name === 'waiting') putBack(entry);
    // All other states continue. `deleting`: whether the one DELETE was sent is unknown, so only HEAD is sent from
    // now on.
    else entries.push(entry);
  }
  await store.apply(changes);
  return entries;

  function go(entry: ActiveTransfer, state: TransferRecord['state']): void {
    entry.record = { ...entry.record, state };
    changes.push({ id: entry.record.id, change: { state } });
    entries.push(entry);
  }

  function putBack({ record: { id } }: ActiveTransfer): void {
    changes.push({ id, change: { state: { name: 'waiting' } } });
  }

  function end({ record: { id } }: ActiveTransfer, next: ReturnType<typeof cancel>): void {
    if (!next) return;
    const { state, change, row } = next;
    changes.push({ id, change: { ...change, state, finishedAtMs: nowMs }, ...(row && { row }) });
  }
}
