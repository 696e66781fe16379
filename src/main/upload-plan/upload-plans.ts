import { basename } from 'node:path';
import type { Handlers, Output } from '../../shared/contract.ts';
import { pageLimitMax } from '../../shared/domain/object.ts';
import { localDate } from '../../shared/domain/template.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { ClassificationService } from '../classifications/classifications.ts';
import type { Grants } from '../local-files/grants.ts';
import type { Clock } from '../ports.ts';
import type { Host } from '../host.ts';
import { KeyedMutex } from '../lib/async.ts';
import { listSavedDrafts, type SavedDraft } from './saved-drafts.ts';
import type { OpenPlan, PlanDeps, UploadChoice } from './open-plan.ts';
import { createUploadPlan } from './upload-plan.ts';

type Name =
  | 'open'
  | 'numberDuplicates'
  | 'current'
  | 'choose'
  | 'reclassified'
  | 'addFiles'
  | 'page'
  | 'setIdentifier'
  | 'setTemplate'
  | 'setFolder'
  | 'removeEntries'
  | 'discard'
  | 'upload';

export interface UploadPlans {
  readonly handlers: Pick<Handlers, `uploadPlans.${Name}`>;
  /**
   * Uploads files and folders without a sheet: uploads what has no problem and returns the problems of the rest.
   * @param paths absolute
   * @param as the identifier, if there is exactly one file
   * @param identifiers one for each of the paths, which are files
   * @throws AppFailure like `OpenPlan.upload`, invalidInput (as, oneFileOnly)
   */
  put(
    serviceId: string,
    paths: readonly string[],
    where: { intoFolder: string; as: string | null; identifiers?: readonly string[] | null },
    choice: UploadChoice,
  ): Promise<Output<'command.put'>>;
  /** Whether a sheet is being uploaded: until all of it is handed to the transfers. */
  isUploading(): boolean;
  /** Stops reading. Open sheets are saved for the next start. */
  close(): Promise<void>;
}

/**
 * Upload sheets: which files, with which identifiers and problems, before anything is sent.
 * @param deps.batchSize number of files named, or enqueued, in one step
 */
