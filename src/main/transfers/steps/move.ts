import { AppFailure } from '../../../shared/app-failure.ts';
import { storedLateMs } from '../model/late-outcomes.ts';
import { workOf, type Next, type WorkOf } from '../model/next.ts';
import type { StateOf } from '../model/state.ts';
import { concludeUpload } from './conclude-upload.ts';
import type { StepContext } from './step.ts';
import { bytesAt, isSame } from './stored-bytes.ts';

/*
 * Another identifier for an object: the service cannot rename (section 4.1), so the object is downloaded and uploaded
 * under the new one, without a copy on this disk. The stored copy is compared whole. Only then is the object deleted,
 * after it was read once more.
 */

/** The new identifier exists, and this transfer did not store it. */
export const refuseToMove = (): never => {
  throw new AppFailure({ code: 'exists', status: 409, message: '' });
};

/**
 * Checks that the new identifier is free, and records it: from now on an object there may be the copy. null: already
 * recorded. @throws AppFailure exists
 */
export async function beginMove(context: StepContext): Promise<Next | null> {
  const work = workOf(context, 'upload');
  if (!work.moves || work.mayBeThere) return null;
  if ((await context.service.head(context.record.identifier)).present) return refuseToMove();
  return { state: { name: 'sending' }, change: { work: { ...work, mayBeThere: true } } };
}

/**
 * Compares the copy, whole. @param epoch of its row before
 * @throws AppFailure digestDiffers: other bytes are there, and nothing is deleted
 */
export async function verifyCopy(
  context: StepContext,
  { sent, looks, name }: StateOf<'verifying'>,
  epoch: number | undefined,
): Promise<Next> {
  const there = await bytesAt(context, context.record.identifier);
  if (there === null) {
    const delayMs = storedLateMs[looks];
    if (delayMs !== undefined) return { state: { name, sent, looks: looks + 1 }, delayMs, isBehind: true };
    return concludeUpload(context, sent, { present: false }, 'digest', epoch);
  }
  if (there.sha256 !== sent.sha256)
    throw new AppFailure({ code: 'digestDiffers', expected: sent.sha256 ?? '', actual: there.sha256 });
  return concludeUpload(context, sent, { present: true, lengthBytes: sent.sentBytes }, 'digest', epoch);
}

/** What a move finds at the former identifier. Only `same` may be deleted: it has the bytes of the copy, which is there. */
type Former = 'same' | 'gone' | 'other' | 'copyGone';

export async function lookAtFormer(
  context: StepContext,
  { at, ...bytes }: NonNullable<WorkOf<'delete'>['only']>,
): Promise<Former> {
  const there = await bytesAt(context, context.record.identifier);
  if (there === null) return 'gone';
  if (!isSame(there, bytes)) return 'other';
  const copy = await context.service.head(at);
  const isCopy = copy.present && (copy.lengthBytes === null || copy.lengthBytes === bytes.lengthBytes);
  return isCopy ? 'same' : 'copyGone';
}
