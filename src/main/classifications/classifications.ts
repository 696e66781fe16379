import { z } from 'zod';
import type { Classifications as ClassificationList, Handlers } from '../../shared/contract.ts';
import { type AppError } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { Documents } from '../database/documents.ts';
import { openCollection } from '../database/collection.ts';
import type { Connections } from '../connections/connections.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';

const maxRecent = 5;
const maxFolders = 500;

/** The remembered choices for a service. null: the service default. */
const memorySchema = z.object({
  /** Newest first. */
  recent: z.array(z.string().nullable()),
  /** By folder, `''` for the whole service; least recently changed first. */
  preferred: z.array(z.tuple([z.string(), z.string().nullable()])),
});
type Memory = z.infer<typeof memorySchema>;
const nothing: Memory = { recent: [], preferred: [] };
type Values = ClassificationList['values'];

export interface ClassificationService {
  readonly handlers: Pick<Handlers, 'classifications.list' | 'classifications.setPreferred'>;
  /** Call when a classification is chosen for an upload. @throws AppFailure notFound (service) */
  rememberUsed(serviceId: string, value: string | null): Promise<void>;
  /** Call when the service is removed. */
  forgetService(serviceId: string): Promise<void>;
}

export async function createClassifications(deps: {
  book: Pick<ServiceRepository, 'get'>;
  connections: Pick<Connections, 'clientOf'>;
  documents: Documents;
}): Promise<ClassificationService> {
  const { book, connections, documents } = deps;
  const memories = await openCollection(documents, 'classifications', memorySchema);
  /** The last answer in this session, with the address it came from. */
  const loaded = new Map<string, { address: string; values: Values }>();

  async function valuesOf(
    serviceId: string,
    refresh: boolean,
  ): Promise<{ values: Values; error: AppError | null }> {
    const source = book.get(serviceId).classificationSource;
    if (source.kind === 'none') return { values: [], error: null };
    if (source.kind === 'list') {
      return { values: source.values.map((value) => ({ value, description: null })), error: null };
    }
    const { address } = source;
    const known = loaded.get(serviceId);
    const last = known?.address === address ? known.values : null;
    if (last && !refresh) return { values: last, error: null };
    try {
      const client = await connections.clientOf(serviceId);
      const answer = await client.fetchClassifications(address);
      const values = answer.map(({ name, description }) => ({ value: name, description }));
      loaded.set(serviceId, { address, values });
      return { values, error: null };
    } catch (cause) {
      const error = toAppError(cause);
      if (!error) throw cause;
      return { values: last ?? [], error };
    }
  }

  /** @throws AppFailure notFound (service) */
  function remember(serviceId: string, change: (memory: Memory) => Partial<Memory>): Promise<void> {
    return memories.update(serviceId, (memory = nothing) => {
      // Inside the mutex: throws if the service was removed meanwhile.
      book.get(serviceId);
      return { ...memory, ...change(memory) };
    });
  }

  return {
    handlers: {
      'classifications.list': async ({ serviceId, folder, refresh }) => {
        const { values, error } = await valuesOf(serviceId, refresh);
        const { recent, preferred } = memories.get(serviceId) ?? nothing;
        const byFolder = new Map(preferred);
        const choice = byFolder.has(folder) ? byFolder.get(folder) : byFolder.get('');
        return { values, recent, preferred: choice ?? null, error };
      },
      'classifications.setPreferred': async ({ serviceId, folder, value }) => {
        await remember(serviceId, ({ preferred }) => {
          const others = preferred.filter(([itsFolder]) => itsFolder !== folder);
          const all: Memory['preferred'] = [...others, [folder, value]];
          return { preferred: all.slice(-maxFolders) };
        });
        return undefined;
      },
    },
    rememberUsed: (serviceId, value) =>
      remember(serviceId, ({ recent }) => ({
        recent: [value, ...recent.filter((other) => other !== value)].slice(0, maxRecent),
      })),
    async forgetService(serviceId) {
      loaded.delete(serviceId);
      await memories.delete(serviceId);
    },
  };
}
