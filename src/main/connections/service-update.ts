import type { Input } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Log } from '../ports.ts';
import type { KeyedMutex } from '../lib/async.ts';
import type { OpenConnections } from './open-connections.ts';
import { originOf, tokenOriginOf } from './origins.ts';
import type { Passphrases } from './passphrases.ts';
import type { ServiceDrafts } from './service-drafts.ts';
import type { ServiceRepository, StoredService } from './service-repository.ts';
import { routeOf } from './token-route.ts';
import { cleanToken, requireOwnToken, type Tokens } from './tokens.ts';

/** Changes the settings of a service and the credentials that are for them as one. */
export function createServiceUpdate(deps: {
  drafts: Pick<ServiceDrafts, 'read'>;
  repository: ServiceRepository;
  tokens: Tokens;
  passphrases: Passphrases;
  connections: OpenConnections;
  log: Log;
  /** Serialises the requests for each service. */
  lock: KeyedMutex<string>;
  /** @throws AppFailure serviceInTeam */
  requireMovable: (serviceId: string) => Promise<void>;
  /** Number of unfinished transfers of a service. */
  unfinishedOf: (serviceId: string) => Promise<number>;
  /** Cancels these transfers; resolves when they send no more requests. */
  cancelUnfinished: (serviceId: string) => Promise<void>;
}) {
  const { drafts, repository, tokens, passphrases, connections, log, lock } = deps;

  /** @throws AppFailure serviceInTeam, serviceBusy */
  async function requireLeaving({ id }: StoredService, unfinished: 'ask' | 'cancel'): Promise<void> {
    await deps.requireMovable(id);
    const count = await deps.unfinishedOf(id);
    if (count > 0 && unfinished === 'ask') throw new AppFailure({ code: 'serviceBusy', count });
  }

  /** The credentials in use: what a failed change puts back. One that cannot be read is not removed either. */
  async function readCredentials(service: StoredService) {
    const { id, clientCertificate } = service;
    const warn = (cause: unknown) => log.warn('a credential cannot be read', { serviceId: id, cause });
    await tokens.load(id).catch(warn);
    if (clientCertificate) await passphrases.load(id).catch(warn);
    return {
      token: tokens.read(id, routeOf(service)),
      passphrase: clientCertificate && passphrases.read(id, clientCertificate.digest),
    };
  }

  /**
   * @throws AppFailure serviceInTeam, serviceBusy, tokenMissing, keychain, and errors of a draft: then nothing has changed, except that
   * transfers may be cancelled if the person agreed to that
   */
  return ({ id, draft, token, passphrase, unfinished, byCommand = false }: Input<'services.update'>) =>
    lock.runExclusive(id, async () => {
      const before = repository.get(id);
      const given = token === undefined ? null : cleanToken(token);
      if (given !== null) requireOwnToken(before);
      const read = await drafts.read(draft, before, passphrase);
      const next = { ...before, ...read };
      const isMoving = originOf(before) !== originOf(next);
      const isOtherRoute = routeOf(before) !== routeOf(next);
      if (isOtherRoute && byCommand && given === null) throw new AppFailure({ code: 'tokenMissing' });
      if (isMoving) await requireLeaving(before, unfinished);

      const used = isOtherRoute ? await readCredentials(before) : { token: null, passphrase: null };
      const isOtherOrigin = tokenOriginOf(before) !== tokenOriginOf(next);
      const newToken = given ?? (isOtherOrigin ? null : used.token);
      // Before anything changes: a locked keychain refuses to remove an entry, and takes a new one for the session.
      if (isOtherRoute && (isOtherOrigin || newToken === null)) await tokens.remove(id);
      let stored: StoredService;
      try {
        if (before.clientCertificate && !next.clientCertificate) await passphrases.remove(id);
        if (isMoving) await deps.cancelUnfinished(id);
        stored = await connections.whileSuspended(id, async () => {
          const written = await repository.update(id, (current) => ({
            ...current,
            ...read,
            // The built-in service chooses its port itself.
            baseAddress: current.isLocal ? current.baseAddress : read.baseAddress,
          }));
          const isNewFile = next.clientCertificate !== before.clientCertificate;
          const opening = passphrase ?? (isNewFile ? '' : undefined);
          if (next.clientCertificate && opening !== undefined)
            await passphrases.set(id, next.clientCertificate, opening);
          if (newToken !== null) await tokens.set(id, routeOf(written), newToken);
          return written;
        });
      } catch (cause) {
        if (used.token !== null) await tokens.set(id, routeOf(before), used.token);
        if (used.passphrase !== null && before.clientCertificate)
          await passphrases.set(id, before.clientCertificate, used.passphrase);
        throw cause;
      }
      // Also transfers added meanwhile: what they would ask the former address cannot be answered any more.
      if (isMoving) await deps.cancelUnfinished(id);
      if (given !== null) {
        connections.tokenChanged(id);
        void connections.check(id);
      }
      return { before, stored };
    });
}
