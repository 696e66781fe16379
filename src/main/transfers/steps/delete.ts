import { toAppError } from '../../../shared/app-failure.ts';
import { provenDigest } from '../../../shared/domain/unverified.ts';
import { ownerOf } from '../../../shared/domain/made-names.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { AppError } from '../../../shared/errors.ts';
import { rowOf, type StepContext } from '../parts/step-context.ts';
import { manifestBeginning, maxManifestBytes, type Manifest } from '../parts/manifest.ts';
import { peekManifest, readManifest } from '../parts/read-manifest.ts';
import { workOf, type Next } from '../model/next.ts';
import { deleteObject } from '../queue/delete-object.ts';
import { checkFormer } from './move.ts';
import type { Step } from './step.ts';
import { deletedLateMs, unacceptedLateMs } from '../model/failure-policy.ts';

/** No manifest is shorter. */
const minManifestBytes = manifestBeginning.length + 600;
/** Looks after a lost answer, or after a kill, before the deletion of known bytes is sent again. */
const checksBeforeAgain = 4;

/**
 * Section 4.1, Delete Data. Sent once for each request of a person: once it may have been carried out, only HEAD is
 * sent, because somebody may have stored the identifier again. After a move the object is read first, and deleted
 * only if the copy under the new identifier has the same bytes.
 */
export const sendDelete: Step<'waiting'> = async (context) => {
  const { record } = context;
  const { only, unseen } = workOf(context, 'delete');
  const row = (await rowOf(context))?.record;
  if (only) {
    const former = await checkFormer(context, only, row);
    if (former === 'gone') return gone(context);
    const changed = { code: 'moveChanged', identifier: record.identifier } as const;
    if (former === 'replaced') return notDeleted(null, changed);
    if (former !== 'same') return notDeleted('unknown', changed, former === 'other');
  }
  const there = await readBeforeDelete(context, row);
  if (unseen && there === 'absent') return notDeleted('missing', { code: 'missing', status: 404 });
  const answer = await deleteObject(context, record.identifier);
  switch (answer.kind) {
    case 'requested':
      return {
        state: { name: 'deleting', isAnswered: true, looks: 0 },
        change: { activityToken: answer.activityToken },
        isLazy: true,
      };
    case 'missing': {
      const manifest = typeof there === 'string' ? await listedManifest(context, row) : there;
      // It was gone before: its parts may be in use elsewhere, so that a person decides about them.
      if (manifest) await context.parts.orphans.noteGone(record, manifest);
      return gone(context);
    }
    case 'refused':
      // A moved object that stays needs a person's attention.
      return notDeleted(only ? 'unknown' : null, answer.error);
    case 'unsure': {
      const refusal = answer.error.code === 'unexpectedAnswer' ? { refusal: answer.error } : {};
      return { state: { name: 'deleting', isAnswered: false, looks: 0, ...refusal } };
    }
  }
};

/** What is stored under the identifier of a deletion. */
type Found = Manifest | 'file' | 'absent';

/**
 * Reads what is there right before DELETE is sent. If it is a manifest, its parts are recorded: without it they could
 * no longer be named. The list alone is not enough, because somebody may have stored another manifest since.
 * @throws CircuitOpen, AppFailure: then nothing is deleted
 */
async function readBeforeDelete(context: StepContext, row: ObjectRecord | undefined): Promise<Found> {
  const found = await findByLength(context, row);
  const there = found === 'manifest?' ? await readObject(context) : found;
  await context.parts.orphans.noteDeletion(context.record, typeof there === 'string' ? null : there);
  return there;
}

/**
 * Section 4.1, Check Data. `file`: the length alone shows that this is no manifest, or that it is the file that the
 * list knows.
 */
async function findByLength(
  { record: { identifier }, service }: StepContext,
  row: ObjectRecord | undefined,
): Promise<'manifest?' | 'file' | 'absent'> {
  // For a name of a Replace beside an object, the digest in the list is of the bytes there, which may be a manifest.
  if (!row || row.parts || ownerOf(identifier) !== identifier) return 'manifest?';
  const seen = await service.head(identifier);
  if (!seen.present) return 'absent';
  const { lengthBytes } = seen;
  if (lengthBytes === null) return 'manifest?';
  const isKnownFile = provenDigest(row) !== null && row.lengthBytes === lengthBytes;
  const isNoManifest = lengthBytes < minManifestBytes || lengthBytes > maxManifestBytes;
  return isKnownFile || isNoManifest ? 'file' : 'manifest?';
}

async function readObject({ record, service }: StepContext): Promise<Found> {
  try {
    const { body } = await service.get(record.identifier);
    const { reading } = await peekManifest(body, record.identifier);
    return reading.kind === 'manifest' ? reading.manifest : 'file';
  } catch (cause) {
    // There is nothing to delete either.
    if (toAppError(cause)?.code === 'missing') return 'absent';
    throw cause;
  }
}

/** The manifest that the list has of the object; null: none. */
async function listedManifest(
  { record, parts }: StepContext,
  row: ObjectRecord | undefined,
): Promise<Manifest | null> {
  const text = row?.parts ? await parts.manifestOf(row.id) : null;
  const reading = text === null ? null : await readManifest(Buffer.from(text), record.identifier);
  return reading?.kind === 'manifest' ? reading.manifest : null;
}

/** Checks by HEAD until the object is gone. */
export const confirmDeleted: Step<'deleting'> = async (context, state) => {
  const { isAnswered, looks, refusal } = state;
  const seen = await context.service.head(context.record.identifier);
  if (!seen.present) return gone(context);
  // `sendDelete` reads the object first, and deletes only the same bytes.
  if (!isAnswered && !refusal && looks === checksBeforeAgain && workOf(context, 'delete').only) {
    const next = await sendDelete(context, { name: 'waiting' });
    const isUnanswered = next.state.name === 'deleting' && !next.state.isAnswered;
    return isUnanswered ? { ...next, state: { ...next.state, looks: looks + 1 } } : next;
  }
  const delayMs = (refusal ? unacceptedLateMs : deletedLateMs)[looks];
  if (delayMs !== undefined) return { state: { ...state, looks: looks + 1 }, delayMs, isLazy: true };
  if (isAnswered) return notDeleted(null, { code: 'stillThere' });
  return notDeleted('unknown', refusal ?? { code: 'deletionUnknown' });
};

/** After a move the history, which goes with the object, does not say that a person deleted it. */
function gone(context: StepContext): Next {
  const isMoved = workOf(context, 'delete').only !== undefined;
  return {
    state: { name: 'done', outcome: null, savedPath: null },
    row: { kind: 'deleted', state: 'gone', ...(!isMoved && { history: { action: 'deleted' } }) },
    isLazy: true,
  };
}

/** @param state of the row; null: unchanged. @param isOther the bytes there are not those of the list */
function notDeleted(state: 'missing' | 'unknown' | null, error: AppError, isOther = false): Next {
  return {
    state: { name: 'failed', error },
    row: {
      kind: 'deleted',
      state,
      history: { action: 'deleteFailed', detail: error.code },
      ...(isOther && { isOther }),
    },
  };
}
