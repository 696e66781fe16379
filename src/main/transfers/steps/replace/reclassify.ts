import { Readable } from 'node:stream';
import { AppFailure } from '../../../../shared/app-failure.ts';
import { sumUpBody } from '../../../service/bodies.ts';
import { rowOf } from '../../chunks/chunk-context.ts';
import { sniffManifest } from '../../chunks/sniff-manifest.ts';
import { workOf, type Next } from '../../model/next.ts';
import type { Replace } from '../../model/record.ts';
import { abandoned, stagedOf, staying } from '../../model/replace-endings.ts';
import { headObject } from '../../queue/head-object.ts';
import type { VaultBytes } from '../../undo/sealed-source.ts';
import type { StepContext } from '../step.ts';
import { receive } from './bytes.ts';
import { absentMs, isAgreed, knownOfOld } from './keep.ts';
import { goOnToStage, lookAgain, type ReplaceStep } from './progress.ts';

/*
 * Another classification for an object: a Replace by its own bytes, which the service sends and takes, since it can
 * change nothing (section 4.1). Nothing is kept on this disk. The copy beside the object has the new classification and
 * is compared whole before the object is deleted: from then on it is the copy that is surely there.
 */

export function isReclassification(context: StepContext): boolean {
  return workOf(context, 'upload').reclassifies === true;
}

/** Reads the object, whose bytes are the old and the new ones. @throws AppFailure objectChanged, partsShared */
export const beginReclassifying: ReplaceStep = async (context, progress, { looks }) => {
  const { identifier } = context.record;
  const seen = await headObject(context, identifier);
  if (!seen.present) {
    const delayMs = absentMs[looks];
    if (delayMs !== undefined) return lookAgain(looks + 1, delayMs);
    throw new AppFailure({ code: 'objectChanged', copy: null });
  }
  const bytes = await wholeAt(context, identifier);
  const isClaimed = (await rowOf(context))?.record.isDigestClaimed === true;
  if (bytes === null || !(isClaimed || (await isAgreed(context, bytes, bytes))))
    throw new AppFailure({ code: 'objectChanged', copy: null });
  const mine = { file: null, ...bytes };
  const { classification } = await knownOfOld(context);
  return goOnToStage(context, { ...progress, mine }, { ...mine, classification });
};

/** null: no object. @throws AppFailure partsShared: the parts of a chunked file keep the classification they have */
async function wholeAt(context: StepContext, identifier: string): Promise<VaultBytes | null> {
  const received = await receive(context, identifier);
  if (received === null) return null;
  const { reading, pieces } = await sniffManifest(Readable.from(received), identifier);
  const bytes = await sumUpBody(pieces);
  if (reading.kind !== 'none') throw new AppFailure({ code: 'partsShared' });
  return bytes;
}

/** Somebody has stored something else, which stays. So does the copy beside it, the only one of the old bytes. */
export function endAtThird(context: StepContext, progress: Replace): Next {
  const error = { code: 'objectChanged', copy: progress.staged } as const;
  return {
    ...abandoned(context.record, { ...progress, end: { kind: 'failed', error } }, true),
    row: { kind: 'release', state: 'unknown', history: { action: 'uploadFailed', detail: error.code } },
    leftovers: stagedOf(workOf(context, 'upload'), progress).map(staying),
  };
}
