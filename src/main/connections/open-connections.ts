import type { ConnectionState } from '../../shared/domain/service.ts';
import { type AppError, type AppErrorCode } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { Emitter } from '../lib/emitter.ts';
import { Alarm } from '../lib/timers.ts';
import type { Clock, Log, Paths } from '../ports.ts';
import type { Connections, ConnectionVerdict } from './connections.ts';
import { downloadFolderOf } from './download-folder.ts';
import { originOf } from './origins.ts';
import type { ServiceRepository } from './service-repository.ts';
import type { ServiceClients } from './service-clients.ts';

const firstRetryMs = 2_000;
const lastRetryMs = 60_000;

/** Connection state for the errors of a probe. Any other error means unreachable. */
const statesShown: Partial<Record<AppErrorCode, ConnectionState>> = {
  tokenRefused: 'tokenRefused',
  tokenMissing: 'tokenMissing',
  // It responded and accepted the token.
  forbidden: 'ready',
  tooManyRequests: 'ready',
};

export interface OpenConnections extends Connections {
  stateOf(serviceId: string): ConnectionState;
  /** Error of the last check; null: none, or not checked yet. */
  troubleOf(serviceId: string): AppError | null;
  /** Checks the service now and resolves with its state. Never rejects. */
  check(serviceId: string): Promise<void>;
  /** The token changed: forget errors of the earlier one. */
  tokenChanged(serviceId: string): void;
  /**
   * Runs `work`, which replaces settings and credentials of the service; until it has ended, requests wait. If the connection is
   * affected, its client takes no more requests and its state is checked again.
   */
  whileSuspended<T>(serviceId: string, work: () => Promise<T>): Promise<T>;
  /** The service was removed. Running requests of its client finish. */
  drop(serviceId: string): void;
  close(): Promise<void>;
}

interface Connection {
  state: ConnectionState;
  /** Stays while a new check runs. */
  trouble: AppError | null;
  /** Incremented by each probe, so that results of older ones are ignored. */
  probe: number;
  /** The newest probe. */
  probing: Promise<void>;
  retries: number;
  /** The next check. */
  readonly retry: Alarm;
  /** A 401 was already verified by a probe with the present token. */
  refusalConfirmed: boolean;
  /** Transfers wait for it to be ready. */
  wasDown: boolean;
}

/**
 * The connections of all services. One that is unreachable, or whose token could not be read from the keychain in time, is checked again
 * automatically, at least once a minute.
 */
