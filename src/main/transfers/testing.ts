import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { startFaultServer, type FaultServer } from '../../../e2e/faults/fault-server.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { isFinished, type Transfer } from '../../shared/domain/transfer.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { openDatabase } from '../catalogue/open.ts';
import type { Clock, Log } from '../ports.ts';
import type { Connections, ConnectionVerdict } from '../profiles/connections.ts';
import { createServiceClient, type ServiceClientOptions } from '../service/client.ts';
import { createPacer, type Pacer } from './pacing.ts';
import { createTransfers, type Transfers, type UploadItem } from './transfers.ts';

/** Real time, faster: a wait of a minute is over in a moment, and the order of things stays. */
export function quickClock(times: number): Clock {
  const startMs = Date.now();
  const monotonicMs = () => performance.now() * times;
  return {
    nowMs: () => Math.round(startMs + monotonicMs()),
    monotonicMs,
    delay: (delayMs, signal) => setTimeout(delayMs / times, undefined, signal ? { signal } : {}),
  };
}

/** Waits for a condition; long enough for a computer that has much else to do. */
export const until: (look: () => unknown) => ReturnType<typeof expect.poll> = (look) =>
  expect.poll(look, { timeout: 18_000 });

export interface Bench {
  readonly folder: string;
  readonly downloads: string;
  readonly server: FaultServer;
  readonly catalogue: Catalogue;
  readonly transfers: Transfers;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly verdicts: ConnectionVerdict[];
  /** What the client sends from now on; the listeners of `onReady` are told. */
  setToken(token: string | null): void;
  makeFile(name: string, bytes: Uint8Array | string, change?: Partial<UploadItem>): Promise<UploadItem>;
  /** An object that the service has; with a row in the catalogue, unless it is not to know of it. */
  store(
    identifier: string,
    bytes: Uint8Array | string,
    known?: Partial<ObjectRecord> | null,
  ): Promise<number>;
  all(): Transfer[];
  /** Waits until nothing moves and nothing will by itself. */
  settled(): Promise<Transfer[]>;
  rowOf(identifier: string): Promise<ObjectRecord | undefined>;
  /** Starts again over the same catalogue and service. */
  restart(): Promise<Transfers>;
  close(): Promise<void>;
}

export const profileId = 'profile';

export interface BenchOptions {
  transfersAtOnce?: number;
  timeouts?: ServiceClientOptions['timeouts'];
  times?: number;
}

export async function startBench(options: BenchOptions = {}): Promise<Bench> {
  const { transfersAtOnce = 4, timeouts, times = 100 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'coffer-transfers-'));
  const downloads = join(folder, 'downloads');
  await mkdir(downloads);
  const server = await startFaultServer();
  const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('no catalogue');
  const { catalogue } = opened.database;
  let token: string | null = server.token;
  const client = createServiceClient({
    baseAddress: server.baseAddress,
    getToken: () => token,
    timeouts: { connectMs: 5000, headersMs: 5000, idleBodyMs: 5000, ...timeouts },
  });
  const listeners = new Set<(id: string) => void>();
  const verdicts: ConnectionVerdict[] = [];
  const logged: unknown[] = [];
  const connections: Connections = {
    openFor: () => Promise.resolve({ client, origin: 'test' }),
    originOf: () => 'test',
    clientOf: () => Promise.resolve(client),
    factsOf: (id) =>
      Promise.resolve({
        id,
        name: 'Test',
        maxObjectBytes: null,
        maxSecretBytes: null,
        identifierTemplate: '{path}',
        separator: '/',
        downloadFolder: downloads,
        downloadFolderIsDefault: false,
      }),
    report: (_id, verdict) => verdicts.push(verdict),
    onReady(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const clock = quickClock(times);
  const pacer = createPacer(clock);
  const line = (message: string, details?: Record<string, unknown>) => logged.push({ message, ...details });
  const log: Log = { info: () => undefined, warn: line, error: line };
  const start = () =>
    createTransfers({ catalogue, connections, pacer, clock, log, settings: () => ({ transfersAtOnce }) });

  const bench = {
    folder,
    downloads,
    server,
    catalogue,
    transfers: start(),
    pacer,
    clock,
    verdicts,
    setToken(next: string | null) {
      token = next;
      for (const listener of listeners) listener(profileId);
    },
    async makeFile(
      name: string,
      bytes: Uint8Array | string,
      change: Partial<UploadItem> = {},
    ): Promise<UploadItem> {
      const path = join(folder, name);
      await writeFile(path, bytes);
      // In the past, so that any write that follows shows in the time of change.
      await utimes(path, 1_700_000_000, 1_700_000_000);
      const { size, mtimeMs } = await stat(path);
      const given = { path, fileName: name, identifier: `up/${name}`, sizeBytes: size, mtimeMs };
      return { ...given, classification: null, ifExists: 'ask', ...change };
    },
    async store(
      identifier: string,
      bytes: Uint8Array | string,
      known: Partial<ObjectRecord> | null = {},
    ): Promise<number> {
      const stored = Buffer.from(bytes);
      server.objects.set(identifier, { bytes: stored, classification: null });
      if (!known) return 0;
      const patch = {
        state: 'stored',
        lengthBytes: stored.length,
        sha256: sha256Of(stored),
        ...known,
      } as const;
      const [row] = await catalogue.add(profileId, [{ kind: 'data', identifier, patch }]);
      return row?.record.id ?? 0;
    },
    all: () => bench.transfers.page(0, 100_000).rows,
    async settled(): Promise<Transfer[]> {
      const isSettled = ({ state, waitingFor }: Transfer) =>
        isFinished(state) || waitingFor === 'answer' || waitingFor === 'token';
      await until(() => bench.all().filter((transfer) => !isSettled(transfer))).toEqual([]);
      return bench.all().toSorted((a, b) => a.id - b.id);
    },
    async rowOf(identifier: string) {
      return (await catalogue.findByIdentifiers(profileId, 'data', [identifier])).get(identifier);
    },
    async restart() {
      await bench.transfers.close();
      bench.transfers = start();
      return bench.transfers;
    },
    async close() {
      await bench.transfers.close();
      // Nothing that was not foreseen.
      expect(logged).toEqual([]);
      await client.close();
      await vi.waitFor(() => expect(server.openConnections()).toBe(0), { timeout: 10_000 });
      await server.close();
      expect(await openFilesIn(folder, ['data'])).toEqual([]);
      await opened.database.close();
      await rm(folder, { recursive: true });
    },
  };
  return bench;
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Files of this process that are open in a folder; none where the system does not tell. */
async function openFilesIn(folder: string, except: string[]): Promise<string[]> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return paths.filter(
    (path) => path.startsWith(folder) && !except.some((name) => path.startsWith(join(folder, name))),
  );
}
