import { z } from 'zod';
import type { TransferSummary } from '../../../shared/domain/transfer-summary.ts';
import type { Documents } from '../../database/documents.ts';
import { openDocument } from '../../database/collection.ts';
import type { Limits } from './limits/limits.ts';

/** What the user has paused; survives a restart. The pause of a single transfer is stored in its record. */
export interface Pauses {
  readonly isPaused: (serviceId: string) => boolean;
  /** All services are paused, by the user or by the hours. */
  isPausedAll(): boolean;
  current(): TransferSummary['paused'];
  setAll(isPaused: boolean): Promise<void>;
  setService(serviceId: string, isPaused: boolean): Promise<void>;
}

const pausedSchema = z.object({ all: z.boolean(), serviceIds: z.array(z.string()) });

export async function openPauses(
  documents: Pick<Documents, 'get' | 'put'>,
  limits: Pick<Limits, 'isPausedByHour'>,
): Promise<Pauses> {
  const none = { all: false, serviceIds: [] };
  const paused = await openDocument(documents, ['engine', 'paused'], pausedSchema, none);

  const isPausedAll = () => paused.get().all || limits.isPausedByHour();
  return {
    isPausedAll,
    isPaused: (serviceId) => isPausedAll() || paused.get().serviceIds.includes(serviceId),
    current: () => ({ ...paused.get(), byHour: limits.isPausedByHour() }),
    // Resuming all also resumes services that were paused individually.
    setAll: (isPaused) => paused.set({ all: isPaused, serviceIds: isPaused ? paused.get().serviceIds : [] }),
    async setService(serviceId, isPaused) {
      const others = paused.get().serviceIds.filter((id) => id !== serviceId);
      await paused.set({ ...paused.get(), serviceIds: isPaused ? [...others, serviceId] : others });
    },
  };
}
