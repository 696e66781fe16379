import { randomUUID } from 'node:crypto';
import { favouritesMax, isSameFavourite, type Favourite } from '../../shared/domain/shown-list.ts';
import type { Handlers } from '../../shared/contract.ts';
import {
  separatorDefault,
  versionMarkDefault,
  type Service,
  type ServiceDraft,
} from '../../shared/domain/service.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Grants } from '../local-files/grants.ts';
import { type LocalService, localServiceId, makeLocalService } from './local-service.ts';
import type { Clock, Log, Paths, Publisher } from '../ports.ts';
import type { KeyedMutex } from '../lib/async.ts';
import { downloadFolderOf } from './download-folder.ts';
import { shortenHome } from '../local-files/shorten-home.ts';
import { createServiceDrafts, forgetChoices } from './service-drafts.ts';
import type { OpenConnections } from './open-connections.ts';
import type { Passphrases } from './passphrases.ts';
import type { ServiceRepository, StoredService } from './service-repository.ts';
import type { Proxies } from './proxies.ts';
import { createServiceUpdate } from './service-update.ts';
import { routeOf } from './token-route.ts';
import { cleanToken, requireOwnToken, type Tokens } from './tokens.ts';

type Name =
  | 'list'
  | 'test'
  | 'tryObject'
  | 'add'
  | 'update'
  | 'setToken'
  | 'remove'
  | 'rememberShown'
  | 'keepFavourite'
  | 'moveFavourite'
  | 'activate'
  | 'check'
  | 'tryLocal';

export interface Services {
  readonly handlers: Pick<Handlers, `services.${Name}`>;
  /** Checks all services in the background. */
  start(): void;
  /** Tells the window that connections or tokens have changed. */
  publishChanged(): void;
  /** Number of tokens in the keychain. */
  countStoredTokens(): number;
}

