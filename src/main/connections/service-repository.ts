import { z } from 'zod';
import { collator } from '../../shared/i18n/intl.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { serviceSchema } from '../../shared/domain/service.ts';
import { favouriteSchema, shownListSchema } from '../../shared/domain/shown-list.ts';
import type { Documents } from '../database/documents.ts';
import { openCollection, readCollection } from '../database/collection.ts';
import type { Log } from '../ports.ts';
import { Mutex } from '../lib/async.ts';
import { isSameOrigin, originOf } from './origins.ts';

/** A service as stored. Never its token. */
export const storedServiceSchema = serviceSchema
  .omit({
    authority: true,
    clientCertificate: true,
    downloadFolderLabel: true,
    connection: true,
    trouble: true,
    tokenStoredIn: true,
  })
  .extend({
    /** Contents of the PFX file when it was chosen (base64), and its SHA-256. The passphrase is in the keychain. */
    clientCertificate: z.object({ fileName: z.string(), digest: z.string(), pfx: z.string() }).nullable(),
    /** Contents of the extra CA file when it was chosen. */
    authority: z
      .object({ fileName: z.string(), subject: z.string(), fingerprint: z.string(), pem: z.string() })
      .nullable(),
    /** Absolute; null: a folder with the service's name in Downloads. */
    downloadFolder: z.string().nullable(),
    /** If invalid, dropped instead of the whole service; so are the favourites. */
    shownList: shownListSchema.optional().catch(undefined),
    favourites: z.array(favouriteSchema).optional().catch(undefined),
  });
export type StoredService = z.infer<typeof storedServiceSchema>;

/** The services, in memory and in the database. Changes are serialised; each sees the result of the one before. */
export interface ServiceRepository {
  /** By name. */
  list(): StoredService[];
  /** @throws AppFailure notFound (service), also once its removal has started */
  get(id: string): StoredService;
  find(id: string): StoredService | undefined;
  /** @throws AppFailure nameTaken */
  add(service: StoredService): Promise<void>;
  /** @throws AppFailure notFound (service), nameTaken */
  update(id: string, change: (current: StoredService) => StoredService): Promise<StoredService>;
  /**
   * Rejects all writes for the service before `clear` starts. If `clear` fails, restores the service.
   * @param keepsList keep its list of objects, for `findRemoved`
   * @param clear removes its data elsewhere
   * @throws AppFailure notFound (service), and what `clear` throws
   */
  remove(id: string, keepsList: boolean, clear: () => Promise<void>): Promise<void>;
  /** Id of a removed service at this address whose list was kept. @throws AppFailure badAddress */
  findRemoved(baseAddress: string): Promise<string | null>;
  activeId(): string | null;
  activate(id: string | null): Promise<void>;
  /** @param exceptId the service that already has this name @throws AppFailure nameTaken */
  requireFreeName(name: string, exceptId: string | null): void;
}

/** Reads all services. Invalid ones are skipped, not deleted. */
export async function openServiceRepository(documents: Documents, log: Log): Promise<ServiceRepository> {
  const services = await readCollection(documents, 'services', storedServiceSchema, (serviceId, error) => {
    log.error('a stored service cannot be read', { serviceId, issue: error.issues[0]?.path });
  });
  const mutex = new Mutex();
  const app = await openCollection(documents, 'app', z.string().nullable());

  /** Serialises all changes, since a name must be unique among all services. */
  function change<T>(work: () => Promise<T>): Promise<T> {
    return mutex.runExclusive(work);
  }

  function get(id: string): StoredService {
    const service = services.get(id);
    if (!service) throw new AppFailure({ code: 'notFound', what: 'service' });
    return service;
  }

  function requireFreeName(name: string, exceptId: string | null): void {
    const fold = (text: string) => text.normalize('NFKC').toLowerCase();
    const isTaken = [...services.values()].some(
      (other) => other.id !== exceptId && fold(other.name) === fold(name),
    );
    if (isTaken) throw new AppFailure({ code: 'nameTaken', name });
  }

  return {
    list: () => [...services.values()].sort((a, b) => collator().compare(a.name, b.name)),
    find: (id) => services.get(id),
    get,
    requireFreeName,
    add: (service) =>
      change(async () => {
        requireFreeName(service.name, service.id);
        await documents.put('services', service.id, service);
        await documents.delete('removedServices', service.id);
        services.set(service.id, service);
      }),
    update: (id, next) =>
      change(async () => {
        const service = next(get(id));
        requireFreeName(service.name, id);
        await documents.put('services', id, service);
        services.set(id, service);
        return service;
      }),
    async remove(id, keepsList, clear) {
      // Serialised: earlier writes are done, and later ones find no service.
      const service = await change(async () => {
        const found = get(id);
        services.delete(id);
        return found;
      });
      try {
        await clear();
        await change(async () => {
          // The built-in service has a fixed id and a changing address.
          if (keepsList && !service.isLocal) await documents.put('removedServices', id, originOf(service));
          await documents.delete('services', id);
        });
      } catch (cause) {
        services.set(id, service);
        throw cause;
      }
    },
    async findRemoved(baseAddress) {
      const origin = originOf({ isLocal: false, baseAddress });
      const removed = await documents.list('removedServices');
      return (
        removed.find(({ value }) => typeof value === 'string' && isSameOrigin(value, origin))?.key ?? null
      );
    },
    activeId() {
      const id = app.get('activeService') ?? null;
      return id !== null && services.has(id) ? id : null;
    },
    activate: (id) => app.set('activeService', id),
  };
}
