import { basename } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Engine } from '../transfers/engine.ts';
import type { TransferRecord } from '../transfers/model/record.ts';
import type { CopyFiles } from './edit-folders.ts';
import { digestOf } from '../local-files/file-bytes.ts';

/** A copy of this run. */
export interface Copy {
  readonly key: string;
  readonly serviceId: string;
  readonly objectId: number;
  readonly path: string;
  readonly copyFor: 'open' | 'takeOut' | 'look';
  transferId: number | null;
  /** Digest of the complete copy; null: it is being downloaded. */
  sha256: string | null;
  takenAtMs: number;
  /** Whether its transfer is being checked; `again`: another check follows. */
  check: 'no' | 'once' | 'again';
  /** Resolves when the copy is complete, and open if it was to be opened, or was given up; rejects if one for another program fails. */
  isReady: PromiseWithResolvers<void>;
}

/** Opened for viewing, not given to another program. */
export const isOpened = ({ copyFor }: Copy) => copyFor === 'open';

/** Follows the transfers that download copies: completes a copy or gives it up, which answers its callers. */
export function followCopyTransfers({
  copies,
  files,
  engine,
  show,
  remove,
  failed,
}: {
  copies: Map<string, Copy>;
  files: Pick<CopyFiles, 'note' | 'endTransfer'>;
  engine: Pick<Engine, 'recordsOf' | 'picked' | 'onChanged' | 'onEnded'>;
  show: (path: string) => Promise<void>;
  remove: (copy: Copy, failure?: unknown) => Promise<void>;
  failed: (cause: unknown) => void;
}): { readonly check: (copy: Copy) => void; readonly stop: () => void } {
  /** One check at a time: several events report the same end, and reading a large file takes long. */
  async function check(copy: Copy): Promise<void> {
    if (copy.check !== 'no') {
      copy.check = 'again';
      return;
    }
    try {
      do {
        copy.check = 'once';
        await checkOnce(copy);
        // Another call may have changed it.
      } while ((copy.check as Copy['check']) === 'again');
    } finally {
      copy.check = 'no';
    }
  }

  async function checkOnce(copy: Copy): Promise<void> {
    if (copy.transferId === null || copy.sha256 !== null) return;
    const [transfer] = await engine.recordsOf([copy.transferId]);
    if (copies.has(copy.key)) await ended(copy, transfer ?? null).catch(copy.isReady.reject);
  }

  async function ended(copy: Copy, transfer: TransferRecord | null): Promise<void> {
    const name = transfer?.state.name;
    if (name === 'done') {
      const { path } = copy;
      const read = await digestOf(path);
      // Removed while it was read.
      if (!copies.has(copy.key)) return;
      if (read === null && !isOpened(copy))
        return giveUp(copy, { code: 'fileUnreadable', fileName: basename(path) });
      copy.sha256 = read?.sha256 ?? '';
      if (read) {
        await files.note(copy.key, { path, sha256: read.sha256 });
        if (isOpened(copy)) await show(path);
      }
      copy.isReady.resolve();
    } else if (transfer === null || name === 'cancelled') await remove(copy);
    else if (!isOpened(copy)) {
      const failure = await failureOf(transfer);
      if (failure !== null) await giveUp(copy, failure);
    }
    // The list of transfers shows the reason; retrying there opens the copy.
    else if (name === 'failed' || name === 'lost') copy.isReady.resolve();
  }

  /** Why not to wait for a copy for another program; null: its transfer continues. */
  async function failureOf({ id, state }: TransferRecord): Promise<AppError | null> {
    if (state.name === 'failed' || state.name === 'lost') return state.error;
    const waitingFor = (await engine.picked([id]))[0]?.waitingFor;
    const isHeld = waitingFor === 'token' || waitingFor === 'paused';
    return isHeld ? { code: 'notTakenOut', problem: waitingFor } : null;
  }

  /** Rejects the callers, who may try again, and clears the transfer from the list. */
  async function giveUp(copy: Copy, failure: AppError): Promise<void> {
    if (!copies.delete(copy.key)) return;
    if (copy.transferId !== null) await files.endTransfer(copy.transferId);
    await remove(copy, new AppFailure(failure));
  }

  const begin = (copy: Copy) => void check(copy).catch(failed);
  const stops = [
    engine.onEnded(({ id }) => {
      for (const copy of copies.values()) if (copy.transferId === id) begin(copy);
    }),
    engine.onChanged(() => {
      for (const copy of copies.values()) begin(copy);
    }),
  ];

  return {
    check: begin,
    stop() {
      for (const stop of stops) stop();
    },
  };
}
