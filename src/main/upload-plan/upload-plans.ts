import type { Handlers } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Grants } from '../files/grants.ts';
import type { Clock } from '../ports.ts';
import { createTurns } from '../turns.ts';
import { listKeptPlans, type KeptPlan } from './kept-plans.ts';
import type { OpenPlan, PlanDeps } from './open-plan.ts';
import { createUploadPlan } from './upload-plan.ts';

type Name =
  | 'open'
  | 'numberDuplicates'
  | 'current'
  | 'choose'
  | 'addFiles'
  | 'page'
  | 'setIdentifier'
  | 'setTemplate'
  | 'removeEntries'
  | 'discard'
  | 'upload';

export interface UploadPlans {
  readonly handlers: Pick<Handlers, `uploadPlans.${Name}`>;
  /** Ends everything that is being read. What is open is kept for the next start. */
  close(): Promise<void>;
}

/**
 * The sheets of uploads: which files, under which identifiers, with which problems, before a byte moves.
 * @param deps.batchSize how many files are named, or handed over, in one go
 */
export function createUploadPlans(
  deps: PlanDeps & { grants: Grants; clock: Pick<Clock, 'nowMs'>; batchSize?: number },
): UploadPlans {
  const { connections, documents, grants, clock, batchSize = 500 } = deps;
  const plans = new Map<string, OpenPlan>();
  const inTurn = createTurns();

  function get(id: string): OpenPlan {
    const plan = plans.get(id);
    if (!plan) throw new AppFailure({ code: 'notFound', what: 'uploadPlan' });
    return plan;
  }

  function discard(plan: OpenPlan): Promise<void> {
    plans.delete(plan.id);
    return plan.discard();
  }

  /** @throws AppFailure notFound (profile) */
  async function make(profileId: string, intoFolder: string, kept?: KeptPlan): Promise<OpenPlan> {
    const facts = await connections.factsOf(profileId);
    const nowMs = clock.nowMs();
    return createUploadPlan(
      deps,
      profileId,
      {
        intoFolder,
        separator: facts.separator,
        template: kept?.head.template ?? facts.identifierTemplate,
        date: kept?.head.date ?? localDate(nowMs),
        openedAtMs: kept?.head.openedAtMs ?? nowMs,
        exactLimitBytes: facts.maxObjectBytes,
        allowsParts: facts.allowsParts,
        batchSize,
      },
      kept,
    );
  }

  /** The newest that a person may still see: one that is being uploaded goes on without its page. */
  async function current(profileId: string): Promise<OpenPlan | null> {
    const open = [...plans.values()].findLast((plan) => plan.profileId === profileId && !plan.isUploading());
    if (open) return open;
    const kept = await listKeptPlans(documents);
    const last = kept.find(({ id, head }) => head.profileId === profileId && !plans.has(id));
    if (!last) return null;
    const plan = await make(profileId, last.head.intoFolder, last);
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
    async close() {
      const open = [...plans.values()];
      plans.clear();
      await Promise.all(open.map((plan) => plan.close()));
    },
    handlers: {
      'uploadPlans.open': async ({ profileId, intoFolder, grants: granted }) => {
        const plan = await make(profileId, intoFolder);
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
      'uploadPlans.numberDuplicates': ({ id }) => get(id).numberDuplicates(),
      'uploadPlans.choose': ({ id, choices }) => get(id).choose(choices),
      'uploadPlans.current': async ({ profileId }) => {
        const plan = await inTurn(profileId, () => current(profileId));
        return plan?.describe() ?? null;
      },
      'uploadPlans.discard': async ({ id }) => {
        await discard(get(id));
        return undefined;
      },
      'uploadPlans.upload': async ({ id, ...choice }) => {
        const plan = get(id);
        const outcome = await plan.upload(choice);
        if (outcome.left === 0) await discard(plan);
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
