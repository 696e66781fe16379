import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Grants } from '../files/grants.ts';
import type { Clock } from '../ports.ts';
import { createUploadPlan, type PlanDeps, type OpenPlan } from './upload-plan.ts';

type Name =
  'open' | 'addFiles' | 'page' | 'setIdentifier' | 'setTemplate' | 'removeEntries' | 'discard' | 'upload';

export interface UploadPlans {
  readonly handlers: Pick<Handlers, `uploadPlans.${Name}`>;
  /** Ends everything that is being read. */
  close(): void;
}

/**
 * The sheets of uploads: which files, under which identifiers, with which problems, before a byte moves.
 * @param deps.batchSize how many files are named, or handed over, in one go
 */
export function createUploadPlans(
  deps: PlanDeps & { grants: Grants; clock: Pick<Clock, 'nowMs'>; batchSize?: number },
): UploadPlans {
  const { connections, grants, clock, batchSize = 500 } = deps;
  const plans = new Map<string, OpenPlan>();

  function get(id: string): OpenPlan {
    const plan = plans.get(id);
    if (!plan) throw new AppFailure({ code: 'notFound', what: 'uploadPlan' });
    return plan;
  }

  function discard(plan: OpenPlan): void {
    plans.delete(plan.id);
    plan.discard();
  }

  /** A grant is used up once its file is in a sheet. */
  function add(plan: OpenPlan, granted: string[]) {
    const described = plan.add(granted.map((grant) => grants.resolve(grant)));
    grants.forget(granted);
    return described;
  }

  return {
    close() {
      for (const plan of plans.values()) discard(plan);
    },
    handlers: {
      'uploadPlans.open': async ({ profileId, intoFolder, grants: granted }) => {
        const facts = await connections.factsOf(profileId);
        const plan = createUploadPlan(deps, profileId, {
          intoFolder,
          separator: facts.separator,
          template: facts.identifierTemplate,
          date: localDate(clock.nowMs()),
          exactLimitBytes: facts.maxObjectBytes,
          batchSize,
        });
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
      'uploadPlans.removeEntries': ({ id, entries }) => get(id).remove(entries),
      'uploadPlans.discard': ({ id }) => {
        if (id !== null) discard(get(id));
        // What was asked for goes on, though nobody looks at its sheet any more.
        else for (const plan of plans.values()) if (!plan.isUploading()) discard(plan);
        return undefined;
      },
      'uploadPlans.upload': async ({ id, ...choice }) => {
        const plan = get(id);
        const outcome = await plan.upload(choice);
        if (outcome.left === 0) discard(plan);
        return outcome;
      },
    },
  };
}

function localDate(nowMs: number): string {
  const now = new Date(nowMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
