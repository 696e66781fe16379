import type { LeftBehind } from '../../../shared/contract.ts';
import { isStagedCopy } from '../../../shared/domain/made-names.ts';
import { KeyedMutex, Mutex } from '../../lib/async.ts';
import type { Context } from '../run/context.ts';
import { removeTemporaryFile } from '../../local-files/finish-temporary-file.ts';
import { isAtOrigin } from '../queue/origin.ts';
import { refusedDeletions } from '../model/failure-policy.ts';
import { isFinished, isOver, type TransferRecord } from '../model/record.ts';
import type { PartPlans, Plan } from './part-plans.ts';
import type { UndoManifests } from './undo-manifests.ts';
import type { Manifest } from './manifest.ts';
import {
  keyOf,
  leftBehindOf,
  orphanedBy,
  partsOfManifest,
  createLeftOrphans,
  orphansAt,
  type LeftOrphans,
  type Orphaned,
  type Orphans,
} from './orphans.ts';
import { createOrphanRemoval } from './remove-orphans.ts';

/**
 * Removes parts that no manifest needs any more: after this installation has deleted their manifest, which it had
 * read immediately before; after the undo copy of their manifest has expired; of uploads of this installation that
 * were given up; and on a person's request. Before parts are deleted, the manifest at their object is read: if it
 * names them, they stay.
 */
export interface OrphanCollector extends LeftOrphans {
  /** Runs decisions about the plan of one transfer one after the other. */
  exclusively<T>(transferId: number, work: () => Promise<T>): Promise<T>;
  /**
   * Schedules whatever can be done: a transfer has ended, a service is reachable again, or an undo copy has expired.
   */
  collect(): void;
  /** Handles the end of each transfer that had a plan. Sends no request. */
  reconcile(): Promise<void>;
  /** Runs work by which a person removes transfers from the list, and gives up those that leave it. */
  dropping<T>(work: () => Promise<T>): Promise<T>;
  /** A person no longer wants this upload, or wants another in its place. */
  giveUp(plan: Plan<'upload'>): Promise<void>;
  /** A download continues with another manifest: removes what it has received. */
  forgetDownload(plan: Plan<'download'>): Promise<void>;
  /**
   * Notes that a person has asked for the deletion of this manifest, which was just read; null: there is none.
   * Replaces what an earlier try of the deletion had read. Durable when it resolves.
   */
  noteDeletion(record: TransferRecord, manifest: Manifest | null): Promise<void>;
  /** The manifest of these parts is gone, and not by this deletion: leaves them for a person to decide. */
  noteGone(record: TransferRecord, manifest: Manifest): Promise<void>;
  /** Whether the parts of a manifest wait for the end of this deletion. */
  awaits(record: Pick<TransferRecord, 'id'>): boolean;
  /** Everything that is still to be removed at the present address, after `reconcile`. */
  leftBehind(serviceId: string): Promise<LeftBehind[]>;
  forgetService(serviceId: string): Promise<void>;
  ended(): Promise<void>;
}

/**
 * Whether the service may still carry out this failed deletion. Then what is there may be the manifest, to be deleted
 * later, or something that somebody has stored since. The error of a failed check does not tell.
 */
function mayBeCarriedOut({ activityToken, state }: TransferRecord): boolean {
  return activityToken !== null || (state.name === 'failed' && !refusedDeletions.has(state.error.code));
}

/** Uploads whose parts are removed concurrently. */
const maxWorking = 4;

interface Deps {
  readonly context: Pick<Context, 'store' | 'connections' | 'breakers' | 'clock' | 'log' | 'closing'>;
  readonly plans: PartPlans;
  readonly orphans: Orphans;
  readonly undoManifests: UndoManifests;
  /** As `UndoCopyStore.has`: false only when the file need not be kept any longer. */
  readonly isUndoCopy: (file: string) => Promise<boolean>;
  /** The orphans left for a person may have changed. */
  readonly onChanged: (serviceId: string) => void;
}