export function createUploadPlans(
  deps: PlanDeps & {
    grants: Grants;
    clock: Pick<Clock, 'nowMs'>;
    batchSize?: number;
    /** Called when the upload of a sheet has begun or ended. */
    onUploading: () => void;
  },
): UploadPlans {
  const { connections, documents, grants, clock, batchSize = 500 } = deps;
  const plans = new Map<string, OpenPlan>();
  const mutex = new KeyedMutex<string>();

  function get(id: string): OpenPlan {
    const plan = plans.get(id);
    if (!plan) throw new AppFailure({ code: 'notFound', what: 'uploadPlan' });
    return plan;
  }

  function discard(plan: OpenPlan): Promise<void> {
    plans.delete(plan.id);
    return plan.discard();
  }

  /** @throws AppFailure notFound (service) */
  async function make(
    serviceId: string,
    intoFolder: string,
    { saved, isShown = true }: { saved?: SavedDraft; isShown?: boolean } = {},
  ): Promise<OpenPlan> {
    const facts = await connections.factsOf(serviceId);
    const nowMs = clock.nowMs();
    return createUploadPlan(
      deps,
      serviceId,
      {
        intoFolder,
        separator: facts.separator,
        template: saved?.head.template ?? facts.identifierTemplate,
        date: saved?.head.date ?? localDate(nowMs),
        openedAtMs: saved?.head.openedAtMs ?? nowMs,
        exactLimitBytes: facts.maxObjectBytes,
        allowsParts: facts.allowsParts,
        batchSize,
        isShown,
      },
      saved,
    );
  }

  /** The newest visible sheet: one that is being uploaded continues without its page. */
  async function current(serviceId: string): Promise<OpenPlan | null> {
    const open = [...plans.values()].findLast((plan) => plan.serviceId === serviceId && !plan.isUploading());
    if (open) return open;
    const drafts = await listSavedDrafts(documents);
    const last = drafts.find(({ id, head }) => head.serviceId === serviceId && !plans.has(id));
    if (!last) return null;
    const plan = await make(serviceId, last.head.intoFolder, { saved: last });
    plans.set(plan.id, plan);
    return plan;
  }

  /** A grant is used up once its file is in a sheet. */
  function add(plan: OpenPlan, granted: string[]) {
    const described = plan.add(granted.map((grant) => grants.resolve(grant)));
    grants.forget(granted);
    return described;
  }

  return {
    async put(serviceId, paths, { intoFolder, as, identifiers = null }, choice) {
      const plan = await make(serviceId, intoFolder, { isShown: false });
      try {
        // Before any file is read for a name that it does not need.
        if (identifiers !== null) plan.setTemplate('{path}', false);
        plan.add(paths);
        await plan.settled();
        if (identifiers !== null) {
          nameEach(plan, paths, identifiers);
          await plan.settled();
        }
        if (as !== null) {
          const { plan: read, entries } = plan.page(0, 2);
          const [only] = entries;
          if (read.total !== 1 || !only)
            throw new AppFailure({ code: 'invalidInput', field: 'as', problem: 'oneFileOnly' });
          plan.setIdentifier(only.id, as);
          await plan.settled();
        }
        const { ids } = await plan.upload({ ...choice, isByCommand: true });
        const { plan: rest, entries } = plan.page(0, pageLimitMax);
        return { ids, problems: entries, refused: rest.refused, problemCount: rest.total };
      } finally {
        await plan.discard();
      }
    },
    isUploading: () => [...plans.values()].some((plan) => plan.isUploading()),
    async close() {
      const open = [...plans.values()];
      plans.clear();
      await Promise.all(open.map((plan) => plan.close()));
    },
    handlers: {
      'uploadPlans.open': async ({ serviceId, intoFolder, grants: granted }) => {
        const plan = await make(serviceId, intoFolder);
        const described = add(plan, granted);
        plans.set(plan.id, plan);
        return described;
      },
      'uploadPlans.addFiles': ({ id, grants: granted }) => add(get(id), granted),
      'uploadPlans.page': ({ id, offset, limit }) => get(id).page(offset, limit),
      'uploadPlans.setIdentifier': ({ id, entryId, identifier }) =>
        get(id).setIdentifier(entryId, identifier),
      'uploadPlans.setTemplate': ({ id, template, resetEdited }) =>
        get(id).setTemplate(template, resetEdited),
      'uploadPlans.setFolder': ({ id, folder }) => get(id).setFolder(folder),
      'uploadPlans.removeEntries': ({ id, entries }) => get(id).remove(entries),
      'uploadPlans.numberDuplicates': ({ id }) => get(id).numberDuplicates(),
      'uploadPlans.choose': ({ id, choices }) => get(id).choose(choices),
      'uploadPlans.reclassified': async ({ id, classification, ifExists }) => ({
        changes: await get(id).reclassified(classification, ifExists),
      }),
      'uploadPlans.current': async ({ serviceId }) => {
        const plan = await mutex.runExclusive(serviceId, () => current(serviceId));
        return plan?.describe() ?? null;
      },
      'uploadPlans.discard': async ({ id }) => {
        await discard(get(id));
        return undefined;
      },
      'uploadPlans.upload': async ({ id, ...choice }) => {
        const plan = get(id);
        const uploading = plan.upload(choice);
        deps.onUploading();
        try {
          const { ids, left } = await uploading;
          if (left === 0) await discard(plan);
          return { count: ids.length, left };
        } finally {
          deps.onUploading();
        }
      },
    },
  };
}

/** @throws AppFailure fileUnreadable: a path is not a file any more, so the others cannot be told apart for certain */
function nameEach(plan: OpenPlan, paths: readonly string[], identifiers: readonly string[]): void {
  const { plan: read, entries } = plan.page(0, paths.length);
  // A page lists entries with a note first.
  const inOrder = entries.toSorted((a, b) => a.id - b.id);
  const moved = paths.find((path, index) => {
    const { folder, fileName } = inOrder[index] ?? {};
    return folder !== '' || fileName !== basename(path);
  });
  if (moved !== undefined || read.total !== paths.length)
    throw new AppFailure({ code: 'fileUnreadable', fileName: basename(moved ?? paths[0] ?? '') });
  inOrder.forEach(({ id }, index) => plan.setIdentifier(id, identifiers[index] ?? ''));
}

export function uploadPlans(
  host: Host,
  { rememberUsed }: Pick<ClassificationService, 'rememberUsed'>,
): UploadPlans {
  const own = createUploadPlans({
    ...host,
    enqueueUploads: host.engine.enqueue.uploads,
    onUploading: host.work.changed,
    onUpload: (serviceId, folder, { classification, classificationChosen }) =>
      rememberUsed(serviceId, classification, classificationChosen ? folder : undefined),
  });
  host.onClose(() => own.close());
  host.work.add(() => (own.isUploading() ? ['prepare'] : []));
  return own;
}
