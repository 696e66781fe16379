import { toAppError, type AppErrorOf } from '../../shared/errors.ts';
import type { LocalService } from './local-service.ts';
import type { Log } from '../ports.ts';
import { createServiceClient, type ServiceClient } from '../service/client.ts';
import { named } from './certificate-file.ts';
import type { Connections } from './connections.ts';
import { originOf, tokenOriginOf } from './origins.ts';
import type { Passphrases } from './passphrases.ts';
import type { ProfileBook, StoredProfile } from './service-repository.ts';
import type { Proxies } from './proxies.ts';
import type { Tokens } from './tokens.ts';

/** The client of each profile, made from what the profile is. One that it no longer is takes no more requests. */
export interface ProfileClients {
  openFor: Connections['openFor'];
  /** The one that is open is of what the profile is now. */
  isCurrent(profileId: string): boolean;
  /** Why the keychain did not give up the token when the client was last opened; null: it did, or it has none. */
  tokenProblemOf(profileId: string): AppErrorOf<'keychain'> | null;
  /** What goes on over it comes to its end. */
  drop(profileId: string): void;
  close(): Promise<void>;
}

export function createProfileClients(deps: {
  book: ProfileBook;
  tokens: Tokens;
  passphrases: Passphrases;
  proxies: Proxies;
  localService: LocalService;
  log: Log;
}): ProfileClients {
  const { book, tokens, passphrases, proxies, localService, log } = deps;
  const clients = new Map<string, { way: string; client: ServiceClient }>();
  const tokenProblems = new Map<string, AppErrorOf<'keychain'>>();
  /** Those that come to their end too. */
  const unended = new Set<ServiceClient>();

  /** Everything that a client is made from. */
  function wayOf(profile: StoredProfile): string {
    const { isLocal, baseAddress, insecureAllowed, authority, clientCertificate, proxy } = profile;
    return JSON.stringify([
      isLocal,
      baseAddress,
      insecureAllowed,
      authority?.pem,
      clientCertificate?.digest,
      passphraseOf(profile),
      proxy,
    ]);
  }

  function passphraseOf({ id, clientCertificate }: StoredProfile): string | null {
    return clientCertificate && passphrases.read(id, clientCertificate.digest);
  }

  function createClient(profile: StoredProfile): ServiceClient {
    const tokenOrigin = tokenOriginOf(profile);
    const { baseAddress, insecureAllowed, authority, clientCertificate, proxy } = profile;
    const client = named(clientCertificate, () =>
      createServiceClient({
        baseAddress,
        insecureAllowed,
        getToken: () => tokens.read(profile.id, tokenOrigin),
        authorities: authority?.pem,
        clientCertificate: clientCertificate
          ? { pfx: Buffer.from(clientCertificate.pfx, 'base64'), passphrase: passphraseOf(profile) }
          : undefined,
        findProxy: proxies.finderFor(proxy),
      }),
    );
    unended.add(client);
    return client;
  }

  /** What runs over it comes to its end; nothing new begins. */
  function retire(client: ServiceClient): void {
    client
      .close({ whenIdle: true })
      .catch((cause: unknown) => log.error('a client did not end', { cause }))
      .finally(() => unended.delete(client));
  }

  function drop(profileId: string): void {
    const open = clients.get(profileId);
    if (open) retire(open.client);
    clients.delete(profileId);
  }

  async function loadToken(profileId: string): Promise<void> {
    tokenProblems.delete(profileId);
    try {
      await tokens.load(profileId);
    } catch (cause) {
      log.warn('the token cannot be read', { profileId, cause });
      const error = toAppError(cause);
      // Where there is no keychain, no token can lie in it.
      if (error?.code === 'keychain' && error.problem !== 'unavailable') tokenProblems.set(profileId, error);
    }
  }

  async function openFor(profileId: string): Promise<{ client: ServiceClient; origin: string }> {
    if (book.get(profileId).isLocal) {
      // It may have come up again at another port.
      const { baseAddress } = await localService.ensure();
      if (book.get(profileId).baseAddress !== baseAddress) {
        await book.update(profileId, (current) => ({ ...current, baseAddress }));
      }
    }
    // Without a token again each time: a keychain that was locked may be open now.
    if (tokens.read(profileId, tokenOriginOf(book.get(profileId))) === null) {
      await loadToken(profileId);
    }
    const { clientCertificate } = book.get(profileId);
    if (clientCertificate && passphrases.read(profileId, clientCertificate.digest) === null) {
      await passphrases.load(profileId).catch((cause: unknown) => {
        log.warn('the passphrase of a certificate cannot be read', { profileId, cause });
      });
    }
    // What it is now: it may have changed, or gone, meanwhile.
    const profile = book.get(profileId);
    const way = wayOf(profile);
    let open = clients.get(profileId);
    if (open?.way !== way) {
      const client = createClient(profile);
      drop(profileId);
      open = { way, client };
      clients.set(profileId, open);
    }
    return { client: open.client, origin: originOf(profile) };
  }

  return {
    openFor,
    isCurrent: (profileId) => clients.get(profileId)?.way === wayOf(book.get(profileId)),
    tokenProblemOf: (profileId) => tokenProblems.get(profileId) ?? null,
    drop,
    async close() {
      clients.clear();
      await Promise.all([...unended].map((client) => client.close()));
    },
  };
}
