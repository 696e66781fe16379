import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { startFaultServer, type FaultServer } from '../../../e2e/faults/fault-server.ts';
import type { ObjectRecord } from '../../../src/shared/domain/object.ts';
import type { RequestKind } from '../../../src/shared/domain/service.ts';
import { settingsDefault, type Settings } from '../../../src/shared/domain/settings.ts';
import type { TabSummary, TransferSummary } from '../../../src/shared/domain/transfer-summary.ts';
import type { Transfer } from '../../../src/shared/domain/transfer.ts';
import type { LocalCatalogue } from '../../../src/main/objects/local-catalogue.ts';
import { openLocalDatabase } from '../database/local-database.ts';
import type { UndoCopies } from '../../../src/main/transfers/undo/undo-copies.ts';
import type { Documents } from '../../../src/main/database/documents.ts';
import type { Clock, Log } from '../../../src/main/ports.ts';
import type { Connections, ConnectionVerdict } from '../../../src/main/connections/connections.ts';
import { createServiceClient, type ServiceClientOptions } from '../../../src/main/service/client.ts';
import { openTestUndoCopies } from './undo-copies.ts';
import { createQuickClock } from '../test-ports.ts';
import { allOf } from './all-rows.ts';
import { createEngine, type Engine } from '../../../src/main/transfers/engine.ts';
import {
  createRetryingRequest,
  type RetryingRequest,
} from '../../../src/main/transfers/queue/retrying-request.ts';
import { isOver } from '../../../src/main/transfers/model/record.ts';
import type { UploadItem } from '../../../src/main/transfers/queue/record-factory.ts';
import { openFilesIn, sha256Of } from '../local-files/testing.ts';
import { connectTo, serviceId, type Facts } from './connect.ts';
import { eventually } from '../../eventually.ts';

export const until: (look: () => unknown) => ReturnType<typeof expect.poll> = (look) => expect.poll(look);

/** The engine over real HTTP and real files, with a service that the test controls. */
export interface Bench {
  readonly folder: string;
  readonly downloads: string;
  readonly server: FaultServer;
  readonly catalogue: LocalCatalogue;
  readonly documents: Documents;
  readonly connections: Connections;
  engine: Engine;
  undoCopies: UndoCopies;
  settings: Settings & { transfersAtOnce: number };
  readonly clock: Clock;
  /** Sends a small request, as bulk operations do. */
  readonly request: RetryingRequest;
  readonly verdicts: ConnectionVerdict[];
  readonly facts: Facts;
  /** Warnings and errors that were logged. A test removes those it expects. */
  readonly logged: { message: string; level: string }[];
  /** What was logged as information. */
  readonly informed: { message: string; details?: object }[];
  /** Sets the token that the client sends and notifies the listeners of `onReady`. */
  setToken(token: string | null): void;
  makeFile(name: string, bytes: Uint8Array | string, change?: Partial<UploadItem>): Promise<UploadItem>;
  /** Stores an object at the service, and adds its row to the list unless the test opts out. */
  store(
    identifier: string,
    bytes: Uint8Array | string,
    known?: Partial<ObjectRecord> | null,
  ): Promise<number>;
  upload(items: readonly UploadItem[], route?: RequestKind): Promise<number[]>;
  download(ids: readonly number[], saveAsPath?: string | null, below?: string): Promise<number[]>;
  all(): Promise<Transfer[]>;
  /** The summary of everything, joined with that of the direct transfers. */
  summary(): Promise<TransferSummary & TabSummary>;
  /**
   * Waits until nothing runs, nothing will start by itself, and bulk updates have been applied to every record and row. Returns
   * the transfers in the order they were enqueued.
   */
  settled(): Promise<Transfer[]>;
  rowOf(identifier: string): Promise<ObjectRecord | undefined>;
  /** Waits until no orphaned parts are left, except those that a person must decide about. */
  tidied(): Promise<void>;
  /** Closes the engine, and waits until its requests have left the service: one read late would count as a new one. */
  closeEngine(): Promise<void>;
  /** Restarts the engine over the same database and service. */
  restart(): Promise<Engine>;
  close(): Promise<void>;
}

export { serviceId };

export interface BenchOptions {
  transfersAtOnce?: number;
  timeouts?: ServiceClientOptions['timeouts'];
  /** Factor by which the clock runs faster than the wall clock. */
  times?: number;
  /** The service's limit. Larger files are uploaded in parts, of half the limit where it is small. */
  maxObjectBytes?: number;
}

