import { removeLeftover } from '../files/finish-part.ts';
import type { Context } from '../context.ts';
import { isFinished, type TransferRecord } from '../record.ts';
import type { DeletedParts } from './deleted-parts.ts';
import { uniqueParts, type PartsJournal, type Plan } from './journal.ts';
import type { KeptList, KeptLists } from './kept-lists.ts';
import type { Leftover, Leftovers } from './leftovers.ts';
import { readManifest } from './manifest.ts';
import type { PartLists } from './named-parts.ts';
import { createRemoval } from './removal.ts';

/**
 * Takes away the parts that no file needs any more: of uploads that were given up, and of files that were deleted. A part goes
 * only after the list of every version of its object was read and none names it, and no upload that goes on means it.
 */
export interface Janitor {
  /** A transfer ended, or its service is there again: what is left of it is seen to, soon. */
  tidy(): void;
  /** As `tidy`, for what happens to each of a million files. */
  tidyLater(): void;
  /**
   * An upload is about to send its parts: those that were to go and have not begun to are its own again. false: some of them are
   * being removed, and what is found of them now may be gone in a moment.
   */
  reclaim(plan: Plan<'upload'>): Promise<boolean>;
  /** What an upload has sent of a plan that it does not follow any more. */
  giveUp(plan: Plan<'upload'>): Promise<void>;
  /** What a download has gathered of a list that it does not follow any more. */
  forgetDownload(plan: Plan<'download'>): Promise<void>;
  /** Parts that are known to be needed by nobody and are still there; `stuck`: of which nobody sees to them at the moment. */
  count(profileId: string): { total: number; stuck: number };
  /** A person wants those that are stuck to be tried once more. */
  tryAgain(profileId: string): Promise<void>;
  forgetProfile(profileId: string): Promise<void>;
  ended(): Promise<void>;
}

const laterMs = 3_000;

