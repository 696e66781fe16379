import type { ConnectionState } from '../../shared/domain/profile.ts';
import { toAppError, type AppErrorCode } from '../../shared/errors.ts';
import type { LocalService } from '../local/local-service.ts';
import type { Clock, Log, Paths } from '../ports.ts';
import { createServiceClient, type ServiceClient } from '../service/client.ts';
import type { Connections, ConnectionVerdict } from './connections.ts';
import { downloadFolderOf } from './download-folder.ts';
import type { ProfileBook, StoredProfile } from './profile-book.ts';
import type { Tokens } from './tokens.ts';

const firstRetryMs = 2_000;
const lastRetryMs = 60_000;

/** What the errors of a probe say. All others: nobody there who could be worked with. */
const statesShown: Partial<Record<AppErrorCode, ConnectionState>> = {
  tokenRefused: 'tokenRefused',
  tokenMissing: 'tokenMissing',
  // It is there and took the token.
  forbidden: 'ready',
  tooManyRequests: 'ready',
};

export interface OpenConnections extends Connections {
  stateOf(profileId: string): ConnectionState;
  /** Asks the service now; the answer is the state. Never rejects. */
  check(profileId: string): Promise<void>;
  /** Another token: what an earlier one met is forgotten. */
  tokenChanged(profileId: string): void;
  /** The profile changed or went: its client is made anew. What goes on over the old one comes to its end. */
  drop(profileId: string): void;
  close(): Promise<void>;
}

interface Connection {
  state: ConnectionState;
  client: Promise<ServiceClient> | null;
  /** Grows with each probe, so that the answer to an older one counts no more. */
  probe: number;
  retries: number;
  /** Ends the wait for the next try. */
  retry: AbortController | null;
  /** A 401 was looked into with the present token. */
  refusalConfirmed: boolean;
  /** Somebody waits for it to be ready. */
  wasDown: boolean;
}

/** The connections of all profiles. One that is unreachable is asked again by itself, every minute at the least. */
export function openConnections(deps: {
  book: ProfileBook;
  tokens: Tokens;
  localService: LocalService;
  paths: Pick<Paths, 'downloads'>;
  clock: Clock;
  log: Log;
  /** A state changed. */
  onChanged: () => void;
}): OpenConnections {
  const { book, tokens, localService, paths, clock, log, onChanged } = deps;
  const connections = new Map<string, Connection>();
  const clients = new Set<ServiceClient>();
  const readyListeners = new Set<(profileId: string) => void>();

  function connectionOf(profileId: string): Connection {
    let connection = connections.get(profileId);
    if (!connection) {
      connection = {
        state: 'checking',
        client: null,
        probe: 0,
        retries: 0,
        retry: null,
        refusalConfirmed: false,
        wasDown: false,
      };
      connections.set(profileId, connection);
    }
    return connection;
  }

  async function openClient(profile: StoredProfile): Promise<ServiceClient> {
    let { baseAddress } = profile;
    if (profile.isLocal) {
      ({ baseAddress } = await localService.ensure());
      if (baseAddress !== profile.baseAddress) await book.put({ ...book.get(profile.id), baseAddress });
    }
    const client = createServiceClient({
      baseAddress,
      insecureAllowed: profile.insecureAllowed,
      getToken: () => tokens.read(profile.id),
      authorities: profile.authority?.pem,
    });
    clients.add(client);
    return client;
  }

  async function clientOf(profileId: string): Promise<ServiceClient> {
    const profile = book.get(profileId);
    const connection = connectionOf(profileId);
    // The built-in service may have come up again at another port.
    if (profile.isLocal && (await localService.ensure()).baseAddress !== book.get(profileId).baseAddress) {
      connection.client = null;
    }
    // Without a token again each time: a keychain that was locked may be open now.
    if (tokens.read(profileId) === null) {
      await tokens.load(profileId).catch((cause: unknown) => {
        log.warn('the token cannot be read', { profileId, cause });
      });
    }
    const opened = (connection.client ??= openClient(profile));
    opened.catch(() => {
      if (connection.client === opened) connection.client = null;
    });
    return opened;
  }

  function setState(profileId: string, state: ConnectionState): void {
    const connection = connectionOf(profileId);
    if (state !== 'unreachable') {
      connection.retry?.abort();
      connection.retry = null;
    }
    if (state === 'ready') connection.retries = 0;
    else if (state !== 'checking') connection.wasDown = true;
    if (connection.state !== state) {
      connection.state = state;
      onChanged();
    }
    if (state === 'ready' && connection.wasDown) {
      connection.wasDown = false;
      for (const listener of readyListeners) listener(profileId);
    }
    if (state === 'unreachable' && connection.retry === null) retryLater(profileId, connection);
  }

  function retryLater(profileId: string, connection: Connection): void {
    const retry = new AbortController();
    connection.retry = retry;
    const delayMs = Math.min(firstRetryMs * 2 ** connection.retries++, lastRetryMs);
    clock.delay(delayMs, retry.signal).then(
      () => {
        connection.retry = null;
        return probe(profileId);
      },
      () => undefined, // somebody else found out first
    );
  }

  async function probe(profileId: string): Promise<void> {
    const connection = connectionOf(profileId);
    const number = ++connection.probe;
    const state = await askService(profileId);
    const isCurrent = connections.get(profileId) === connection && connection.probe === number;
    if (isCurrent && book.find(profileId)) setState(profileId, state);
  }

  async function askService(profileId: string): Promise<ConnectionState> {
    try {
      const client = await clientOf(profileId);
      await client.probe();
      return 'ready';
    } catch (cause) {
      const error = toAppError(cause);
      if (!error) log.error('a probe failed', { profileId, cause });
      return (error && statesShown[error.code]) ?? 'unreachable';
    }
  }

  return {
    clientOf,
    async factsOf(profileId) {
      const profile = book.get(profileId);
      const { id, name, maxObjectBytes, maxSecretBytes, identifierTemplate, separator } = profile;
      const downloadFolder = downloadFolderOf(profile, paths);
      return {
        id,
        name,
        maxObjectBytes,
        maxSecretBytes,
        identifierTemplate,
        separator,
        downloadFolder,
        downloadFolderIsDefault: profile.downloadFolder === null,
      };
    },
    report(profileId: string, verdict: ConnectionVerdict) {
      if (!book.find(profileId)) return;
      const connection = connectionOf(profileId);
      // A request may have left with an earlier token: one probe tells, and only one, or a service that refuses
      // this request alone would be asked for ever.
      const mustConfirm = verdict === 'tokenRefused' && !connection.refusalConfirmed;
      setState(profileId, verdict);
      if (!mustConfirm) return;
      connection.refusalConfirmed = true;
      void probe(profileId);
    },
    onReady(listener) {
      readyListeners.add(listener);
      return () => readyListeners.delete(listener);
    },
    stateOf: (profileId) => connections.get(profileId)?.state ?? 'checking',
    async check(profileId) {
      setState(profileId, 'checking');
      await probe(profileId);
    },
    tokenChanged(profileId) {
      connectionOf(profileId).refusalConfirmed = false;
    },
    drop(profileId) {
      connections.get(profileId)?.retry?.abort();
      const wasDown = connections.get(profileId)?.wasDown ?? false;
      connections.delete(profileId);
      if (book.find(profileId)) connectionOf(profileId).wasDown = wasDown;
    },
    async close() {
      for (const connection of connections.values()) connection.retry?.abort();
      connections.clear();
      await Promise.all([...clients].map((client) => client.close()));
    },
  };
}
