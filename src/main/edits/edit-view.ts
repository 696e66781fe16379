import type { Edit, EditState, RowEdit, SaveAs } from '../../shared/domain/edit.ts';
import type { WaitingFor } from '../../shared/domain/transfer.ts';
import type { AppError, AppErrorOf } from '../../shared/errors.ts';
import type { TransferRecord } from '../transfers/model/record.ts';
import type { EditRecord } from './edit-record.ts';

/** The current status of an edit that its record does not contain. */
export interface EditNow {
  /** The download of the copy, or the upload of the save. */
  readonly transfer: TransferRecord | null;
  /** The copy is being opened: until the desktop answers, or an editor on the terminal is closed. */
  readonly isShowing: boolean;
  /** Why the system did not open the copy, why the last save could not be copied, and why finishing failed. */
  readonly notOpened: AppError | null;
  readonly notCopied: AppError | null;
  readonly notEnded: AppErrorOf<'editNotFinished'> | null;
}

export function stateOf(
  { fetch, sending, kept: pendingSave, conflict }: EditRecord,
  { transfer, isShowing }: EditNow,
): EditState {
  if (isShowing) return 'opening';
  const name = transfer?.state.name;
  const isStuck = name === 'failed' || name === 'lost' || name === 'cancelled';
  if ((fetch || sending) && isStuck) return 'failed';
  if (fetch) return 'opening';
  if (conflict) return conflict.kind;
  if (sending) return name === 'asking' ? 'asking' : 'uploading';
  return pendingSave ? 'saved' : 'editing';
}

export function rowEditOf(edit: EditRecord, now: EditNow): RowEdit {
  return { id: edit.id, state: stateOf(edit, now), savedAtMs: edit.savedAtMs };
}

/** The edit as the window shows it. */
export function describeEdit(
  edit: EditRecord,
  now: EditNow,
  also: { waitingFor: WaitingFor | null; saveAs: SaveAs },
): Edit {
  const { id, serviceId, objectId, identifier, startedAtMs, savedAtMs, storedAtMs, isFinishing } = edit;
  const { waitingFor, saveAs } = also;
  const mine = edit.kept ?? edit.sending;
  return {
    id,
    serviceId,
    objectId,
    identifier,
    state: stateOf(edit, now),
    startedAtMs,
    savedAtMs,
    storedAtMs,
    mine: mine && { savedAtMs: mine.savedAtMs, lengthBytes: mine.lengthBytes },
    theirs:
      edit.conflict?.kind === 'changed'
        ? { lengthBytes: edit.conflict.lengthBytes, seenAtMs: edit.conflict.seenAtMs }
        : null,
    transferId: (edit.fetch ?? edit.sending)?.transferId ?? null,
    waitingFor,
    error: errorOf(edit, now),
    isFinishing,
    saveAs,
  };
}

function errorOf(
  { conflict }: EditRecord,
  { transfer, notOpened, notCopied, notEnded }: EditNow,
): AppError | null {
  if (conflict?.kind === 'failed') return conflict.error;
  const { state } = transfer ?? {};
  if (state?.name === 'failed' || state?.name === 'lost') return state.error ?? { code: 'cancelled' };
  return state?.name === 'cancelled' ? { code: 'cancelled' } : (notCopied ?? notEnded ?? notOpened);
}