export function createServices(deps: {
  repository: ServiceRepository;
  tokens: Tokens;
  passphrases: Passphrases;
  proxies: Proxies;
  connections: OpenConnections;
  localService: LocalService;
  catalogue: Pick<Catalogue, 'setNaming' | 'removeService'>;
  grants: Grants;
  paths: Pick<Paths, 'downloads' | 'home'>;
  clock: Clock;
  publisher: Publisher;
  log: Log;
  /** Whether services are checked at the start, and one that is added. Requests of transfers need no check before. */
  checks: boolean;
  /** Serialises the requests for each service. */
  lock: KeyedMutex<string>;
  /** @throws AppFailure serviceInTeam */
  requireMovable: (serviceId: string) => Promise<void>;
  /** @throws AppFailure teamUnshared */
  requireShared: (serviceId: string) => Promise<void>;
  /** @throws AppFailure serviceUnfinished */
  requireFinished: (serviceId: string) => Promise<void>;
  /** Ends all work for a service before its rows are removed. */
  onRemove: (serviceId: string) => Promise<void>;
  /** Number of unfinished transfers of a service. */
  unfinishedOf: (serviceId: string) => Promise<number>;
  /** Cancels these transfers; resolves when they send no more requests. */
  cancelUnfinished: (serviceId: string) => Promise<void>;
}): Services {
  const {
    repository,
    tokens,
    passphrases,
    connections,
    localService,
    catalogue,
    grants,
    paths,
    publisher,
    lock,
    checks,
  } = deps;
  const drafts = createServiceDrafts(deps);
  const update = createServiceUpdate({ ...deps, drafts });
  let revision = 0;

  function publishChanged(): void {
    publisher.publish('services.changed', { revision: ++revision });
  }

  function describe(stored: StoredService): Service {
    const { downloadFolder: _folder, shownList: _shown, favourites: _favourites, ...rest } = stored;
    const { authority, clientCertificate, ...same } = rest;
    return {
      ...same,
      authority: authority && {
        fileName: authority.fileName,
        subject: authority.subject,
        fingerprint: authority.fingerprint,
      },
      clientCertificate: clientCertificate && {
        fileName: clientCertificate.fileName,
        passphraseStoredIn: passphrases.storedIn(stored.id, clientCertificate.digest),
      },
      downloadFolderLabel: shortenHome(downloadFolderOf(stored, paths), paths.home),
      connection: connections.stateOf(stored.id),
      trouble: connections.troubleOf(stored.id),
      tokenStoredIn: tokens.storedIn(stored.id, routeOf(stored)),
    };
  }

  async function add(draft: ServiceDraft, passphrase?: string): Promise<StoredService> {
    const read = await drafts.read(draft, undefined, passphrase);
    const address = { isLocal: false, baseAddress: read.baseAddress };
    // A service added again gets the list that was kept at its removal.
    const removedId = await repository.findRemoved(read.baseAddress);
    const id = removedId ?? randomUUID();
    const stored: StoredService = {
      ...read,
      ...address,
      id,
    };
    await repository.add(stored);
    if (stored.clientCertificate) await passphrases.set(id, stored.clientCertificate, passphrase ?? '');
    const isUsual = stored.separator === separatorDefault && stored.versionMark === versionMarkDefault;
    if (removedId !== null || !isUsual) await catalogue.setNaming(id, stored);
    return stored;
  }

  async function activate(id: string): Promise<void> {
    await repository.activate(id);
    publishChanged();
    void connections.check(id);
  }

  return {
    start() {
      if (!checks) return;
      // Start the built-in service only if it is in use.
      for (const { id, isLocal } of repository.list()) {
        if (!isLocal || id === repository.activeId()) void connections.check(id);
      }
    },
    publishChanged,
    countStoredTokens: () =>
      repository.list().filter((service) => tokens.storedIn(service.id, routeOf(service)) === 'keychain')
        .length,

    handlers: {
      'services.list': () => {
        const stored = repository.list();
        const shown = stored.flatMap(({ id, shownList }) =>
          shownList === undefined ? [] : [[id, shownList]],
        );
        return {
          revision,
          services: stored.map(describe),
          activeId: repository.activeId(),
          shownLists: Object.fromEntries(shown),
          favourites: Object.fromEntries(stored.map(({ id, favourites = [] }) => [id, favourites])),
        };
      },

      'services.test': drafts.test,
      'services.tryObject': drafts.tryObject,

      'services.add': async ({ draft, token, passphrase }) => {
        const usable = cleanToken(token);
        const stored = await add(draft, passphrase);
        forgetChoices(draft, grants);
        await tokens.set(stored.id, routeOf(stored), usable);
        if (repository.activeId() === null) await repository.activate(stored.id);
        if (checks) void connections.check(stored.id);
        publishChanged();
        return describe(stored);
      },

      'services.update': async (input) => {
        const { before, stored } = await update(input);
        if (stored.separator !== before.separator || stored.versionMark !== before.versionMark)
          await catalogue.setNaming(stored.id, stored);
        forgetChoices(input.draft, grants);
        publishChanged();
        return describe(stored);
      },

      'services.setToken': ({ id, token }) =>
        lock.runExclusive(id, async () => {
          const stored = repository.get(id);
          requireOwnToken(stored);
          await tokens.set(id, routeOf(stored), cleanToken(token));
          connections.tokenChanged(id);
          await connections.check(id);
          publishChanged();
          return describe(stored);
        }),

      'services.remove': ({ id, removeCatalogue, unshared = 'ask', unfinished = 'ask' }) =>
        lock.runExclusive(id, async () => {
          const { isLocal } = repository.get(id);
          if (unshared === 'ask') await deps.requireShared(id);
          if (unfinished === 'ask') await deps.requireFinished(id);
          const wasActive = repository.activeId() === id;
          await tokens.remove(id);
          await passphrases.remove(id);
          await repository.remove(id, !removeCatalogue, async () => {
            if (unfinished === 'ask') {
              // A Replace may have deleted its object since it was looked for.
              await deps.cancelUnfinished(id);
              await deps.requireFinished(id);
            }
            await deps.onRemove(id);
            if (removeCatalogue) await catalogue.removeService(id);
            if (isLocal) await (removeCatalogue ? localService.erase() : localService.stop());
          });
          connections.drop(id);
          const [next] = repository.list();
          if (wasActive && next) await activate(next.id);
          else if (wasActive) await repository.activate(null);
          publishChanged();
          return undefined;
        }),

      'services.keepFavourite': async ({ id, favourite, isKept }) => {
        await repository.update(id, (current) => {
          const { favourites = [] } = current;
          const isThis = (other: Favourite) => isSameFavourite(other, favourite);
          if (!isKept) return { ...current, favourites: favourites.filter((other) => !isThis(other)) };
          if (favourites.some(isThis))
            return { ...current, favourites: favourites.map((other) => (isThis(other) ? favourite : other)) };
          if (favourites.length >= favouritesMax)
            throw new AppFailure({ code: 'invalidInput', field: 'favourite', problem: 'tooMany' });
          return { ...current, favourites: [...favourites, favourite] };
        });
        publishChanged();
        return undefined;
      },

      'services.moveFavourite': async ({ id, favourite, by }) => {
        await repository.update(id, (current) => {
          const favourites = [...(current.favourites ?? [])];
          const from = favourites.findIndex((other) => isSameFavourite(other, favourite));
          const to = from + by;
          if (from < 0 || to < 0 || to >= favourites.length) return current;
          favourites.splice(to, 0, ...favourites.splice(from, 1));
          return { ...current, favourites };
        });
        publishChanged();
        return undefined;
      },

      'services.rememberShown': async ({ id, shown }) => {
        await repository.update(id, (current) => ({ ...current, shownList: shown }));
        return undefined;
      },

      'services.activate': async ({ id }) => {
        await activate(repository.get(id).id);
        return undefined;
      },

      'services.check': async ({ id }) => {
        repository.get(id);
        await connections.check(id);
        return describe(repository.get(id));
      },

      'services.tryLocal': async () => {
        const { baseAddress } = await localService.ensure();
        if (!repository.find(localServiceId)) {
          const stored = makeLocalService(baseAddress, repository.list());
          await repository.add(stored);
          // Its id is fixed, so an earlier removal may have closed its list: this reopens it.
          await catalogue.setNaming(stored.id, stored);
        }
        await repository.activate(localServiceId);
        await connections.check(localServiceId);
        publishChanged();
        return describe(repository.get(localServiceId));
      },
    },
  };
}
