import { AppFailure } from '../../../shared/errors.ts';
import { lateDeletionMs } from '../steps/delete.ts';
import type { StepContext } from '../step.ts';
import type { DeletedPart } from './deleted-parts.ts';
import type { Plan } from './journal.ts';
import type { ManifestPart } from './manifest.ts';
import { doSideBySide } from './side-by-side.ts';

/** So often a part may be gone again. */
const mostLosses = 4;

/**
 * Before the list of parts leaves: those whose names were deleted before are looked at again when a deletion that comes late would
 * have been seen; what is gone is sent anew. @param isWhole whether it is there, with its length
 * @throws AppFailure partsLeaving: not yet; as `noteLoss`; what `isWhole` throws
 */
export async function lookAtDeletedAgain(
  context: StepContext,
  plan: Plan<'upload'>,
  isWhole: (part: ManifestPart) => Promise<boolean>,
): Promise<void> {
  const { inParts, clock } = context;
  const { deletedParts } = inParts;
  const { profileId, origin } = plan;
  const open = plan.parts.flatMap((part) => {
    const deleted = deletedParts.find({ profileId, origin, id: part.id });
    return deleted ? [{ part, deleted }] : [];
  });
  if (open.length === 0) return;
  context.onVerifying();
  const nowMs = clock.nowMs();
  const isLater = ({ metAtMs }: DeletedPart) => metAtMs !== null && nowMs - metAtMs >= lateDeletionMs;
  for (const { deleted } of open)
    // A clock that was set back begins the minute anew.
    if (deleted.metAtMs === null || deleted.metAtMs > nowMs)
      await deletedParts.change(deleted, { metAtMs: nowMs });
  if (!open.every(({ deleted }) => isLater(deleted))) throw new AppFailure({ code: 'partsLeaving' });
  let isOneGone = false;
  await doSideBySide(open, context.borrow, async ({ part, deleted }) => {
    if (await isWhole(part)) return deletedParts.remove(deleted);
    isOneGone = true;
    await noteLoss(context, plan, part);
  });
  if (isOneGone) throw new AppFailure({ code: 'partsLeaving' });
  context.onGotFurther();
}

/**
 * A part that was stored is not there: of a name that was deleted before it is to be sent anew, and the deletion may be over now.
 * @throws AppFailure partDiffers: its name was not, or the service takes it away again and again
 */
export async function noteLoss(
  { inParts: { deletedParts, journal } }: Pick<StepContext, 'inParts'>,
  { profileId, origin, transferId }: Plan<'upload'>,
  { id: identifier, size: expectedBytes }: ManifestPart,
): Promise<void> {
  const deleted = deletedParts.find({ profileId, origin, id: identifier });
  const losses = (deleted?.losses ?? 0) + 1;
  if (deleted) {
    await deletedParts.change(deleted, { metAtMs: null, losses });
    await journal.mark(transferId, identifier, null);
  }
  if (deleted && losses < mostLosses) return;
  throw new AppFailure({ code: 'partDiffers', identifier, expectedBytes, storedBytes: null });
}
