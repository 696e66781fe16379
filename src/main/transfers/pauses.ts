import { z } from 'zod';
import type { TransferSummary } from '../../shared/domain/transfer.ts';
import type { Documents } from '../catalogue/catalogue.ts';
import type { Limits } from './limits/limits.ts';

/** What a person has paused; survives a restart. A single transfer's pause stands in its record. */
export interface Pauses {
  readonly isPaused: (profileId: string) => boolean;
  /** By the person or by the hour, for all services. */
  isPausedAll(): boolean;
  current(): TransferSummary['paused'];
  setAll(isPaused: boolean): Promise<void>;
  setProfile(profileId: string, isPaused: boolean): Promise<void>;
}

const collection = 'engine';
const key = 'paused';
const pausedSchema = z.object({ all: z.boolean(), profileIds: z.array(z.string()) });

export async function openPauses(
  documents: Pick<Documents, 'get' | 'put'>,
  limits: Pick<Limits, 'isPausedByHour'>,
): Promise<Pauses> {
  const none = { all: false, profileIds: [] };
  let paused = pausedSchema.catch(none).parse((await documents.get(collection, key)) ?? none);

  async function change(next: typeof paused): Promise<void> {
    paused = next;
    await documents.put(collection, key, next);
  }

  const isPausedAll = () => paused.all || limits.isPausedByHour();
  return {
    isPausedAll,
    isPaused: (profileId) => isPausedAll() || paused.profileIds.includes(profileId),
    current: () => ({ ...paused, byHour: limits.isPausedByHour() }),
    // All means all: a service that was paused by itself goes on too.
    setAll: (isPaused) => change({ all: isPaused, profileIds: isPaused ? paused.profileIds : [] }),
    async setProfile(profileId, isPaused) {
      const others = paused.profileIds.filter((id) => id !== profileId);
      await change({ ...paused, profileIds: isPaused ? [...others, profileId] : others });
    },
  };
}
