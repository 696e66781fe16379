import { toAppError } from '../../../shared/errors.ts';
import type { Context } from '../context.ts';
import { createPatientRequest } from '../patient-request.ts';
import { GateClosed, untilOpen } from '../service-gate.ts';
import { looksAfterSeconds, notCarriedOut } from '../steps/delete.ts';
import type { DeletedParts } from './deleted-parts.ts';
import type { PartsJournal } from './journal.ts';
import type { KeptLists } from './kept-lists.ts';
import type { Leftover, Leftovers } from './leftovers.ts';
import { findNamedParts, type PartLists } from './named-parts.ts';

/** A part that was on its way when its upload was given up is waited for this long. */
const lateMs = 4 * 60_000;
/** A DELETE of that long ago is over. */
const overMs = 10 * 60_000;
const lookAgainMs = 30_000;
/** Objects whose parts are seen to side by side. */
const mostGroups = 4;

type OfObject = Pick<Leftover, 'profileId' | 'origin' | 'base'>;

/** Removes what is left, object by object. */
export interface Removal {
  /** What can be done about any of it is done, side by side. */
  begin(): void;
  /** An upload begins to mean parts of this object, or ends: what was read of it before says nothing any more. */
  moveOn(of: OfObject): void;
  /** An upload that may go on means it: it comes back here when that is given up. */
  isMeant(leftover: Leftover): boolean;
  /** Its DELETE may still be carried out. */
  isGoing(leftover: Leftover): boolean;
  ended(): Promise<void>;
}

export function createRemoval(deps: {
  context: Pick<Context, 'connections' | 'gates' | 'clock' | 'log' | 'closing'>;
  catalogue: PartLists;
  journal: PartsJournal;
  leftovers: Leftovers;
  deletedParts: Pick<DeletedParts, 'add'>;
  keptLists: KeptLists;
  /** How many are left may have changed. */
  onChanged: (profileId: string) => void;
}): Removal {
  const { context, catalogue, journal, leftovers, deletedParts, keptLists, onChanged } = deps;
  const { connections, gates, clock, log, closing } = context;
  const request = createPatientRequest({ connections, gates, clock });
  /** By object. */
  const working = new Map<string, Promise<void>>();
  /** By object: moves on when an upload begins to mean its parts, or ends. */
  const generations = new Map<string, number>();
  let who = -1_000_000;

  const groupOf = ({ profileId, origin, base }: OfObject) => JSON.stringify([profileId, origin, base]);
  const generationOf = (group: string) => generations.get(group) ?? 0;

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
          await deletedParts.add(leftover);
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
    begin,
    moveOn: (of) => void generations.set(groupOf(of), generationOf(groupOf(of)) + 1),
    isMeant,
    isGoing: ({ state, sinceMs }) =>
      state === 'deleting' || (state === 'stuck' && clock.nowMs() - sinceMs < overMs),
    async ended() {
      await Promise.all(working.values());
    },
  };
}
