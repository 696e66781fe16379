import { AppFailure } from '../../../../shared/errors.ts';
import { headObject, patienceMs } from '../../verify.ts';
import { bytesAt, isSame, storeMine } from './bytes.ts';
import { abandon, goOut, goTo, lookAgain, nameBeside, type ReplaceStep } from './progress.ts';

/**
 * The new bytes beside the object, with the same classification: what the service would refuse, it refuses here, with everything
 * as it was; and from here on a whole copy of them is there while the object is not. Then the object once more, as it is.
 */
export const stage: ReplaceStep = async (context, progress, { looks }) => {
  const { record } = context;
  const { mine, old, staged } = progress;
  if (mine === null || old === null || staged === null) throw new Error('a Replace has kept nothing');
  if (!(await storeMine(context, progress, staged)) && !isSame(await bytesAt(context, staged), mine))
    return goTo(context, progress, { staged: nameBeside(record.identifier, 'r', mine.sha256) });
  const there = await headObject(context, staged);
  if (!there.present) {
    const delayMs = patienceMs[looks];
    if (delayMs !== undefined) return lookAgain(looks + 1, delayMs);
  }
  if (!there.present || (there.lengthBytes !== null && there.lengthBytes !== mine.lengthBytes)) {
    const storedBytes = there.present ? there.lengthBytes : null;
    throw new AppFailure({ code: 'storedLengthDiffers', sentBytes: mine.lengthBytes, storedBytes });
  }
  context.onVerifying();
  const seen = await headObject(context, record.identifier);
  if (seen.present && seen.lengthBytes !== null && seen.lengthBytes !== old.lengthBytes)
    return abandon(context, progress, { kind: 'asking', there: null, seen });
  // From here on it may leave: nobody says that the object is stored until it is proven again.
  return goOut(context, progress, seen.present ? 'delete' : 'absent');
};
