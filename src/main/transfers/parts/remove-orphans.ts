import { withOwners } from '../../../shared/domain/made-names.ts';
import { AppFailure, toAppError } from '../../../shared/app-failure.ts';
import type { Context } from '../run/context.ts';
import { partPostLateMs, deletedLateMs, refusesDeletion } from '../model/failure-policy.ts';
import type { BoundService } from '../queue/bound-service.ts';
import { judgeDeletion } from '../queue/delete-object.ts';
import { mostRequests } from '../queue/limits/adaptive-limit.ts';
import { createRetryingRequest, type RetryingRequest } from '../queue/retrying-request.ts';
import { isFor } from '../queue/origin.ts';
import type { UndoManifests } from './undo-manifests.ts';
import { partIdOf } from './manifest.ts';
import type { Orphaned, Orphans, OrphanedStep } from './orphans.ts';
import { type Reading, peekManifest } from './read-manifest.ts';
import { mapConcurrent } from '../../lib/async.ts';

/** The manifest at the object is read again after this many. */
const partsAtOnce = 512;

/** The service has another address now: the work waits until the old one is back. */
class OriginLeft extends Error {}

interface Deps {
  readonly context: Pick<Context, 'connections' | 'breakers' | 'clock' | 'closing'>;
  readonly orphans: Orphans;
  readonly undoManifests: Pick<UndoManifests, 'all'>;
}

interface Removal extends Deps {
  readonly service: ReturnType<typeof bindOrphaned>;
}

/**
 * Creates the removal of orphans: first the manifest that a Replace kept, if there is one, then the parts. Their
 * names belong to one upload, which is over, so a DELETE of one may be sent again.
 * @returns removes those of one upload until they are gone, or are left for a person to decide. Rejects when it
 * cannot continue now
 */
export function createOrphanRemoval(deps: Deps): (orphaned: Orphaned) => Promise<void> {
  const { context, orphans } = deps;
  const request = createRetryingRequest({ ...context, priority: 'bulk' });
  return async (orphaned) => {
    const removal = { ...deps, service: bindOrphaned(request, context.closing, orphaned) };
    for (let now = orphaned; now.step.name === 'list' || now.step.name === 'parts';) {
      const step = await takeStep(removal, now);
      if (step === null) return orphans.forget(now);
      now = { ...now, step };
      await orphans.put(now);
    }
  };
}

/** null: nothing is left. */
async function takeStep(removal: Removal, orphaned: Orphaned): Promise<OrphanedStep | null> {
  const { step } = orphaned;
  try {
    if (step.name === 'list') return await removeManifest(removal, orphaned, step);
    if (step.name === 'parts') return await removeParts(removal, orphaned, step);
    return step;
  } catch (cause) {
    const error = toAppError(cause);
    if (error && refusesDeletion(error)) return { name: 'left', why: 'refused' };
    throw cause;
  }
}

async function removeManifest(
  removal: Removal,
  orphaned: Orphaned,
  { isAsked }: Extract<OrphanedStep, { name: 'list' }>,
): Promise<OrphanedStep | null> {
  const { service, orphans } = removal;
  const { clock, closing } = removal.context;
  const { list } = orphaned;
  const there = await service.readManifest(list);
  if (there.kind !== 'manifest' || there.manifest.upload !== orphaned.upload) {
    if (there.kind === 'none' && isAsked) return { name: 'parts', late: [] };
    // This is not the manifest that was kept, so another one may name the parts.
    const isSure = orphaned.parts.length === 0 || (await isInUse(removal, orphaned)) === true;
    return isSure ? null : { name: 'left', why: 'unknown' };
  }
  await orphans.put({ ...orphaned, step: { name: 'list', isAsked: true } });
  await service.remove(list);
  for (const delayMs of deletedLateMs) {
    if (!(await service.isThere(list))) return { name: 'parts', late: [] };
    await clock.delay(delayMs, closing);
  }
  return { name: 'left', why: 'stillThere' };
}