export async function startBench(options: BenchOptions = {}): Promise<Bench> {
  const { transfersAtOnce = 4, timeouts, times = 1000, maxObjectBytes = null } = options;
  const folder = await mkdtemp(join(tmpdir(), 'coffer-engine-'));
  const downloads = join(folder, 'downloads');
  await mkdir(downloads);
  const server = await startFaultServer();
  const clock = createQuickClock(times);
  // On this thread, so that it uses the same clock.
  const database = await openLocalDatabase(new DatabaseSync(':memory:'), clock.nowMs);
  const { catalogue, documents, transfers: store, undoStore } = database;
  await documents.put('services', serviceId, { id: serviceId, baseAddress: server.baseAddress });
  let token: string | null = server.token;
  const client = createServiceClient({
    baseAddress: server.baseAddress,
    getToken: () => token,
    // No test waits for these unless it sets them: they only prevent hanging, and a busy machine is slow.
    timeouts: { connectMs: 60_000, headersMs: 60_000, idleBodyMs: 60_000, ...timeouts },
  });
  const connections = connectTo(client, downloads, server.baseAddress, maxObjectBytes);
  const logged: Bench['logged'] = [];
  const write = (level: string) => (message: string, details?: object) =>
    void logged.push({ message, level, ...details });
  const informed: Bench['informed'] = [];
  const log: Log = {
    info: (message, details) => void informed.push({ message, ...(details && { details }) }),
    warn: write('warn'),
    error: write('error'),
  };
  const start = async () => {
    const undoCopies = await openTestUndoCopies({ store: undoStore, folder, log });
    bench.undoCopies = undoCopies;
    const settings = () => bench.settings;
    return createEngine({ store, catalogue, documents, connections, clock, log, settings, undoCopies });
  };

  const bench: Bench = {
    folder,
    downloads,
    server,
    catalogue,
    documents,
    connections,
    engine: undefined as unknown as Engine,
    undoCopies: undefined as unknown as UndoCopies,
    settings: { ...settingsDefault, transfersAtOnce },
    clock,
    request: (...asked) =>
      createRetryingRequest({ connections, breakers: bench.engine.breakers, clock, priority: 'bulk' })(
        ...asked,
      ),
    verdicts: connections.verdicts,
    facts: connections.facts,
    logged,
    informed,
    setToken(next) {
      token = next;
      connections.ready();
    },
    async makeFile(name, bytes, change = {}) {
      const path = join(folder, name);
      await writeFile(path, bytes);
      // In the past, so that any later write changes the modification time.
      await utimes(path, 1_700_000_000, 1_700_000_000);
      const { size, mtimeMs } = await stat(path);
      const given = { path, fileName: name, identifier: `up/${name}`, sizeBytes: size, mtimeMs };
      return { ...given, classification: null, ifExists: 'ask', ...change };
    },
    async store(identifier, bytes, known = {}) {
      const stored = Buffer.from(bytes);
      server.objects.set(identifier, { bytes: stored, classification: null });
      if (!known) return 0;
      const patch = {
        state: 'stored',
        lengthBytes: stored.length,
        sha256: sha256Of(stored),
        ...known,
      } as const;
      const [row] = await catalogue.add(serviceId, [{ kind: 'data', identifier, patch }]);
      return row?.record.id ?? 0;
    },
    upload: (items, route = 'direct') => bench.engine.enqueue.uploads(serviceId, items, route),
    download: (ids, saveAsPath = null, below) =>
      bench.engine.enqueue.downloads(serviceId, ids, { saveAsPath, route: 'direct', below }),
    all: async () => allOf(bench.engine, 'transfers'),
    async summary() {
      const { summary } = await bench.engine.page({ tab: 'transfers', offset: 0, limit: 1 });
      return { ...summary, ...summary.transfers };
    },
    async settled() {
      const rests = ({ waitingFor }: Transfer) => waitingFor === 'answer' || waitingFor === 'token';
      // The count and the page may be from different moments.
      const open = async () => {
        const resting = (await bench.all()).filter(rests).length;
        return (await bench.engine.unfinishedOf(serviceId)) - resting;
      };
      await until(open).toBe(0);
      await store.settled();
      return (await bench.all()).toSorted((a, b) => a.id - b.id);
    },
    async rowOf(identifier) {
      return (await catalogue.findByIdentifiers(serviceId, 'data', [identifier])).get(identifier);
    },
    async tidied() {
      const hasWork = async () => {
        // Orphans are recorded before the plan or undo copy that named them is forgotten.
        const plans = await documents.list('chunkPlans');
        const records = await store.getMany(plans.map(({ key }) => Number(key)));
        const undone = await Promise.all(
          (await documents.list('undoManifests')).map(async ({ key }) => !(await bench.undoCopies.has(key))),
        );
        const orphaned = (await documents.list('orphans')) as { value: { step: { name: string } } }[];
        return (
          records.length < plans.length ||
          records.some(isOver) ||
          undone.includes(true) ||
          orphaned.some(({ value }) => value.step.name !== 'left')
        );
      };
      await until(hasWork).toBe(false);
    },
    async closeEngine() {
      await bench.engine.close();
      await until(() => {
        server.closeIdleConnections();
        return server.openConnections();
      }).toBe(0);
    },
    async restart() {
      await bench.closeEngine();
      bench.engine = await start();
      return bench.engine;
    },
    async close() {
      await bench.engine.close();
      expect(logged).toEqual([]);
      await client.close();
      await eventually(() => expect(server.openConnections()).toBe(0));
      await server.close();
      expect(await openFilesIn(folder)).toEqual([]);
      await database.close();
      await rm(folder, { recursive: true, maxRetries: 5 });
    },
  };
  bench.engine = await start();
  return bench;
}
