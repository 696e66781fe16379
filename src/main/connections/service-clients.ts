import { type AppErrorOf } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { LocalService } from './local-service.ts';
import type { Log } from '../ports.ts';
import { createServiceClient, type ServiceClient } from '../service/client.ts';
import { named } from './certificate-file.ts';
import type { Connections } from './connections.ts';
import { originOf } from './origins.ts';
import type { Passphrases } from './passphrases.ts';
import type { ServiceRepository, StoredService } from './service-repository.ts';
import type { Proxies } from './proxies.ts';
import { routeOf } from './token-route.ts';
import type { Tokens } from './tokens.ts';

/** The client of each service, for its present settings. Clients of earlier settings take no more requests. */
export interface ServiceClients {
  openFor: Connections['openFor'];
  momentOf: Connections['momentOf'];
  /** Whether the open client matches the service's present settings. */
  isCurrent(serviceId: string): boolean;
  /** Lets `openFor` wait. @returns lets it go on; call once */
  suspend(serviceId: string): () => void;
  /** Why the token could not be read from the keychain when the client was last opened; null: no error. */
  tokenProblemOf(serviceId: string): AppErrorOf<'keychain'> | null;
  /** Running requests finish. */
  drop(serviceId: string): void;
  close(): Promise<void>;
}

export function createServiceClients(deps: {
  repository: ServiceRepository;
  tokens: Tokens;
  passphrases: Passphrases;
  proxies: Proxies;
  localService: LocalService;
  log: Log;
}): ServiceClients {
  const { repository, tokens, passphrases, proxies, localService, log } = deps;
  const clients = new Map<string, { way: string; client: ServiceClient }>();
  const suspended = new Map<string, Promise<void>>();
  const tokenProblems = new Map<string, AppErrorOf<'keychain'>>();
  /** Including retired ones that still have running requests. */
  const unended = new Set<ServiceClient>();

  /** All settings that a client depends on, as a key. */
  function wayOf(service: StoredService): string {
    // The port of the built-in service changes.
    return JSON.stringify([routeOf(service), service.baseAddress, passphraseOf(service)]);
  }

  function passphraseOf({ id, clientCertificate }: StoredService): string | null {
    return clientCertificate && passphrases.read(id, clientCertificate.digest);
  }

  function createClient(service: StoredService): ServiceClient {
    const route = routeOf(service);
    const { baseAddress, insecureAllowed, authority, clientCertificate, proxy } = service;
    const client = named(clientCertificate, () =>
      createServiceClient({
        baseAddress,
        insecureAllowed,
        getToken: () => tokens.read(service.id, route),
        authorities: authority?.pem,
        clientCertificate: clientCertificate
          ? { pfx: Buffer.from(clientCertificate.pfx, 'base64'), passphrase: passphraseOf(service) }
          : undefined,
        findProxy: proxies.finderFor(proxy),
        onSlow: (request) => log.info('slow request', { serviceId: service.id, ...request }),
      }),
    );
    unended.add(client);
    return client;
  }

  /** Lets running requests finish and rejects new ones. */
  function retire(client: ServiceClient): void {
    client
      .close({ whenIdle: true })
      .catch((cause: unknown) => log.error('a client did not end', { cause }))
      .finally(() => unended.delete(client));
  }

  function drop(serviceId: string): void {
    const open = clients.get(serviceId);
    if (open) retire(open.client);
    clients.delete(serviceId);
  }

  async function loadToken(serviceId: string): Promise<void> {
    tokenProblems.delete(serviceId);
    try {
      await tokens.load(serviceId);
    } catch (cause) {
      log.warn('the token cannot be read', { serviceId, cause });
      const error = toAppError(cause);
      // Without a keychain there can be no stored token.
      if (error?.code === 'keychain' && error.problem !== 'unavailable') tokenProblems.set(serviceId, error);
    }
  }

  async function openFor(serviceId: string): Promise<{ client: ServiceClient; origin: string }> {
    await suspended.get(serviceId);
    if (repository.get(serviceId).isLocal) {
      // It may have restarted at another port.
      const { baseAddress } = await localService.ensure();
      if (repository.get(serviceId).baseAddress !== baseAddress) {
        await repository.update(serviceId, (current) => ({ ...current, baseAddress }));
      }
    }
    // Load again each time there is no token: a locked keychain may have been unlocked.
    if (tokens.read(serviceId, routeOf(repository.get(serviceId))) === null) {
      await loadToken(serviceId);
    }
    const { clientCertificate } = repository.get(serviceId);
    if (clientCertificate && passphrases.read(serviceId, clientCertificate.digest) === null) {
      await passphrases.load(serviceId).catch((cause: unknown) => {
        log.warn('the passphrase of a certificate cannot be read', { serviceId, cause });
      });
    }
    // Read again: the service may have been changed or removed meanwhile.
    const service = repository.get(serviceId);
    const way = wayOf(service);
    let open = clients.get(serviceId);
    if (open?.way !== way) {
      const client = createClient(service);
      drop(serviceId);
      open = { way, client };
      clients.set(serviceId, open);
    }
    return { client: open.client, origin: originOf(service) };
  }

  return {
    openFor,
    momentOf: (serviceId, ownMs) => clients.get(serviceId)?.client.momentOf(ownMs) ?? ownMs,
    suspend(serviceId) {
      const { promise, resolve } = Promise.withResolvers<void>();
      suspended.set(serviceId, promise);
      return () => {
        suspended.delete(serviceId);
        resolve();
      };
    },
    isCurrent: (serviceId) => clients.get(serviceId)?.way === wayOf(repository.get(serviceId)),
    tokenProblemOf: (serviceId) => tokenProblems.get(serviceId) ?? null,
    drop,
    async close() {
      clients.clear();
      await Promise.all([...unended].map((client) => client.close()));
    },
  };
}
