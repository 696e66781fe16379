import { toAppError } from '../../shared/errors.ts';
import type { Context } from './context.ts';
import type { UploadEntry } from './entry.ts';
import { look } from './look.ts';
import { changeOfSettling } from './outcome.ts';
import { batches } from './records.ts';
import { maxTries, remedyFor } from './retry.ts';

/** Finds out with HEAD what became of uploads whose outcome is unknown. */
export interface Recovery {
  /** One that was given up. Its row says `unknown` until this is answered; without an answer it stays so. */
  readonly settle: (entry: UploadEntry) => void;
  /** What an earlier run of the application left in `uploading`. */
  readonly recover: (profileId: string) => Promise<void>;
  /** Goes on with what could not be asked before. */
  resume(profileId: string): void;
  /** Resolves when nothing is under way any more; `closing` must be aborted. */
  ended(): Promise<void>;
}

export function createRecovery(context: Context): Recovery {
  const { catalogue, connections, pacer, clock, log, records, list, closing, rowsElsewhere } = context;
  /** Rows to be asked about, by profile. */
  const open = new Map<string, Set<number>>();
  const working = new Map<string, Promise<void>>();

  /** One at a time a profile: this must not stand in the way of what the person waits for. */
  async function work(profileId: string, ids: Set<number>): Promise<void> {
    const client = await connections.clientOf(profileId);
    const way = { client, signal: closing, turn: () => pacer.turn(profileId, closing) };
    for (const id of ids) {
      const [row] = await catalogue.getMany([id]);
      // Somebody has looked meanwhile, or it is on its way again.
      if (row?.state === 'unknown' && !list.ofObject(id)) {
        const seen = await look(way, row.identifier);
        await records.update([changeOfSettling(id, seen, clock.nowMs())]);
      }
      ids.delete(id);
    }
  }

  async function persist(profileId: string, ids: Set<number>): Promise<void> {
    for (let tries = 1; ids.size > 0; tries += 1) {
      try {
        await work(profileId, ids);
      } catch (cause) {
        if (closing.aborted) return;
        const error = toAppError(cause) ?? ({ code: 'unexpected', reference: '' } as const);
        const remedy = remedyFor(error, { tries, troubles: tries, random: Math.random() });
        if (error.code === 'tokenRefused') connections.report(profileId, 'tokenRefused');
        if (remedy.kind === 'retry' && tries < maxTries) {
          pacer.holdBack(profileId, remedy.delayMs);
          continue;
        }
        // They stay `unknown`, which is the truth, and are asked about when the service is ready again.
        log.info('outcome of uploads still unknown', {
          left: ids.size,
          code: error.code,
          cause,
        });
        return;
      }
    }
  }

  function begin(profileId: string): Promise<void> {
    const ids = open.get(profileId);
    const running = working.get(profileId);
    if (running || !ids || ids.size === 0 || closing.aborted) return running ?? Promise.resolve();
    const begun = persist(profileId, ids).finally(() => working.delete(profileId));
    working.set(profileId, begun);
    return begun;
  }

  function note(profileId: string, ids: Iterable<number>): void {
    const set = open.get(profileId) ?? new Set();
    open.set(profileId, set);
    for (const id of ids) set.add(id);
  }

  return {
    settle({ transfer: { profileId, objectId } }) {
      if (objectId === null) return;
      note(profileId, [objectId]);
      void begin(profileId);
    },
    async recover(profileId) {
      const left = await catalogue.idsInStates(profileId, ['uploading']);
      const elsewhere = rowsElsewhere();
      const ids = left.filter((id) => !list.ofObject(id) && !elsewhere.has(id));
      for (const batch of batches(ids)) {
        await catalogue.update(batch.map((id) => ({ id, patch: { state: 'unknown' as const } })));
      }
      note(profileId, ids);
      await begin(profileId);
    },
    resume(profileId) {
      void begin(profileId);
    },
    async ended() {
      await Promise.all(working.values());
    },
  };
}
