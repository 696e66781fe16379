import { AppFailure } from '../../../shared/app-failure.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import { versionOf } from '../../../shared/domain/versions.ts';
import { busyObjectMs, storedLateMs } from '../model/failure-policy.ts';
import { workOf, type WorkOf } from '../model/next.ts';
import { rowOf, type StepContext } from '../parts/step-context.ts';
import { refuseToMove } from './conflict.ts';
import type { Step } from './step.ts';
import { concludeProven, concludeUpload, sendDirect } from './upload.ts';
import { bytesAt, isSame } from './stored-bytes.ts';

/*
 * Another identifier for an object: the service cannot rename (section 4.1), so the object is downloaded and uploaded
 * under the new one, without a copy on this disk. The stored copy is compared whole. Only then is the object deleted,
 * after it was read once more.
 */

/**
 * As `sendDirect`, once the new identifier was free and that is recorded: from then on an object there may be the copy. It gets the
 * classification that the object has by then: one that is being changed is waited for.
 * @throws AppFailure exists
 */
export const sendMove: Step<'sending'> = async (context, state) => {
  const work = workOf(context, 'upload');
  if (work.mayBeThere) return sendDirect(context, state);
  const { list, record } = context;
  const { objectId } = work.moves ?? {};
  if (objectId !== undefined && (await list.isBeingReclassified(objectId, record.id)))
    return { state: { name: 'sending' }, delayMs: busyObjectMs, isLazy: true };
  if ((await context.service.head(record.identifier)).present) return refuseToMove();
  const [moved] = objectId === undefined ? [] : await list.rows([objectId]);
  const { classification } = moved?.record ?? work;
  return { state: { name: 'sending' }, change: { work: { ...work, classification, mayBeThere: true } } };
};

/** Compares the copy, whole. @throws AppFailure digestDiffers: other bytes are there, and nothing is deleted */
export const verifyMove: Step<'verifying'> = async (context, { sent, looks, name }) => {
  context.show.verifying();
  // Before it is read: if the row changes later, the transition is not written.
  const epoch = (await rowOf(context))?.epoch;
  const there = await bytesAt(context, context.record.identifier);
  if (there === null) {
    const delayMs = storedLateMs[looks];
    if (delayMs !== undefined) return { state: { name, sent, looks: looks + 1 }, delayMs, isLazy: true };
    return concludeUpload(context, sent, { present: false }, 'digest', epoch);
  }
  if (there.sha256 !== sent.sha256)
    throw new AppFailure({ code: 'digestDiffers', expected: sent.sha256 ?? '', actual: there.sha256 });
  return concludeProven(context, sent, 'digest', epoch);
};

/**
 * What a move finds at the former identifier. Only `same` may be deleted: it has the bytes and the classification of the copy, which is
 * there. `replaced`: others, which the list knows, because an upload of this Coffer has stored them since; `other`: others, of which it
 * knows nothing.
 */
type Former = 'same' | 'gone' | 'replaced' | 'other' | 'copyGone';

/** @param row of the former identifier, before it is read */
export async function checkFormer(
  context: StepContext,
  { at, classification, ...bytes }: NonNullable<WorkOf<'delete'>['only']>,
  row: ObjectRecord | undefined,
): Promise<Former> {
  const there = await bytesAt(context, context.record.identifier);
  if (there === null) return 'gone';
  const listed = row?.parts?.manifestSha256 ?? row?.sha256;
  if (!isSame(there, bytes)) return there.sha256 === listed ? 'replaced' : 'other';
  // What it was given since it was copied would go with it.
  if (classification !== undefined && row && row.classification !== classification) return 'replaced';
  return (await isCopyAt(context, at, bytes.lengthBytes)) ? 'same' : 'copyGone';
}

/** Whether the copy is there, or where it was moved since: each copy was compared whole. @param further how many moves to follow */
async function isCopyAt(
  context: StepContext,
  at: string,
  lengthBytes: number,
  further: number = mostMoves,
): Promise<boolean> {
  const copy = await context.service.head(at);
  if (copy.present) return copy.lengthBytes === null || copy.lengthBytes === lengthBytes;
  const to = further > 0 ? await movedTo(context, at) : null;
  return to !== null && isCopyAt(context, to, lengthBytes, further - 1);
}

const mostMoves = 10;

async function movedTo({ list, rules, record }: StepContext, identifier: string): Promise<string | null> {
  const { separator, versionMark } = rules;
  const { base } = versionOf(identifier, separator, versionMark);
  const listed = await list.versions(record.serviceId, record.kind, base, { separator, versionMark });
  const row = listed.find((version) => version.record.identifier === identifier)?.record;
  return row?.state === 'gone' ? (row.movedTo ?? null) : null;
}
