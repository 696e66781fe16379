import { toAppError } from '../../../shared/errors.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { removeLeftover } from '../files/finish-part.ts';
import type { Context } from '../context.ts';
import { createPatientRequest } from '../patient-request.ts';
import { isFinished, type TransferRecord } from '../record.ts';
import { GateClosed, untilOpen } from '../service-gate.ts';
import { looksAfterSeconds, notCarriedOut } from '../steps/delete.ts';
import { uniqueParts, type PartsJournal, type Plan } from './journal.ts';
import type { KeptLists } from './kept-lists.ts';
import type { Leftover, Leftovers } from './leftovers.ts';
import { readManifest } from './manifest.ts';
import { findNamedParts } from './named-parts.ts';

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

/** What of the list of objects tells of parts. */
export type PartLists = Pick<Catalogue, 'identifiersFrom' | 'abandonedLists' | 'forgetAbandoned'>;

/** A part that was on its way when its upload was given up is waited for this long. */
const lateMs = 4 * 60_000;
/** A DELETE of that long ago is over. */
const overMs = 10 * 60_000;
const lookAgainMs = 30_000;
const laterMs = 3_000;
/** Objects whose parts are seen to side by side. */
const mostGroups = 4;

export function createJanitor(deps: {
  context: Pick<Context, 'store' | 'connections' | 'gates' | 'clock' | 'log' | 'closing'>;
  catalogue: PartLists;
  journal: PartsJournal;
  leftovers: Leftovers;
  keptLists: KeptLists;
  /** Whether a file of the vault is there; those of unfinished transfers too. */
  isKept: (file: string) => Promise<boolean>;
  /** How many are left may have changed. */
  onChanged: (profileId: string) => void;
}): Janitor {
  const { context, catalogue, journal, leftovers, keptLists, isKept, onChanged } = deps;
  const { store, connections, gates, clock, log, closing } = context;
  const request = createPatientRequest({ connections, gates, clock });
  /** By object. */
  const working = new Map<string, Promise<void>>();
  /** By object: moves on when an upload begins to mean its parts, or ends. What was read of it before says nothing then. */
  const generations = new Map<string, number>();
  let reconciling: Promise<void> = Promise.resolve();
  let isPlanned = false;
  let isLater = false;
  let who = -1_000_000;

  const groupOf = ({ profileId, origin, base }: Pick<Leftover, 'profileId' | 'origin' | 'base'>) =>
    JSON.stringify([profileId, origin, base]);
  const generationOf = (group: string) => generations.get(group) ?? 0;
  const moveOn = (of: Pick<Leftover, 'profileId' | 'origin' | 'base'>) =>
    generations.set(groupOf(of), generationOf(groupOf(of)) + 1);

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

  async function giveUp(plan: Plan): Promise<void> {
    await leftovers.put(leftoversOf(plan, (id) => ['tried', 'done'].includes(plan.marks.get(id) ?? '')));
    await journal.end(plan.transferId);
    moveOn(plan);
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
        const of = { profileId, origin, base, manifest, marks: new Map(), parts: uniqueParts(manifest) };
        await leftovers.put(leftoversOf(of, () => true));
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
            moveOn(plan);
          }
          break;
        case 'download':
          if (!mayGoOn(record)) await forgetDownload(plan.of, plan.transferId);
          break;
        case 'delete':
          // Those that a list still names are left alone.
          if (record?.state.name === 'done' || record?.state.name === 'failed')
            await leftovers.put(leftoversOf(plan, () => true));
          await journal.end(plan.transferId);
      }
    }
  }

  /** What a list named that is not kept any more is nobody's, unless another list names it. */
  async function abandonForgotten(): Promise<void> {
    for (const list of keptLists.all()) {
      if (await isKept(list.file)) continue;
      const of = { ...list, marks: new Map(), parts: uniqueParts(list.manifest) };
      await leftovers.put(leftoversOf(of, () => true));
      await keptLists.forget(list.file);
    }
  }

  function tidy(): void {
    if (isPlanned || closing.aborted) return;
    isPlanned = true;
    reconciling = reconciling
      .then(async () => {
        isPlanned = false;
        await reconcile();
        await abandonForgotten();
        begin();
      })
      .catch((cause: unknown) => {
        if (!closing.aborted) log.error('what is left of files in parts was not looked at', { cause });
      });
  }

  function begin(): void {
    for (const leftover of leftovers.all()) {
      if (working.size >= mostGroups) return;
      if (leftover.state === 'stuck' && !isIdle(leftover)) continue;
      if (isMeant(leftover)) continue;
      if (!connections.profileIds().includes(leftover.profileId)) continue;
      if (connections.originOf(leftover.profileId) !== leftover.origin) continue;
      const group = groupOf(leftover);
      if (!working.has(group)) work(group);
    }
  }

  function work(group: string): void {
    const ended = tidyGroup(group)
      .catch(async (cause: unknown) => {
        if (closing.aborted) return;
        log.error('parts that nobody needs were not removed', { cause });
        await become(of(group), 'stuck');
      })
      .finally(() => {
        working.delete(group);
        onChanged((JSON.parse(group) as string[])[0] ?? '');
        if (!closing.aborted) begin();
      });
    working.set(group, ended);
  }

  const of = (group: string) => leftovers.all().filter((leftover) => groupOf(leftover) === group);

  async function tidyGroup(group: string): Promise<void> {
    for (;;) {
      closing.throwIfAborted();
      const [first] = of(group);
      if (!first) return;
      const generation = generationOf(group);
      const isNew = () => generationOf(group) !== generation;
      const facts = await connections.factsOf(first.profileId);
      const named = await findNamedParts({ catalogue, keptLists, request, facts }, first, closing);
      if (isNew()) continue;
      if (named === null) return become(of(group).filter(isIdle), 'stuck');
      await leftovers.remove(of(group).filter(({ id, state }) => named.has(id) && state !== 'deleting'));
      for (const leftover of of(group).filter(isIdle)) {
        if (isNew()) break;
        if (!isMeant(leftover)) await remove(leftover, isNew);
      }
      if (isNew()) continue;
      await watch(group);
      const isOver = of(group).every((leftover) => !isIdle(leftover) || isMeant(leftover));
      if (isOver) return;
    }
  }

  /** Nothing was sent for it, or that is long over. */
  function isIdle({ state, sinceMs }: Leftover): boolean {
    return state === 'waiting' || (state === 'stuck' && clock.nowMs() - sinceMs >= overMs);
  }

  /** An upload that may go on means it: it comes back here when that is given up. */
  function isMeant({ profileId, origin, id }: Leftover): boolean {
    return journal
      .all()
      .some(
        (plan) =>
          plan.of.kind === 'upload' &&
          plan.profileId === profileId &&
          plan.origin === origin &&
          plan.parts.some((part) => part.id === id),
      );
  }

  async function become(some: readonly Leftover[], state: Leftover['state']): Promise<void> {
    await leftovers.put(some.map((each) => ({ ...each, state, sinceMs: clock.nowMs() })));
    for (const profileId of new Set(some.map((each) => each.profileId))) onChanged(profileId);
  }

  /** The one DELETE: that it may have left is on the disk before it does. */
  async function remove(leftover: Leftover, isNew: () => boolean): Promise<void> {
    const { profileId, origin, id } = leftover;
    const gate = gates.of(profileId);
    for (;;) {
      await untilOpen(gate, clock, closing);
      if (isNew()) return;
      await become([leftover], 'deleting');
      if (isNew()) return become([leftover], leftover.state);
      try {
        await gate.send((who -= 1), closing, async () => {
          const now = await connections.openFor(profileId);
          if (now.origin !== origin) throw new GateClosed();
          await now.client.deleteData(id, { signal: closing });
        });
        return;
      } catch (cause) {
        closing.throwIfAborted();
        const error = toAppError(cause);
        if (error?.code === 'missing')
          return leftover.mayCome ? become([leftover], 'awaited') : leftovers.remove([leftover]);
        if (cause instanceof GateClosed || (error && notCarriedOut.has(error.code))) {
          await become([leftover], leftover.state);
          if (connections.originOf(profileId) !== origin) return become([leftover], 'stuck');
          continue;
        }
        if (error?.code === 'forbidden' || error?.code === 'badRequest') return become([leftover], 'stuck');
        return;
      }
    }
  }

  /** Looks until all are gone whose DELETE may have left, and until none can come late any more. */
  async function watch(group: string): Promise<void> {
    for (let looks = 0; ; looks += 1) {
      const open = of(group).filter(({ state }) => state === 'deleting' || state === 'awaited');
      if (open.length === 0) return;
      await clock.delay((looksAfterSeconds[looks] ?? lookAgainMs / 1000) * 1000, closing);
      for (const leftover of open) {
        const isThere = await look(leftover);
        // An upload may have taken it back meanwhile.
        if (leftovers.find(leftover) !== leftover) continue;
        const ageMs = clock.nowMs() - leftover.sinceMs;
        if (leftover.state === 'awaited') {
          if (isThere) await leftovers.put([{ ...leftover, state: 'waiting', mayCome: false }]);
          else if (ageMs >= lateMs) await leftovers.remove([leftover]);
        } else if (isThere === false) await leftovers.remove([leftover]);
        else if (ageMs >= overMs) await become([leftover], 'stuck');
      }
      if (of(group).some(({ state }) => state === 'waiting')) return;
    }
  }

  /** null: nobody can say. */
  async function look({ profileId, origin, id }: Leftover): Promise<boolean | null> {
    try {
      return await request(profileId, closing, async (client, signal, now) => {
        if (now !== origin) return null;
        await client.headData(id, { signal });
        return true;
      });
    } catch (cause) {
      closing.throwIfAborted();
      return toAppError(cause)?.code === 'missing' ? false : null;
    }
  }

  return {
    tidy,
    async reclaim(plan) {
      const { profileId, origin, manifest } = plan;
      moveOn(plan);
      const met = plan.parts.flatMap(({ id }) => leftovers.find({ profileId, origin, id }) ?? []);
      const isGoing = ({ state, classification, sinceMs }: Leftover) =>
        classification !== manifest.classification ||
        state === 'deleting' ||
        (state === 'stuck' && clock.nowMs() - sinceMs < overMs);
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
      const own = leftovers.all().filter((each) => each.profileId === profileId && each.origin === origin);
      return { total: own.length, stuck: own.filter(({ state }) => state === 'stuck').length };
    },
    async tryAgain(profileId) {
      const stuck = leftovers.all().filter((each) => each.profileId === profileId && each.state === 'stuck');
      await leftovers.put(stuck.map((each) => ({ ...each, state: 'waiting' })));
      tidy();
    },
    async forgetProfile(profileId) {
      await leftovers.remove(leftovers.all().filter((each) => each.profileId === profileId));
      for (const plan of journal.all()) if (plan.profileId === profileId) await journal.end(plan.transferId);
      for (const { file, ...list } of keptLists.all())
        if (list.profileId === profileId) await keptLists.forget(file);
    },
    async ended() {
      await reconciling;
      await Promise.all(working.values());
    },
  };
}

/** A failed one may be tried again, and then goes on with what is there; one whose file has changed begins anew. */
function mayGoOn(record: TransferRecord | null): boolean {
  if (record?.state.name === 'lost') return true;
  return record?.state.name === 'failed' && record.state.error.code !== 'fileChanged';
}