async function removeParts(
  removal: Removal,
  orphaned: Orphaned,
  { late }: Extract<OrphanedStep, { name: 'parts' }>,
): Promise<OrphanedStep | null> {
  const { service } = removal;
  const { clock, closing } = removal.context;
  const beganAtMs = clock.monotonicMs();
  let open = [...orphaned.parts];
  const mayCome = new Set(late);
  for (let pass = 0; ; pass += 1) {
    let isOneThere = false;
    const next: number[] = [];
    if (clock.monotonicMs() - beganAtMs >= partPostLateMs) mayCome.clear();
    for (let from = 0; from < open.length; from += partsAtOnce) {
      const use = await isInUse(removal, orphaned);
      if (use === true) return null;
      if (use === 'unreadable' || orphaned.wasListed) return { name: 'left', why: 'unknown' };
      const batch = open.slice(from, from + partsAtOnce);
      await mapConcurrent(batch, mostRequests, async (index) => {
        const id = partIdOf(orphaned, index);
        const wasThere = pass > 0 ? await service.isThere(id) : true;
        // A deletion is only initiated (section 4.1), so the next pass checks what was deleted.
        const isOpen = wasThere && (await service.remove(id));
        if (isOpen) isOneThere = true;
        if (isOpen || mayCome.has(index)) next.push(index);
      });
    }
    open = next;
    if (open.length === 0) return null;
    const delayMs = deletedLateMs[pass];
    if (delayMs === undefined) return isOneThere ? { name: 'left', why: 'stillThere' } : null;
    await clock.delay(delayMs, closing);
  }
}

/** Whether a manifest names them: one at the object, or at a copy between that and their own; a copy of ours; an undo copy. */
async function isInUse(
  { undoManifests, service }: Removal,
  orphaned: Orphaned,
): Promise<boolean | 'unreadable'> {
  const { base, upload, list: lay, copies, serviceId, origin } = orphaned;
  const isUndoCopy = undoManifests
    .all()
    .some(
      (list) => list.manifest.upload === upload && list.serviceId === serviceId && list.origin === origin,
    );
  if (isUndoCopy) return true;
  const owners = withOwners(lay);
  const between = owners.slice(1, Math.max(owners.indexOf(base), 1));
  for (const identifier of [base, ...between, ...copies]) {
    const there = await service.readManifest(identifier);
    if (there.kind === 'newer' || there.kind === 'wrong') return 'unreadable';
    if (there.kind === 'manifest' && there.manifest.upload === upload) return true;
  }
  return false;
}

/** The service as these parts see it, for as long as it is where they were stored. @throws OriginLeft, AppFailure */
function bindOrphaned(request: RetryingRequest, signal: AbortSignal, orphaned: Orphaned) {
  function ask<T>(send: (service: BoundService) => Promise<T>): Promise<T> {
    return request(orphaned.serviceId, signal, async (service, origin) => {
      if (!isFor(orphaned, origin)) throw new OriginLeft();
      return send(service);
    });
  }

  return {
    isThere: async (id: string) => (await ask((service) => service.head(id))).present,
    /** Section 4.1, Delete Data. Resolves with whether it existed. */
    async remove(id: string): Promise<boolean> {
      const answer = await judgeDeletion((onLeaving) => ask((service) => service.remove(id, onLeaving)));
      if (answer.kind === 'refused' || answer.kind === 'unsure') throw new AppFailure(answer.error);
      return answer.kind === 'requested';
    },
    /** What is stored there now, as far as it is a manifest. */
    async readManifest(id: string): Promise<Reading> {
      try {
        return await ask(async (service) => {
          const { body } = await service.get(id);
          return (await peekManifest(body, id)).reading;
        });
      } catch (cause) {
        if (toAppError(cause)?.code === 'missing') return { kind: 'none' };
        throw cause;
      }
    },
  };
}