export function createJanitor(deps: {
  context: Pick<Context, 'store' | 'connections' | 'gates' | 'clock' | 'log' | 'closing'>;
  catalogue: PartLists;
  journal: PartsJournal;
  leftovers: Leftovers;
  deletedParts: Pick<DeletedParts, 'add' | 'forgetProfile'>;
  keptLists: KeptLists;
  /** Whether a file of the vault is there; those of unfinished transfers too. */
  isKept: (file: string) => Promise<boolean>;
  /** How many are left may have changed. */
  onChanged: (profileId: string) => void;
}): Janitor {
  const { context, catalogue, journal, leftovers, deletedParts, keptLists, isKept, onChanged } = deps;
  const { store, connections, clock, log, closing } = context;
  const removal = createRemoval({
    context,
    catalogue,
    journal,
    leftovers,
    deletedParts,
    keptLists,
    onChanged,
  });
  let reconciling: Promise<void> = Promise.resolve();
  let isPlanned = false;
  let isLater = false;

  function leftoversOf(
    plan: Pick<Plan, 'profileId' | 'origin' | 'base' | 'manifest' | 'marks' | 'parts'>,
    isMeant: (id: string) => boolean,
  ): Leftover[] {
    const { profileId, origin, base, manifest, marks } = plan;
    return plan.parts
      .filter(({ id }) => isMeant(id) && leftovers.find({ profileId, origin, id }) === null)
      .map(({ id }) => ({
        profileId,
        origin,
        base,
        id,
        classification: manifest.classification,
        state: 'waiting',
        mayCome: marks.get(id) === 'tried',
        sinceMs: clock.nowMs(),
      }));
  }

  async function abandon(list: Pick<Plan, 'profileId' | 'origin' | 'base' | 'manifest'>): Promise<void> {
    await leftovers.put(
      leftoversOf({ ...list, marks: new Map(), parts: uniqueParts(list.manifest) }, () => true),
    );
  }

  async function giveUp(plan: Plan): Promise<void> {
    await leftovers.put(leftoversOf(plan, (id) => ['tried', 'done'].includes(plan.marks.get(id) ?? '')));
    await journal.end(plan.transferId);
    removal.moveOn(plan);
  }

  async function forgetDownload({ partPath }: Plan<'download'>['of'], transferId: number): Promise<void> {
    await removeLeftover(partPath);
    await journal.end(transferId);
  }

  /** Lists that were replaced or forgotten: their parts are nobody's, unless another list names them. */
  async function takeAbandoned(): Promise<void> {
    const lists = (await catalogue.abandonedLists()).filter(({ profileId }) =>
      connections.profileIds().includes(profileId),
    );
    for (const { id, profileId, identifier, text } of lists) {
      const { separator } = await connections.factsOf(profileId);
      const reading = readManifest(Buffer.from(text), identifier, separator);
      if (reading.kind === 'manifest') {
        const { base, manifest } = reading;
        const origin = connections.originOf(profileId);
        await abandon({ profileId, origin, base, manifest });
      }
      await catalogue.forgetAbandoned([id]);
    }
    if (lists.length > 0) tidy();
  }

  /** What became of the transfers that plans were written down for. */
  async function reconcile(): Promise<void> {
    await takeAbandoned();
    const plans = journal.all();
    if (plans.length === 0) return;
    const records = new Map(
      (await store.getMany(plans.map(({ transferId }) => transferId))).map((record) => [record.id, record]),
    );
    for (const plan of plans) {
      const record = records.get(plan.transferId) ?? null;
      if ((record && !isFinished(record)) || !connections.profileIds().includes(plan.profileId)) continue;
      switch (plan.of.kind) {
        case 'upload':
          if (!mayGoOn(record)) {
            const isStored = record?.state.name === 'done' && record.state.outcome?.kind === 'stored';
            await (isStored ? journal.end(plan.transferId) : giveUp(plan));
            removal.moveOn(plan);
          }
          break;
        case 'download':
          if (!mayGoOn(record)) await forgetDownload(plan.of, plan.transferId);
          break;
        case 'delete':
          // Those that a list still names are left alone; whoever has read this one already reads again.
          removal.moveOn(plan);
          if (record?.state.name === 'done' || record?.state.name === 'failed')
            await leftovers.put(leftoversOf(plan, () => true));
          await journal.end(plan.transferId);
      }
    }
  }

  /** What a list named that is not kept any more is nobody's, unless another list names it. */
  async function abandonForgotten(): Promise<void> {
    for (const list of keptLists.all()) {
      if (await isHeld(list)) continue;
      await abandon(list);
      await keptLists.forget(list.file);
    }
  }

  async function isHeld({ file, transferId }: KeptList): Promise<boolean> {
    if (transferId === undefined) return isKept(file);
    const [record] = await store.getMany([transferId]);
    return record?.work.kind === 'upload' && record.work.replace?.beside === file;
  }

  function tidy(): void {
    if (isPlanned || closing.aborted) return;
    isPlanned = true;
    reconciling = reconciling
      .then(async () => {
        isPlanned = false;
        await reconcile();
        await abandonForgotten();
        removal.begin();
      })
      .catch((cause: unknown) => {
        if (!closing.aborted) log.error('what is left of files in parts was not looked at', { cause });
      });
  }

  return {
    tidy,
    async reclaim(plan) {
      const { profileId, origin, manifest } = plan;
      removal.moveOn(plan);
      const met = plan.parts.flatMap(({ id }) => leftovers.find({ profileId, origin, id }) ?? []);
      const isGoing = (leftover: Leftover) =>
        leftover.classification !== manifest.classification || removal.isGoing(leftover);
      const own = met.filter((leftover) => !isGoing(leftover));
      for (const { id } of own) await journal.mark(plan.transferId, id, 'tried');
      await leftovers.remove(own);
      if (met.length === own.length) return true;
      tidy();
      return false;
    },
    async giveUp(plan) {
      await giveUp(plan);
      tidy();
    },
    tidyLater() {
      if (isLater) return;
      isLater = true;
      clock.delay(laterMs, closing).then(
        () => {
          isLater = false;
          tidy();
        },
        () => undefined,
      );
    },
    forgetDownload: (plan) => forgetDownload(plan.of, plan.transferId),
    count(profileId) {
      const origin = connections.originOf(profileId);
      // Those at an address that the service has left wait for it to come back.
      const own = leftovers
        .all()
        .filter((each) => each.profileId === profileId && each.origin === origin && !removal.isMeant(each));
      return { total: own.length, stuck: own.filter(({ state }) => state === 'stuck').length };
    },
    async tryAgain(profileId) {
      const stuck = leftovers.all().filter((each) => each.profileId === profileId && each.state === 'stuck');
      await leftovers.put(stuck.map((each) => ({ ...each, state: 'waiting' })));
      tidy();
    },
    async forgetProfile(profileId) {
      await leftovers.remove(leftovers.all().filter((each) => each.profileId === profileId));
      await deletedParts.forgetProfile(profileId);
      for (const plan of journal.all()) if (plan.profileId === profileId) await journal.end(plan.transferId);
      for (const { file, ...list } of keptLists.all())
        if (list.profileId === profileId) await keptLists.forget(file);
    },
    async ended() {
      await reconciling;
      await removal.ended();
    },
  };
}

/** A failed one may be tried again, and then goes on with what is there; one whose file has changed begins anew. */
function mayGoOn(record: TransferRecord | null): boolean {
  if (record?.state.name === 'lost') return true;
  return record?.state.name === 'failed' && record.state.error.code !== 'fileChanged';
}
