import type { ConnectionState } from '../../shared/domain/service.ts';
import { toAppError, type AppError, type AppErrorCode } from '../../shared/errors.ts';
import { Emitter } from '../lib/emitter.ts';
import { Alarm } from '../lib/timers.ts';
import type { Clock, Log, Paths } from '../ports.ts';
import type { Connections, ConnectionVerdict } from './connections.ts';
import { downloadFolderOf } from './download-folder.ts';
import { originOf } from './origins.ts';
import type { ProfileBook } from './service-repository.ts';
import type { ProfileClients } from './service-clients.ts';

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
  /** What the last look met; null: nothing is wrong, or it is not known yet. */
  troubleOf(profileId: string): AppError | null;
  /** Asks the service now; the answer is the state. Never rejects. */
  check(profileId: string): Promise<void>;
  /** Another token: what an earlier one met is forgotten. */
  tokenChanged(profileId: string): void;
  /**
   * The profile changed. When the way to its service is another now, its client takes no more requests, and its state
   * is found out anew.
   */
  changed(profileId: string): void;
  /** The profile went. What goes on over its client comes to its end. */
  drop(profileId: string): void;
  close(): Promise<void>;
}

interface Connection {
  state: ConnectionState;
  /** Stays while it is looked again. */
  trouble: AppError | null;
  /** Grows with each probe, so that the answer to an older one counts no more. */
  probe: number;
  retries: number;
  /** The next try. */
  readonly retry: Alarm;
  /** A 401 was looked into with the present token. */
  refusalConfirmed: boolean;
  /** Somebody waits for it to be ready. */
  wasDown: boolean;
}

/**
 * The connections of all profiles. One that is unreachable, or whose token the keychain did not give up in time, is tried again by
 * itself, every minute at the least.
 */
export function openConnections(deps: {
  book: ProfileBook;
  clients: ProfileClients;
  paths: Pick<Paths, 'downloads'>;
  clock: Clock;
  log: Log;
  /** A state changed. */
  onChanged: () => void;
}): OpenConnections {
  const { book, clients, paths, clock, log, onChanged } = deps;
  const connections = new Map<string, Connection>();
  const ready = new Emitter<[profileId: string]>();

  function connectionOf(profileId: string): Connection {
    let connection = connections.get(profileId);
    if (!connection) {
      connection = {
        state: 'checking',
        trouble: null,
        probe: 0,
        retries: 0,
        retry: new Alarm(clock, () => void probe(profileId)),
        refusalConfirmed: false,
        wasDown: false,
      };
      connections.set(profileId, connection);
    }
    return connection;
  }

  function setState(profileId: string, state: ConnectionState, trouble: AppError | null): void {
    const connection = connectionOf(profileId);
    const isNews = connection.state !== state || !isSame(connection.trouble, trouble);
    connection.trouble = trouble;
    // A keychain that is locked or refuses would ask the person each time.
    const isLate = trouble?.code === 'keychain' && trouble.problem === 'timeout';
    const isRetried = state === 'unreachable' || (state === 'tokenMissing' && isLate);
    if (!isRetried) connection.retry.cancel();
    if (state === 'ready') connection.retries = 0;
    else if (state !== 'checking') connection.wasDown = true;
    connection.state = state;
    if (isNews) onChanged();
    if (state === 'ready' && connection.wasDown) {
      connection.wasDown = false;
      ready.fire(profileId);
    }
    if (isRetried && !connection.retry.isSet)
      connection.retry.setAfter(Math.min(firstRetryMs * 2 ** connection.retries++, lastRetryMs));
  }

  async function probe(profileId: string): Promise<void> {
    const connection = connectionOf(profileId);
    const number = ++connection.probe;
    const { state, trouble } = await askService(profileId);
    const isCurrent = connections.get(profileId) === connection && connection.probe === number;
    if (isCurrent && book.find(profileId)) setState(profileId, state, trouble);
  }

  async function askService(profileId: string): Promise<Pick<Connection, 'state' | 'trouble'>> {
    try {
      const { client } = await clients.openFor(profileId);
      await client.probe();
      return { state: 'ready', trouble: null };
    } catch (cause) {
      const error = toAppError(cause);
      if (!error) log.error('a probe failed', { profileId, cause });
      const state = (error && statesShown[error.code]) ?? 'unreachable';
      if (state === 'ready') return { state, trouble: null };
      const tokenProblem = state === 'tokenMissing' ? clients.tokenProblemOf(profileId) : null;
      return { state, trouble: tokenProblem ?? error ?? null };
    }
  }

  function drop(profileId: string): void {
    const connection = connections.get(profileId);
    connection?.retry.cancel();
    clients.drop(profileId);
    connections.delete(profileId);
  }

  return {
    openFor: clients.openFor,
    originOf: (profileId) => originOf(book.get(profileId)),
    profileIds: () => book.list().map(({ id }) => id),
    clientOf: async (profileId) => (await clients.openFor(profileId)).client,
    async factsOf(profileId) {
      const profile = book.get(profileId);
      const { id, name, maxObjectBytes, maxSecretBytes, allowsParts } = profile;
      const { identifierTemplate, separator, versionMark } = profile;
      const downloadFolder = downloadFolderOf(profile, paths);
      return {
        id,
        name,
        maxObjectBytes,
        maxSecretBytes,
        allowsParts,
        identifierTemplate,
        separator,
        versionMark,
        downloadFolder,
        downloadFolderIsDefault: profile.downloadFolder === null,
      };
    },
    report(profileId: string, verdict: ConnectionVerdict, trouble?: AppError) {
      if (!book.find(profileId)) return;
      const connection = connectionOf(profileId);
      // A request may have left with an earlier token: one probe tells, and only one, or a service that refuses
      // this request alone would be asked for ever.
      const mustConfirm = verdict === 'tokenRefused' && !connection.refusalConfirmed;
      setState(profileId, verdict, trouble ?? null);
      if (!mustConfirm) return;
      connection.refusalConfirmed = true;
      void probe(profileId);
    },
    onReady: ready.event,
    stateOf: (profileId) => connections.get(profileId)?.state ?? 'checking',
    troubleOf: (profileId) => connections.get(profileId)?.trouble ?? null,
    async check(profileId) {
      setState(profileId, 'checking', connectionOf(profileId).trouble);
      await probe(profileId);
    },
    tokenChanged(profileId) {
      Object.assign(connectionOf(profileId), { refusalConfirmed: false, wasDown: true });
    },
    changed(profileId) {
      if (clients.isCurrent(profileId)) return;
      drop(profileId);
      // What was met on the way before is forgotten.
      connectionOf(profileId).wasDown = true;
      void probe(profileId);
    },
    drop,
    async close() {
      for (const connection of connections.values()) connection.retry.cancel();
      connections.clear();
      await clients.close();
    },
  };
}

function isSame(one: AppError | null, other: AppError | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
