import { z } from 'zod';
import type { ProxySetting, ProxySignIn } from '../../shared/domain/service.ts';
import { unreachableReasons } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Documents } from '../database/documents.ts';
import type { Clock, Environment, Log, SystemProxy } from '../ports.ts';
import {
  basicAuthorization,
  createProxyCredentials,
  type FindProxy,
  parseProxyAddress,
  type ProxyCredentials,
  type ProxyProblem,
  type ProxyServer,
} from '../service/proxy.ts';
import { createSystemAnswers, environmentProxy } from './environment-proxy.ts';
import { parseStored, type CredentialStore } from './credential-store.ts';

/** The proxies of services, and their credentials, which are in the keychain by the proxy's origin. */
export interface Proxies {
  finderFor(setting: ProxySetting): FindProxy;
  list(): Promise<{ origin: string; user: string; storedIn: 'keychain' | 'session' }[]>;
  /** @throws AppFailure badProxyAddress */
  signIn(given: ProxySignIn): Promise<void>;
  /** The last credentials were refused. Never sent again until re-entered, even after a restart: directories lock accounts for that. */
  wasRefused(origin: string): boolean;
  /** @throws AppFailure keychain, see `CredentialStore.remove` */
  forget(origin: string): Promise<void>;
}

const entrySchema = z.object({ version: z.literal(1), user: z.string(), password: z.string() });
/** Records that the keychain has credentials, and whether the proxy refused them. */
const noteSchema = z.object({ origin: z.string(), isRefused: z.boolean().optional() });

/** One entry of the system's proxy list. */
type Hop =
  | { kind: 'direct' }
  | { kind: 'proxy'; origin: string; authorization: string | null }
  | { kind: 'unsupported'; origin: string };

/** How long to skip an unreachable proxy if the system lists another; as Chromium does. */
const passedOverMs = 5 * 60_000;
const unreachable = new Set<ProxyProblem>([...unreachableReasons, 'untrusted', 'notAProxy']);

