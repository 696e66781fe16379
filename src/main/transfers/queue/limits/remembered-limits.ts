import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Connections } from '../../../connections/connections.ts';
import { openDocument } from '../../../database/collection.ts';
import type { Documents } from '../../../database/documents.ts';

/** How many requests at once each service has answered well, by its origin: where the next run begins. */
export interface RememberedLimits {
  /** undefined: nothing is known. */
  readonly of: (serviceId: string) => number | undefined;
  /** Replaces what is remembered; what is not in `learned` stays as long as there is its service. */
  save(learned: ReadonlyMap<string, number>): Promise<void>;
}

const savedSchema = z.record(z.string(), z.number().int().positive());

export async function openRememberedLimits(
  documents: Pick<Documents, 'get' | 'put'>,
  connections: Pick<Connections, 'serviceIds' | 'originOf'>,
): Promise<RememberedLimits> {
  const saved = await openDocument(documents, ['engine', 'requestsAtOnce'], savedSchema, {});
  const isThere = (serviceId: string) => connections.serviceIds().includes(serviceId);
  const of = (serviceId: string) =>
    isThere(serviceId) ? saved.get()[connections.originOf(serviceId)] : undefined;
  return {
    of,
    async save(learned) {
      const next: Record<string, number> = {};
      for (const serviceId of connections.serviceIds()) {
        const requests = learned.get(serviceId) ?? of(serviceId);
        if (requests !== undefined) next[connections.originOf(serviceId)] = requests;
      }
      // A command ends sooner without a write.
      if (!isDeepStrictEqual(next, saved.get())) await saved.set(next);
    },
  };
}
