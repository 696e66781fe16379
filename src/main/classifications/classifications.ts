import { z } from 'zod';
import type { Classifications as ClassificationList, Handlers } from '../../shared/contract.ts';
import { type AppError } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { Documents } from '../database/documents.ts';
import { openCollection } from '../database/collection.ts';
import type { Connections } from '../connections/connections.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';
import type { Host } from '../host.ts';

const maxRecent = 5;
const maxFolders = 500;

const byFolderSchema = z.array(z.tuple([z.string(), z.string().nullable()]));
type ByFolder = z.infer<typeof byFolderSchema>;

/** The remembered choices for a service. null: the service default. */
const memorySchema = z.object({
  /** Newest first. */
  recent: z.array(z.string().nullable()),
  /** By folder, `''` for the whole service; least recently changed first. */
  preferred: byFolderSchema,
  /** The last choice for uploads into each folder, `''` for none; least recently changed first. */
  used: byFolderSchema.default([]),
});
type Memory = z.infer<typeof memorySchema>;
const nothing: Memory = { recent: [], preferred: [], used: [] };
type Values = ClassificationList['values'];

export interface ClassificationService {
  readonly handlers: Pick<Handlers, 'classifications.list' | 'classifications.setPreferred'>;
  /**
   * Call when objects are stored with a classification. @throws AppFailure notFound (service)
   * @param folder remembers the choice for this folder; omitted: it was not chosen for one
   */
  rememberUsed(serviceId: string, value: string | null, folder?: string): Promise<void>;
  /** Call when the service is removed. */
  forgetService(serviceId: string): Promise<void>;
}

export async function createClassifications(deps: {
  repository: Pick<ServiceRepository, 'get'>;
  connections: Pick<Connections, 'clientOf'>;
  documents: Documents;
}): Promise<ClassificationService> {
  const { repository, connections, documents } = deps;
  const memories = await openCollection(documents, 'classifications', memorySchema);
  /** The last answer in this session, with the address it came from. */
  const loaded = new Map<string, { address: string; values: Values }>();

  async function valuesOf(
    serviceId: string,
    refresh: boolean,
  ): Promise<{ values: Values; error: AppError | null }> {
    const source = repository.get(serviceId).classificationSource;
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
      repository.get(serviceId);
      return { ...memory, ...change(memory) };
    });
  }

  return {
    handlers: {
      'classifications.list': async ({ serviceId, folder, refresh }) => {
        const { values, error } = await valuesOf(serviceId, refresh);
        const { recent, ...memory } = memories.get(serviceId) ?? nothing;
        const [used, chosen] = [new Map(memory.used), new Map(memory.preferred)];
        const preferred = (chosen.has(folder) ? chosen.get(folder) : chosen.get('')) ?? null;
        const start = used.has(folder) ? (used.get(folder) ?? null) : preferred;
        return { values, recent, start, preferred, error };
      },
      'classifications.setPreferred': async ({ serviceId, folder, value }) => {
        await remember(serviceId, ({ preferred, used }) => ({
          preferred: withFolder(preferred, folder, value),
          // So that the new default, not the last choice, is suggested there.
          used: used.filter(([itsFolder]) => itsFolder !== folder),
        }));
        return undefined;
      },
    },
    rememberUsed: (serviceId, value, folder) =>
      remember(serviceId, ({ recent, used }) => ({
        recent: [value, ...recent.filter((other) => other !== value)].slice(0, maxRecent),
        ...(folder !== undefined && { used: withFolder(used, folder, value) }),
      })),
    async forgetService(serviceId) {
      loaded.delete(serviceId);
      await memories.delete(serviceId);
    },
  };
}

function withFolder(all: ByFolder, folder: string, value: string | null): ByFolder {
  const others = all.filter(([itsFolder]) => itsFolder !== folder);
  return [...others, [folder, value] as const].slice(-maxFolders) as ByFolder;
}

export async function classifications(host: Host): Promise<ClassificationService> {
  const own = await createClassifications(host);
  host.onServiceRemoved((serviceId) => own.forgetService(serviceId));
  return own;
}
