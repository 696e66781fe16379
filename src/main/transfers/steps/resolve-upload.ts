import { toAppError } from '../../../shared/app-failure.ts';
import { rowOf, type StepContext } from '../parts/step-context.ts';
import { workOf, type Next } from '../model/next.ts';
import type { Seen, State, StateOf } from '../model/state.ts';
import { handleConflict, refuseToMove } from './conflict.ts';
import type { Step } from './step.ts';
import { sentPlanOf } from './upload-body.ts';
import { concludeOwn, handlePresent, mayBeOurs } from './upload.ts';
import { postLateMs, storedLateMs } from '../model/failure-policy.ts';

/** Finds out what is on the service after a lost answer, or for an upload that was given up. */
export const resolveUpload: Step<'unsure'> = async (context, state) => {
  const { record } = context;
  const { goal, error } = state;
  // Read before HEAD: a later change of the row is not in its answer.
  const before = await rowOf(context);
  const { listedStoredAtMs = before?.record.storedAtMs ?? null } = state;
  const noted = { ...state, listedStoredAtMs };
  context.show.note(noted);
  const seen = await context.service.head(record.identifier);
  if (goal === 'refused') return handleRefusal(context, noted, seen, before?.epoch);
  if (goal === 'goOn' || goal === 'lost') {
    if (seen.present) {
      const asked = workOf(context, 'upload');
      // Nothing was sent before its identifier was seen to be free.
      if (asked.moves && !asked.mayBeThere) return refuseToMove();
      return handlePresent(mayBeOurs(context), seen, before?.epoch);
    }
    if (goal === 'lost')
      return { state: { name: 'lost', error }, row: releaseOf('failed', error?.code ?? 'missing') };
    // The POST may still be carried out: a 409 to the next one is compared.
    return sendAgain(context);
  }
  const ended: State = goal === 'fail' && error ? { name: 'failed', error } : { name: 'cancelled' };
  const plan = sentPlanOf(context);
  const sentBytes = plan ? Buffer.byteLength(plan.text) : record.totalBytes;
  const epoch = before?.epoch ?? null;
  const row = seen.present
    ? ({ kind: 'found', lengthBytes: seen.lengthBytes, sentBytes, listedStoredAtMs, epoch } as const)
    : releaseOf('failed', error?.code ?? 'cancelled');
  // The object may be another's, and a deferred upload may still come; a direct one would have been refused.
  const mayStillCome = !seen.present || record.route === 'deferred';
  const delayMs = postLateMs[state.looks];
  if (mayStillCome && delayMs !== undefined) {
    const again = { state: { ...noted, looks: state.looks + 1 }, delayMs, isLazy: true };
    return seen.present ? { ...again, row } : again;
  }
  return { state: ended, row };
};

/** Handles a 409 where nothing had been, by what HEAD has found since. No other name is taken before it is compared. */
async function handleRefusal(
  context: StepContext,
  state: StateOf<'unsure'>,
  seen: Seen,
  epoch: number | undefined,
): Promise<Next> {
  const ours = mayBeOurs(context);
  if (seen.present) {
    const own = await concludeOwn(ours, seen, epoch).catch((cause: unknown) => {
      // A token that may not read what is there cannot tell.
      if (toAppError(cause)?.code !== 'forbidden') throw cause;
      return null;
    });
    return own ?? handleConflict(context, seen);
  }
  const delayMs = storedLateMs[state.looks];
  if (delayMs !== undefined) return { state: { ...state, looks: state.looks + 1 }, delayMs, isLazy: true };
  // An object that cannot be seen, because it is being deleted or the token may not see it, cannot be replaced:
  // without a prompt the bytes would be sent and refused for ever.
  if (workOf(context, 'upload').ifExists !== 'replace') return handleConflict(ours, seen);
  return { state: { name: 'asking', seen } };
}

function releaseOf(state: 'failed' | 'unknown', detail: string) {
  return { kind: 'release', state, history: { action: 'uploadFailed', detail } } as const;
}

/**
 * Goes back to the state in which a direct upload sends and a deferred one starts: at once, unless it was paused
 * meanwhile.
 */
function sendAgain(context: StepContext): Next {
  const work = { ...workOf(context, 'upload'), mayBeThere: true };
  const name: StateOf<'sending' | 'waiting'>['name'] =
    context.record.route === 'direct' ? 'sending' : 'waiting';
  return { state: { name }, change: { work }, keepsClaim: true, delayMs: 0 };
}
