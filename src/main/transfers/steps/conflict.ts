import { maxNumberedIdentifier, numberedIdentifier } from '../../../shared/domain/object-id.ts';
import type { SkippedOutcome } from '../../../shared/domain/transfer.ts';
import { versionIdentifier, versionOf } from '../../../shared/domain/versions.ts';
import { AppFailure, toAppError } from '../../../shared/app-failure.ts';
import { remedyFor } from '../model/failure-policy.ts';
import { CircuitOpen } from '../queue/circuit-breaker.ts';
import { checkFurther, newestListed } from '../queue/newest-version.ts';
import { isOfWatched } from '../model/record.ts';
import type { Seen } from '../model/state.ts';
import { rowOf, type StepContext } from '../parts/step-context.ts';
import { workOf, type Next, type WorkOf } from '../model/next.ts';
import { maxTakenNames } from '../model/work.ts';
import { isClassificationListed } from './inherited-classification.ts';
import { asListed, confirm, sameThere } from './verify.ts';
import { beginReplace } from './replace/progress.ts';

/**
 * Handles an identifier that exists and is not ours, as the person chose. @throws CircuitOpen, AppFailure
 * @param isRefused 409 to our bytes where nobody had looked: what is there is compared with them before anything is
 * made of it
 */
export async function handleConflict(context: StepContext, seen: Seen, isRefused = false): Promise<Next> {
  const work = workOf(context, 'upload');
  if (work.moves) return seen.present ? endMove(seen) : refuseToMove();
  // Of versions only the newest counts; the numbering state looks for it.
  if (work.ifExists === 'newVersion') return handleVersion(context, seen);
  const resolved = { ...work, mayBeThere: false };
  const row = work.ifExists === 'skip' ? null : await rowOf(context);
  if (work.ifExists !== 'skip' && context.rules.skipIdentical) {
    const same = await (isRefused
      ? sameThere(context, work, row?.record, context.record.identifier, seen)
      : asListed(context, work, row?.record, seen));
    if (same) return { ...skipped(resolved, seen, { isIdentical: true }), ...confirm(row, same) };
  }
  switch (work.ifExists) {
    case 'ask':
      return asking(resolved, seen);
    case 'replace': {
      // Nobody would notice that it gets another classification.
      const isUnsure = isOfWatched(context.record) && work.agreed === undefined;
      if (isUnsure && !isClassificationListed(row?.record)) return asking(resolved, seen);
      return beginReplace(resolved);
    }
    case 'skip':
      return skipped(resolved, seen, {});
    case 'keepBoth':
      return keepBoth(context, seen);
  }
}

const existing = { code: 'exists', status: 409, message: '' } as const;

/** The new identifier exists, and this transfer did not store it. */
export const refuseToMove = (): never => {
  throw new AppFailure(existing);
};

/** As `refuseToMove`, where the bytes were compared: to look again, by the length alone, would prove less. */
function endMove(seen: Seen): Next {
  return { state: { name: 'failed', error: existing }, row: { kind: 'skipped', seen } };
}

function asking(work: WorkOf<'upload'>, seen: Seen): Next {
  return { state: { name: 'asking', seen }, change: { work } };
}

/** @param why empty: other bytes are there, and stay */
export function skipped(work: WorkOf<'upload'>, seen: Seen, why: Omit<SkippedOutcome, 'kind'>): Next {
  return {
    state: { name: 'done', outcome: { kind: 'skipped', ...why }, savedPath: null },
    change: { work },
    row: { kind: 'skipped', seen },
  };
}

/**
 * Whether a new version needs a number before it is sent under the name asked for. It does if the list or the service
 * has later versions, so that this one would not be the newest although its name is free (the first was deleted), and
 * if another upload of ours may have stored something there, since equal bytes would not tell whose they are.
 */
export async function needsNumber(context: StepContext): Promise<boolean> {
  const { record, list, rules } = context;
  const { id, serviceId, kind, identifier } = record;
  const { separator, versionMark } = rules;
  const own = versionOf(identifier, separator, versionMark);
  const listed = await list.versions(serviceId, kind, own.base, { separator, versionMark });
  if ((newestListed(listed)?.number ?? 0) > own.number || (await list.isBeingStored(id, identifier)))
    return true;
  const { versionReach } = context.rules;
  if (versionReach === 0) return false;
  const nameOf = (number: number) => versionIdentifier(own.base, separator, versionMark, number);
  const check = (number: number) => context.service.head(nameOf(number));
  try {
    if ((await context.service.head(identifier)).present) return true;
    return (await checkFurther(own.number, versionReach, check)) !== null;
  } catch (cause) {
    // The search for a number asks the same, and goes on where a service refused the rest. It may find that the first is free.
    if (own.number === 1 && isHeld(cause)) return true;
    throw cause;
  }
}

/** Whether the service refuses requests for a while. */
function isHeld(cause: unknown): boolean {
  const error = toAppError(cause);
  return cause instanceof CircuitOpen || (error !== undefined && remedyFor(error, 1, 0).kind === 'hold');
}

/** An object that HEAD does not show although the service says that it exists may still be ours. */
function handleVersion({ record, rules }: StepContext, seen: Seen): Next {
  const { separator, versionMark } = rules;
  const awaits = seen.present ? null : versionOf(record.identifier, separator, versionMark).number;
  const work = workOf({ record }, 'upload');
  return {
    state: { name: 'numbering', awaits, looks: 0 },
    ...(seen.present && { change: { work: { ...work, mayBeThere: false } } }),
  };
}

/**
 * Continues under the first identifier beside this one that neither the list nor the service has. Its row is the
 * reservation: of two uploads that find the same one free, one adds the row and the other looks further.
 */
async function keepBoth(context: StepContext, seen: Seen): Promise<Next> {
  const { record, rules, list } = context;
  const work = workOf(context, 'upload');
  // This upload did not store the object that is there. But if it may still arrive there, the list must keep the
  // identifier.
  const former = work.mayBeThere ? ({ kind: 'skipped', seen } as const) : ({ kind: 'remove' } as const);
  const { takenNames = 0 } = work;
  if (takenNames >= maxTakenNames) return endRefused();
  for (let number = 2; number < maxNumberedIdentifier; number += 1) {
    const identifier = numberedIdentifier(record.identifier, rules.separator, number);
    if ((await context.service.head(identifier)).present) continue;
    const taken = await list.takeIdentifier(record.id, identifier, former);
    if (!taken) continue;
    const { objectId } = taken;
    return {
      state: { name: record.route === 'direct' ? 'sending' : 'waiting' },
      change: {
        identifier,
        objectId,
        work: { ...work, addedRow: true, mayBeThere: false, takenNames: takenNames + 1 },
      },
      keepsClaim: true,
    };
  }
  throw new AppFailure(existing);
}

/** So many free names were refused that the service must be storing what it refuses, or hiding what it has. */
export function endRefused(): Next {
  const error = { code: 'namesRefused', count: maxTakenNames } as const;
  return {
    state: { name: 'failed', error },
    row: { kind: 'release', state: 'unknown', history: { action: 'uploadFailed', detail: error.code } },
  };
}