export async function createProxies(deps: {
  systemProxy: SystemProxy;
  environment: Environment;
  documents: Documents;
  keys: CredentialStore;
  clock: Clock;
  log: Log;
}): Promise<Proxies> {
  const { systemProxy, environment, documents, keys, clock, log } = deps;
  const answerFor = createSystemAnswers(systemProxy, clock, log);
  const notes = await documents.list('proxies');
  /** Origins with an entry in the keychain; others need no lookup at each request. */
  const known = new Set(notes.map(({ key }) => key));
  const isRefusal = ({ value }: { value: unknown }) => noteSchema.safeParse(value).data?.isRefused === true;
  /** Origins whose stored credentials were refused in an earlier run. */
  const refusedBefore = new Set(notes.filter(isRefusal).map(({ key }) => key));
  /** The credentials used last, by origin. */
  const proofs = new Map<string, ProxyCredentials>();
  const passedOver = new Map<string, number>();

  const accountOf = (origin: string) => `proxy:${origin}`;

  async function readEntry(origin: string): Promise<z.infer<typeof entrySchema> | null> {
    if (!known.has(origin)) return null;
    await keys.load(accountOf(origin)).catch((cause: unknown) => {
      log.warn('the password of a proxy cannot be read', { origin, cause });
    });
    return parseStored(entrySchema, keys.read(accountOf(origin)));
  }

  function proofOf(origin: string, authorization: string, isStored: boolean): ProxyCredentials {
    const found = proofs.get(origin);
    if (found?.authorization === authorization) return found;
    const proof = createProxyCredentials(authorization, {
      isRefused: isStored && refusedBefore.has(origin),
      onRefused() {
        const isCurrent = proofs.get(origin) === proof;
        if (isCurrent && isStored && keys.storedIn(accountOf(origin)) === 'keychain') noteRefused(origin);
      },
    });
    proofs.set(origin, proof);
    return proof;
  }

  function noteRefused(origin: string): void {
    const note = { origin, isRefused: true } satisfies z.infer<typeof noteSchema>;
    documents.put('proxies', origin, note).catch((cause: unknown) => {
      log.warn('the refusal of a password for a proxy cannot be noted', { origin, cause });
    });
  }

  /** @param ofEnvironment credentials from the environment, used only if none were entered */
  async function describe(origin: string, ofEnvironment: string | null): Promise<ProxyServer> {
    const entry = await readEntry(origin);
    const authorization = entry ? basicAuthorization(entry.user, entry.password) : ofEnvironment;
    return {
      origin,
      proof: authorization === null ? null : proofOf(origin, authorization, entry !== null),
      onProblem(problem) {
        if (unreachable.has(problem)) passedOver.set(origin, clock.monotonicMs() + passedOverMs);
      },
    };
  }

  /** The system's proxy, or else the environment's. */
  async function hopsTo(origin: string): Promise<Hop[]> {
    const hops = parseAnswer(await answerFor(origin));
    if (hops.some(({ kind }) => kind !== 'direct')) return hops;
    const named = environmentProxy(origin, environment);
    return [named === null ? { kind: 'direct' } : parseNamed(named)];
  }

  async function findSystem(origin: string): Promise<ProxyServer | null> {
    const hops = await hopsTo(origin);
    const usable = hops.filter((hop) => hop.kind !== 'unsupported');
    const isFresh = (hop: Hop) =>
      hop.kind === 'direct' || (passedOver.get(hop.origin) ?? -Infinity) <= clock.monotonicMs();
    const hop = usable.find(isFresh) ?? usable[0];
    if (hop) return hop.kind === 'direct' ? null : describe(hop.origin, hop.authorization);
    const [first] = hops;
    if (first?.kind !== 'unsupported') return null;
    throw new AppFailure({
      code: 'proxyFailed',
      reason: 'unsupported',
      proxy: first.origin,
      answered: null,
    });
  }

  return {
    finderFor(setting) {
      switch (setting.kind) {
        case 'none':
          return async () => null;
        case 'own':
          return async () => describe(parseProxyAddress(setting.address), null);
        case 'system':
          return findSystem;
      }
    },
    async list() {
      const entries = [...known].sort().map(async (origin) => {
        const entry = await readEntry(origin);
        const storedIn = keys.storedIn(accountOf(origin));
        return entry && storedIn !== 'none' ? [{ origin, user: entry.user, storedIn }] : [];
      });
      return (await Promise.all(entries)).flat();
    },
    async signIn({ origin: address, user, password }) {
      const origin = parseProxyAddress(address);
      const entry = { version: 1, user, password } satisfies z.infer<typeof entrySchema>;
      await keys.set(accountOf(origin), JSON.stringify(entry));
      known.add(origin);
      refusedBefore.delete(origin);
      // Entering the same credentials again allows another attempt.
      if (proofs.get(origin)?.wasRefused() === true) proofs.delete(origin);
      // Credentials stored for the session only do not survive it.
      if (keys.storedIn(accountOf(origin)) === 'keychain') await documents.put('proxies', origin, { origin });
    },
    wasRefused: (origin) => proofs.get(origin)?.wasRefused() ?? false,
    async forget(origin) {
      await keys.remove(accountOf(origin));
      await documents.delete('proxies', origin);
      known.delete(origin);
      refusedBefore.delete(origin);
      proofs.delete(origin);
    },
  };
}

/** Parses results of `resolveProxy` and PAC files: `PROXY proxy.test:3128; SOCKS5 other.test:1080; DIRECT`. */
function parseAnswer(answer: string): Hop[] {
  return answer.split(';').flatMap((part): Hop[] => {
    const [kind = '', place = ''] = part.trim().split(/\s+/);
    const name = kind.toUpperCase();
    if (name === '') return [];
    if (name === 'DIRECT') return [{ kind: 'direct' }];
    const scheme = name === 'PROXY' || name === 'HTTP' ? 'http' : name.toLowerCase();
    return [parseNamed(`${scheme}://${place}`)];
  });
}

/** Address of a proxy; in the environment it may contain credentials. */
function parseNamed(address: string): Hop {
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    // Without the password.
    return { kind: 'unsupported', origin: url ? `${url.protocol}//${url.host}` : '' };
  }
  const isProven = url.username !== '';
  const authorization = isProven
    ? basicAuthorization(decodeURIComponent(url.username), decodeURIComponent(url.password))
    : null;
  return { kind: 'proxy', origin: url.origin, authorization };
}