export function createOrphanCollector(deps: Deps): OrphanCollector {
  const { context, plans, orphans, undoManifests, onChanged } = deps;
  const { connections, log, closing } = context;
  const removeOrphans = createOrphanRemoval({ context, orphans, undoManifests });
  const reconciler = createReconciler(deps, collect);
  const working = new Map<string, Promise<void>>();
  /** Could not continue: wait for the next `collect`. */
  const resting = new Set<string>();
  const collecting = new Mutex();
  let isPlanned = false;

  function collect(): void {
    resting.clear();
    if (isPlanned || closing.aborted) return;
    isPlanned = true;
    collecting
      .runExclusive(async () => {
        isPlanned = false;
        await reconciler.reconcile();
        begin();
      })
      .catch((cause: unknown) => {
        if (!closing.aborted) log.error('orphaned parts were not looked at', { cause });
      });
  }

  function begin(): void {
    for (const orphaned of orphans.all()) {
      const { serviceId, step } = orphaned;
      const key = keyOf(orphaned);
      if (working.size >= maxWorking || closing.aborted) return;
      if (step.name !== 'list' && step.name !== 'parts') continue;
      if (working.has(key) || resting.has(key)) continue;
      if (!isAtOrigin(connections, orphaned)) continue;
      const ended = removeOrphans(orphaned)
        .catch((cause: unknown) => {
          resting.add(key);
          if (!closing.aborted) log.warn('orphaned parts were not removed', { cause });
        })
        .finally(() => {
          working.delete(key);
          onChanged(serviceId);
          begin();
        });
      working.set(key, ended);
    }
  }

  return {
    ...reconciler,
    collect,
    awaits: ({ id }) => orphans.all().some(({ step }) => step.name === 'deletion' && step.transferId === id),
    ...createLeftOrphans({ orphans, connections, collect }),
    async leftBehind(serviceId) {
      await collecting.runExclusive(reconciler.reconcile);
      begin();
      return orphansAt({ orphans, connections }, serviceId).flatMap(leftBehindOf);
    },
    async forgetService(serviceId) {
      for (const orphaned of orphans.all())
        if (orphaned.serviceId === serviceId) await orphans.forget(orphaned);
      for (const plan of plans.all()) if (plan.serviceId === serviceId) await plans.end(plan.transferId);
      for (const { file, ...list } of undoManifests.all())
        if (list.serviceId === serviceId) await undoManifests.forget(file);
    },
    async ended() {
      await collecting.runExclusive(() => Promise.resolve());
      await Promise.all(working.values());
    },
  };
}

