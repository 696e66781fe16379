import { withOwners } from '../../../shared/domain/made-names.ts';
import { AppFailure, toAppError } from '../../../shared/app-failure.ts';
import type { Context } from '../run/context.ts';
import { chunkPostLateMs, deletedLateMs, refusesDeletion } from '../model/failure-policy.ts';
import type { BoundService } from '../queue/bound-service.ts';
import { judgeDeletion } from '../queue/delete-object.ts';
import { mostRequests } from '../queue/limits/adaptive-limit.ts';
import { createRetryingRequest } from '../queue/retrying-request.ts';
import { isFor } from '../queue/origin.ts';
import type { UndoManifests } from './undo-manifests.ts';
import { chunkIdOf } from './manifest.ts';
import type { Orphaned, Orphans, OrphanedStep } from './orphans.ts';
import { type Reading, peekManifest } from './read-manifest.ts';
import { mapConcurrent } from '../../lib/async.ts';

/** The manifest at the object is read again after this many. */
const chunksAtOnce = 512;

/** The service has another address now: the work waits until the old one is back. */
class OriginLeft extends Error {}

/**
 * Creates the removal of orphans: first the manifest that a Replace kept, if there is one, then the chunks. Their
 * names belong to one upload, which is over, so a DELETE of one may be sent again.
 * @returns removes those of one upload until they are gone, or are left for a person to decide. Rejects when it
 * cannot continue now
 */
export function createOrphanRemoval(deps: {
  context: Pick<Context, 'connections' | 'breakers' | 'clock' | 'closing'>;
  orphans: Orphans;
  undoManifests: Pick<UndoManifests, 'all'>;
}): (orphaned: Orphaned) => Promise<void> {
  const { context, orphans, undoManifests } = deps;
  const { connections, breakers, clock, closing } = context;
  const request = createRetryingRequest({ connections, breakers, clock, priority: 'bulk' });

  /** @throws OriginLeft, AppFailure */
  function sendAt<T>(orphaned: Orphaned, send: (service: BoundService) => Promise<T>): Promise<T> {
    return request(orphaned.serviceId, closing, async (service, origin) => {
      if (!isFor(orphaned, origin)) throw new OriginLeft();
      return send(service);
    });
  }

  /** null: 404. @throws OriginLeft, AppFailure */
  async function ask<T>(orphaned: Orphaned, send: (service: BoundService) => Promise<T>): Promise<T | null> {
    try {
      return await sendAt(orphaned, send);
    } catch (cause) {
      if (toAppError(cause)?.code === 'missing') return null;
      throw cause;
    }
  }

  async function isThere(orphaned: Orphaned, identifier: string): Promise<boolean> {
    return (await sendAt(orphaned, (service) => service.head(identifier))).present;
  }

  /** Section 4.1, Delete Data. Resolves with whether it existed. */
  async function remove(orphaned: Orphaned, identifier: string): Promise<boolean> {
    const answer = await judgeDeletion((onLeaving) =>
      sendAt(orphaned, (service) => service.remove(identifier, onLeaving)),
    );
    if (answer.kind === 'refused' || answer.kind === 'unsure') throw new AppFailure(answer.error);
    return answer.kind === 'requested';
  }

  /** Reads what is stored there now, if it is a manifest. */
  async function readingAt(orphaned: Orphaned, identifier: string): Promise<Reading> {
    const reading = await ask(orphaned, async (service) => {
      const { body } = await service.get(identifier);
      return (await peekManifest(body, identifier)).reading;
    });
    return reading ?? { kind: 'none' };
  }

  /** Whether a manifest names them: one at the object, or at a copy between that and their own; a copy of ours; an undo copy. */
  async function isInUse(orphaned: Orphaned): Promise<boolean | 'unreadable'> {
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
      const there = await readingAt(orphaned, identifier);
      if (there.kind === 'newer' || there.kind === 'wrong') return 'unreadable';
      if (there.kind === 'manifest' && there.manifest.upload === upload) return true;
    }
    return false;
  }

  async function removeList(
    orphaned: Orphaned,
    { isAsked }: Extract<OrphanedStep, { name: 'list' }>,
  ): Promise<OrphanedStep | null> {
    const { list } = orphaned;
    const there = await readingAt(orphaned, list);
    if (there.kind !== 'manifest' || there.manifest.upload !== orphaned.upload) {
      if (there.kind === 'none' && isAsked) return { name: 'parts', late: [] };
      // This is not the manifest that was kept, so another one may name the chunks.
      const isSure = orphaned.parts.length === 0 || (await isInUse(orphaned)) === true;
      return isSure ? null : { name: 'left', why: 'unknown' };
    }
    await orphans.put({ ...orphaned, step: { name: 'list', isAsked: true } });
    await remove(orphaned, list);
    for (const delayMs of deletedLateMs) {
      if (!(await isThere(orphaned, list))) return { name: 'parts', late: [] };
      await clock.delay(delayMs, closing);
    }
    return { name: 'left', why: 'stillThere' };
  }

  async function removeChunks(
    orphaned: Orphaned,
    { late }: Extract<OrphanedStep, { name: 'parts' }>,
  ): Promise<OrphanedStep | null> {
    const beganAtMs = clock.monotonicMs();
    let open = [...orphaned.parts];
    const mayCome = new Set(late);
    for (let pass = 0; ; pass += 1) {
      let isOneThere = false;
      const next: number[] = [];
      if (clock.monotonicMs() - beganAtMs >= chunkPostLateMs) mayCome.clear();
      for (let from = 0; from < open.length; from += chunksAtOnce) {
        const use = await isInUse(orphaned);
        if (use === true) return null;
        if (use === 'unreadable' || orphaned.wasListed) return { name: 'left', why: 'unknown' };
        const batch = open.slice(from, from + chunksAtOnce);
        await mapConcurrent(batch, mostRequests, async (index) => {
          const id = chunkIdOf(orphaned, index);
          const wasThere = pass > 0 ? await isThere(orphaned, id) : true;
          // A deletion is only initiated (section 4.1), so the next pass checks what was deleted.
          const isOpen = wasThere && (await remove(orphaned, id));
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

  async function stepOf(orphaned: Orphaned): Promise<OrphanedStep | null> {
    const { step } = orphaned;
    try {
      if (step.name === 'list') return await removeList(orphaned, step);
      if (step.name === 'parts') return await removeChunks(orphaned, step);
      return step;
    } catch (cause) {
      const error = toAppError(cause);
      if (error && refusesDeletion(error)) return { name: 'left', why: 'refused' };
      throw cause;
    }
  }

  return async (orphaned) => {
    for (let now = orphaned; now.step.name === 'list' || now.step.name === 'parts';) {
      const step = await stepOf(now);
      if (step === null) return orphans.forget(now);
      now = { ...now, step };
      await orphans.put(now);
    }
  };
}