export function openConnections(deps: {
  repository: ServiceRepository;
  clients: ServiceClients;
  paths: Pick<Paths, 'downloads'>;
  clock: Clock;
  log: Log;
  /** A state changed. */
  onChanged: () => void;
}): OpenConnections {
  const { repository, clients, paths, clock, log, onChanged } = deps;
  const connections = new Map<string, Connection>();
  const ready = new Emitter<[serviceId: string]>();

  function connectionOf(serviceId: string): Connection {
    let connection = connections.get(serviceId);
    if (!connection) {
      connection = {
        state: 'checking',
        trouble: null,
        probe: 0,
        probing: Promise.resolve(),
        retries: 0,
        retry: new Alarm(clock, () => void probe(serviceId)),
        refusalConfirmed: false,
        wasDown: false,
      };
      connections.set(serviceId, connection);
    }
    return connection;
  }

  function setState(serviceId: string, state: ConnectionState, trouble: AppError | null): void {
    const connection = connectionOf(serviceId);
    const isNews = connection.state !== state || !isSame(connection.trouble, trouble);
    connection.trouble = trouble;
    // A locked or refusing keychain would prompt the user each time.
    const isLate = trouble?.code === 'keychain' && trouble.problem === 'timeout';
    const isRetried = state === 'unreachable' || state === 'unstable' || (state === 'tokenMissing' && isLate);
    if (!isRetried) connection.retry.cancel();
    if (state === 'ready') connection.retries = 0;
    else if (state !== 'checking' && state !== 'unstable') connection.wasDown = true;
    connection.state = state;
    if (isNews) onChanged();
    if (state === 'ready' && connection.wasDown) {
      connection.wasDown = false;
      ready.fire(serviceId);
    }
    if (isRetried && !connection.retry.isSet)
      connection.retry.setAfter(Math.min(firstRetryMs * 2 ** connection.retries++, lastRetryMs));
  }

  function probe(serviceId: string): Promise<void> {
    const connection = connectionOf(serviceId);
    connection.probing = probeAs(serviceId, connection, ++connection.probe);
    return connection.probing;
  }

  async function probeAs(serviceId: string, connection: Connection, number: number): Promise<void> {
    const { state, trouble } = await askService(serviceId);
    const isCurrent = connections.get(serviceId) === connection && connection.probe === number;
    if (isCurrent && repository.find(serviceId)) setState(serviceId, state, trouble);
  }

  async function askService(serviceId: string): Promise<Pick<Connection, 'state' | 'trouble'>> {
    try {
      const { client } = await clients.openFor(serviceId);
      await client.probe();
      return { state: 'ready', trouble: null };
    } catch (cause) {
      const error = toAppError(cause);
      if (!error) log.error('a probe failed', { serviceId, cause });
      const state = (error && statesShown[error.code]) ?? 'unreachable';
      if (state === 'ready') return { state, trouble: null };
      const tokenProblem = state === 'tokenMissing' ? clients.tokenProblemOf(serviceId) : null;
      return { state, trouble: tokenProblem ?? error ?? null };
    }
  }

  function drop(serviceId: string): void {
    const connection = connections.get(serviceId);
    connection?.retry.cancel();
    clients.drop(serviceId);
    connections.delete(serviceId);
  }

  function changed(serviceId: string): void {
    if (clients.isCurrent(serviceId)) return;
    drop(serviceId);
    // Forget errors of the earlier connection.
    connectionOf(serviceId).wasDown = true;
    void probe(serviceId);
  }

  return {
    openFor: clients.openFor,
    momentOf: clients.momentOf,
    originOf: (serviceId) => originOf(repository.get(serviceId)),
    serviceIds: () => repository.list().map(({ id }) => id),
    clientOf: async (serviceId) => (await clients.openFor(serviceId)).client,
    async factsOf(serviceId) {
      const service = repository.get(serviceId);
      const { id, name, maxObjectBytes, maxSecretBytes, allowsParts } = service;
      const { identifierTemplate, separator, versionMark } = service;
      const downloadFolder = downloadFolderOf(service, paths);
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
        downloadFolderIsDefault: service.downloadFolder === null,
      };
    },
    report(serviceId: string, verdict: ConnectionVerdict, trouble?: AppError) {
      if (!repository.find(serviceId)) return;
      const connection = connectionOf(serviceId);
      // Whatever else is known of it says more.
      if (verdict === 'unstable' && connection.state !== 'ready') return;
      if (verdict !== 'tokenRefused' || connection.refusalConfirmed) {
        setState(serviceId, verdict, trouble ?? null);
        return;
      }
      // The request may have used an earlier token, so the state waits for a probe. Only one, or a service that refuses
      // only this request would be probed forever. The request waits for the service to become ready.
      connection.refusalConfirmed = true;
      connection.wasDown = true;
      void probe(serviceId);
    },
    onReady: ready.event,
    stateOf: (serviceId) => connections.get(serviceId)?.state ?? 'checking',
    troubleOf: (serviceId) => connections.get(serviceId)?.trouble ?? null,
    async check(serviceId) {
      const connection = connectionOf(serviceId);
      setState(serviceId, 'checking', connection.trouble);
      let awaited = probe(serviceId);
      await awaited;
      // A later probe supersedes this one, and only it sets the state.
      while (awaited !== connection.probing) await (awaited = connection.probing);
    },
    tokenChanged(serviceId) {
      Object.assign(connectionOf(serviceId), { refusalConfirmed: false, wasDown: true });
    },
    async whileSuspended(serviceId, work) {
      const resume = clients.suspend(serviceId);
      try {
        const result = await work();
        changed(serviceId);
        return result;
      } finally {
        resume();
      }
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
