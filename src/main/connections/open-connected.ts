import type { FolderChange } from '../../shared/domain/folder.ts';
import { favouritesAfter } from '../../shared/domain/shown-list.ts';
import type { Documents } from '../database/documents.ts';
import { KeyedMutex } from '../lib/async.ts';
import { Emitter } from '../lib/emitter.ts';
import type { Started } from '../lib/started.ts';
import type { Ports } from '../ports.ts';
import { createCredentialStore } from './credential-store.ts';
import { createLocalService } from './local-service.ts';
import { openConnections } from './open-connections.ts';
import { createPassphrases } from './passphrases.ts';
import { createProxies } from './proxies.ts';
import { createServiceClients } from './service-clients.ts';
import { openServiceRepository } from './service-repository.ts';
import { createTokens } from './tokens.ts';

export type Connected = Awaited<ReturnType<typeof openConnected>>;

/** Opens the services with their tokens, proxies and clients. */
export async function openConnected(
  started: Started,
  given: {
    ports: Pick<Ports, 'clock' | 'environment' | 'keychain' | 'log' | 'paths' | 'systemProxy'>;
    documents: Documents;
    localServiceWorker: URL;
    /** The built-in service's data was damaged, and is in this folder. */
    onLocalServiceSetAside: (folder: string) => void;
  },
) {
  const { documents } = given;
  const { clock, environment, keychain, log, paths, systemProxy } = given.ports;
  // States and tokens may change before there is a publisher.
  const changed = new Emitter<[]>();
  const credentials = await createCredentialStore({ secrets: keychain, clock, log, onStored: changed.fire });
  started.add(() => credentials.close());
  const tokens = createTokens(credentials);
  const passphrases = createPassphrases(credentials);
  const proxies = await createProxies({ systemProxy, environment, documents, keys: credentials, clock, log });
  const repository = await openServiceRepository(documents, log);
  const localService = createLocalService({
    workerUrl: given.localServiceWorker,
    userDataFolder: paths.userData,
    keys: credentials,
    tokens,
    log,
    onSetAside: given.onLocalServiceSetAside,
  });
  started.add(() => localService.stop());
  const clients = createServiceClients({ repository, tokens, passphrases, proxies, localService, log });
  const connections = openConnections({ repository, clients, paths, clock, log, onChanged: changed.fire });
  started.add(() => connections.close());
  return {
    credentials,
    tokens,
    passphrases,
    proxies,
    repository,
    localService,
    connections,
    /** Serialises changes of a service: its address must not change while it joins a team. */
    serviceLock: new KeyedMutex<string>(),
    onServicesChanged: changed.event,
    /** Favourites of folders that a person has moved follow them. */
    async followFolders(serviceId: string, changes: readonly FolderChange[]): Promise<void> {
      if (changes.length === 0) return;
      await repository.update(serviceId, ({ favourites = [], ...rest }) => ({
        ...rest,
        favourites: favouritesAfter(favourites, changes, rest.separator),
      }));
      changed.fire();
    },
  };
}