/** What becomes of the plan of a transfer, and of what its parts or its deletion have left. Sends no request. */
function createReconciler(deps: Deps, collect: () => void) {
  const { context, plans, orphans, onChanged } = deps;
  const { store, connections, log, closing } = context;
  const mutex = new KeyedMutex<number>();
  /** A person is removing these from the list, so their records may be gone. */
  const dropped = new Set<number>();

  const exclusively = <T>(transferId: number, work: () => Promise<T>) => mutex.runExclusive(transferId, work);

  async function recordOf(id: number): Promise<TransferRecord | null> {
    return (await store.getMany([id]))[0] ?? null;
  }

  async function giveUp(plan: Plan<'upload'>): Promise<void> {
    const { serviceId, transferId, of } = plan;
    if (plan.marks.size > 0) {
      // The copy of its manifest that a Replace left beside the object.
      const deletion = of.beside === null ? null : await store.deletionOf(serviceId, of.beside);
      await orphans.put(orphanedBy(plan, deletion));
    }
    await plans.end(transferId);
    collect();
  }

  async function forgetDownload({ of, transferId }: Plan<'download'>): Promise<void> {
    await removeTemporaryFile(of.temporaryPath);
    await plans.end(transferId);
  }

  /** Removes what a transfer has sent or received. */
  async function drop(transferId: number): Promise<void> {
    const upload = plans.ofKind(transferId, 'upload');
    const download = plans.ofKind(transferId, 'download');
    if (upload) await giveUp(upload);
    if (download) await forgetDownload(download);
  }

  async function endPlan(transferId: number): Promise<void> {
    const record = await recordOf(transferId);
    if (record === null) return dropped.has(transferId) ? undefined : leave(transferId);
    // A failed transfer may be retried, and then continues with what is there.
    if (!isOver(record)) return;
    const isStored = record.state.name === 'done' && record.state.outcome?.kind === 'stored';
    await (isStored ? plans.end(transferId) : drop(transferId));
  }

  /** The outcome is unknown, because the database is an older copy: a person decides about the parts. */
  async function leave(transferId: number): Promise<void> {
    const plan = plans.ofKind(transferId, 'upload');
    if (plan && plan.marks.size > 0) await noteLeft(plan, '', plan.manifest);
    await plans.end(transferId);
  }

  async function noteLeft(
    { serviceId, origin }: Pick<Orphaned, 'serviceId' | 'origin'>,
    list: string,
    manifest: Manifest,
  ): Promise<void> {
    const step = { name: 'left', why: 'unknown' } as const;
    await orphans.put({ serviceId, origin, list, ...partsOfManifest(manifest), step });
    onChanged(serviceId);
  }

  async function endDeletion(orphaned: Orphaned): Promise<void> {
    const { step } = orphaned;
    if (step.name !== 'deletion') return;
    const record = await recordOf(step.transferId);
    if (record && !isFinished(record)) return;
    if (record?.state.name === 'done')
      return orphans.put({ ...orphaned, step: { name: 'parts', late: step.late } });
    if (record && !mayBeCarriedOut(record)) return orphans.forget(orphaned);
    await orphans.put({ ...orphaned, step: { name: 'left', why: 'unknown' } });
    onChanged(orphaned.serviceId);
  }

  /** An unreachable folder must not hold up the others. */
  function tell(cause: unknown): void {
    if (!closing.aborted) log.warn('what a transfer in parts has left was not removed', { cause });
  }

  async function reconcile(): Promise<void> {
    const known = new Set(connections.serviceIds());
    for (const { transferId, serviceId } of plans.all())
      if (known.has(serviceId)) await exclusively(transferId, () => endPlan(transferId)).catch(tell);
    for (const orphaned of orphans.all()) await endDeletion(orphaned);
    await endUndoManifests(deps);
  }

  return {
    exclusively,
    reconcile,
    giveUp,
    forgetDownload,
    noteDeletion: (record: TransferRecord, manifest: Manifest | null) =>
      noteDeletion(orphans, record, manifest),
    noteGone: (record: TransferRecord, manifest: Manifest) => noteLeft(record, record.identifier, manifest),
    async dropping<T>(work: () => Promise<T>): Promise<T> {
      const ids = plans.all().map(({ transferId }) => transferId);
      const known = (await store.getMany(ids)).map(({ id }) => id);
      for (const id of known) dropped.add(id);
      try {
        const result = await work();
        for (const id of known)
          await exclusively(id, async () => ((await recordOf(id)) === null ? drop(id) : undefined));
        return result;
      } finally {
        for (const id of known) dropped.delete(id);
      }
    },
  };
}

/** Takes over the manifests whose undo copies have expired. */
async function endUndoManifests({ orphans, undoManifests, isUndoCopy }: Deps): Promise<void> {
  for (const { file, serviceId, origin, beside, isReplaced, manifest } of undoManifests.all()) {
    if (await isUndoCopy(file)) continue;
    const own = partsOfManifest(manifest);
    const parts = isReplaced ? own.parts : [];
    const step = { name: 'list', isAsked: false } as const;
    await orphans.put({ serviceId, origin, list: beside, ...own, parts, step });
    await undoManifests.forget(file);
  }
}

/** As `OrphanCollector.noteDeletion`. */
async function noteDeletion(
  orphans: Orphans,
  { id: transferId, serviceId, origin, identifier: list }: TransferRecord,
  manifest: Manifest | null,
): Promise<void> {
  const waiting = orphans
    .all()
    .filter(({ step }) => step.name === 'deletion' && step.transferId === transferId);
  // The entry of our own upload tells more than the copy of its manifest.
  const ours = waiting.find(({ copies }) => copies.includes(list));
  for (const orphaned of waiting) if (orphaned !== ours) await orphans.forget(orphaned);
  if (manifest === null || ours?.upload === manifest.upload) return;
  const step = { name: 'deletion' as const, transferId, late: [] };
  // Nothing else is known of this copy: its manifest was at the object as well, and another installation may have
  // moved it.
  const wasListed = isStagedCopy(list) && list !== manifest.base;
  await orphans.put({ serviceId, origin, list, ...partsOfManifest(manifest), wasListed, step });
}
