import type http from 'node:http';
import { onTestFinished } from 'vitest';
import type { ProxyOrders } from '../../../e2e/faults/proxy.ts';
import { startProxy, type TestProxy } from '../../../e2e/faults/proxy.ts';
import type { ServiceDraft } from '../../../src/shared/domain/service.ts';
import { toAppError } from '../../../src/shared/app-failure.ts';
import { createGrants } from '../../../src/main/local-files/grants.ts';
import { createLocalService } from '../../../src/main/connections/local-service.ts';
import {
  createTestClock,
  createTestLog,
  createTestPublisher,
  createTestSecrets,
  makeTestFolder,
  openTestDatabase,
} from '../test-ports.ts';
import { KeyedMutex } from '../../../src/main/lib/async.ts';
import { createCredentialStore } from '../../../src/main/connections/credential-store.ts';
import { createPassphrases } from '../../../src/main/connections/passphrases.ts';
import { openConnections } from '../../../src/main/connections/open-connections.ts';
import { createServiceClients } from '../../../src/main/connections/service-clients.ts';
import { openServiceRepository } from '../../../src/main/connections/service-repository.ts';
import { createServices, type Services } from '../../../src/main/connections/services.ts';
import { createProxies } from '../../../src/main/connections/proxies.ts';
import { createProxyHandlers } from '../../../src/main/connections/proxy-handlers.ts';
import { createTokens } from '../../../src/main/connections/tokens.ts';
import { draftOf } from '../../../src/command/services/draft.ts';

export const goodToken = 'right-token-3141592653';

export async function createWorld() {
  const { documents } = await openTestDatabase();
  return {
    documents,
    secrets: createTestSecrets(),
    log: createTestLog(),
    publisher: createTestPublisher(),
    clock: createTestClock(),
    grants: createGrants(),
    separators: [] as string[],
    removed: [] as string[],
    /** The system's proxy settings, in the format of PAC files. */
    pac: 'DIRECT',
    environment: {} as Record<string, string | undefined>,
    onRemove: async (_id: string) => undefined,
    requireMovable: async (_id: string) => undefined,
    requireShared: async (_id: string) => undefined,
    requireFinished: async (_id: string) => undefined,
    unfinished: 0,
  };
}
export type World = Awaited<ReturnType<typeof createWorld>>;

/** Stopped after the test. */
export async function startTestProxy(orders: Partial<ProxyOrders> = {}): Promise<TestProxy> {
  const proxy = await startProxy(orders);
  onTestFinished(() => proxy.kill());
  return proxy;
}

/** Restores everything that the world stored, like a start of the app. */
export async function start(world: World, folder?: string) {
  const userDataFolder = folder ?? (await makeTestFolder());
  const paths = { downloads: '/home/ada/Downloads', home: '/home/ada' };
  const { log, clock } = world;
  const keys = await createCredentialStore({
    secrets: world.secrets,
    clock,
    log,
    onStored: () => services.publishChanged(),
  });
  const tokens = createTokens(keys);
  const passphrases = createPassphrases(keys);
  const proxies = await createProxies({
    systemProxy: { resolve: async () => world.pac },
    environment: world.environment,
    documents: world.documents,
    keys,
    clock,
    log,
  });
  const repository = await openServiceRepository(world.documents, log);
  const workerUrl = new URL('../../../src/local-service/worker.ts', import.meta.url);
  const localService = createLocalService({
    workerUrl,
    userDataFolder,
    keys,
    tokens,
    log,
    onSetAside: () => undefined,
  });
  const clients = createServiceClients({ repository, tokens, passphrases, proxies, localService, log });
  const connections = openConnections({
    repository,
    clients,
    paths,
    clock,
    log,
    onChanged: () => services.publishChanged(),
  });
  const services: Services = createServices({
    checks: true,
    ...world,
    repository,
    tokens,
    passphrases,
    proxies,
    connections,
    localService,
    paths,
    catalogue: {
      setNaming: async (_id, { separator }) => void world.separators.push(separator),
      removeService: async (id) => void world.removed.push(id),
    },
    lock: new KeyedMutex(),
    requireMovable: (id) => world.requireMovable(id),
    requireShared: (id) => world.requireShared(id),
    requireFinished: (id) => world.requireFinished(id),
    onRemove: (id) => world.onRemove(id),
    unfinishedOf: async () => world.unfinished,
    cancelUnfinished: async () => void (world.unfinished = 0),
  });
  const stop = async () => {
    await connections.close();
    await localService.stop();
  };
  onTestFinished(stop);
  return {
    services,
    handlers: { ...services.handlers, ...createProxyHandlers({ proxies, repository, connections }) },
    proxies,
    repository,
    connections,
    keys,
    localService,
    userDataFolder,
    stop,
  };
}

/** A service that accepts `goodToken` and has no objects. */
export const answerLikeAService: http.RequestListener = (request, response) => {
  const isWelcome = request.headers.authorization === `Bearer ${goodToken}`;
  response.writeHead(isWelcome ? 404 : 401).end();
};

export function draftFor(baseAddress: string, changes: Partial<ServiceDraft> = {}): ServiceDraft {
  return { ...draftOf('Meridian', baseAddress), ...changes };
}

export async function errorOf(work: unknown) {
  try {
    await work;
  } catch (cause) {
    return toAppError(cause);
  }
  throw new Error('it did not fail');
}
