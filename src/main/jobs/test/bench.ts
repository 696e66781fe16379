import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startLocalService, type LocalServiceOptions } from '../../../local-service/service.ts';
import { isJobFinished, type Job } from '../../../shared/domain/job.ts';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import type { Catalogue, Database } from '../../catalogue/catalogue.ts';
import { openDatabase } from '../../catalogue/open.ts';
import type { Clock, Log } from '../../ports.ts';
import { createServiceClient, type ServiceClient } from '../../service/client.ts';
import { createPacer } from '../../transfers/pacing.ts';
import { quickClock } from '../../transfers/testing.ts';
import type { UploadItem } from '../../transfers/entry.ts';
import { connectTo, profileId } from './connect.ts';
import { createJobs, type Jobs } from '../jobs.ts';

const token = 'test-token';

export interface Bench {
  readonly folder: string;
  readonly downloads: string;
  readonly catalogue: Catalogue;
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly connections: ReturnType<typeof connectTo>;
  readonly jobs: Jobs;
  makeFile(name: string, bytes: Uint8Array | string, change?: Partial<UploadItem>): Promise<UploadItem>;
  /** An object that the service has, and its row. */
  store(identifier: string, bytes: Uint8Array | string): Promise<number>;
  all(): Job[];
  /** Waits until all are finished. */
  finished(): Promise<Job[]>;
  rowOf(identifier: string, kind?: 'data' | 'secret'): Promise<ObjectRecord | undefined>;
  downloaded(): Promise<string[]>;
  /** Ends and begins again over the same journal and service. */
  restart(): Promise<void>;
  stopService(): Promise<void>;
  startService(options?: Partial<LocalServiceOptions>): Promise<void>;
  close(): Promise<void>;
}

/** The jobs over the real service of this computer and a real database. */
export async function startBench(
  options: Partial<LocalServiceOptions> & { times?: number; jobRequestsPerSecond?: number } = {},
): Promise<Bench> {
  const { times = 20, jobRequestsPerSecond = 20, ...serviceOptions } = options;
  const folder = await mkdtemp(join(tmpdir(), 'coffer-jobs-'));
  const downloads = join(folder, 'downloads');
  await mkdir(downloads);
  const masterKey = randomBytes(32);
  const begin = (port: number, more: Partial<LocalServiceOptions> = {}) =>
    startLocalService({
      dataFolder: join(folder, 'service'),
      token,
      masterKey,
      processingMs: 50,
      port,
      ...serviceOptions,
      ...more,
    });
  let service = await begin(0);
  const { port } = service;
  const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('no catalogue');
  const { catalogue, documents }: Database = opened.database;
  const client = createServiceClient({ baseAddress: service.baseAddress, getToken: () => token });
  const connections = connectTo(client, downloads);
  const clock = quickClock(times);
  const problems: unknown[] = [];
  const note = (message: string, details?: Record<string, unknown>) => problems.push({ message, ...details });
  const log: Log = { info: () => undefined, warn: note, error: note };
  const start = () =>
    createJobs({
      catalogue,
      documents,
      connections,
      pacer: createPacer(clock),
      clock,
      log,
      settings: () => ({ jobRequestsPerSecond, transfersAtOnce: 4 }),
    });

  const bench = {
    folder,
    downloads,
    catalogue,
    client,
    clock,
    connections,
    jobs: await start(),
    async makeFile(name: string, bytes: Uint8Array | string, change: Partial<UploadItem> = {}) {
      const path = join(folder, name);
      await writeFile(path, bytes);
      await utimes(path, 1_700_000_000, 1_700_000_000);
      const { size, mtimeMs } = await stat(path);
      const given = { path, fileName: name, identifier: `up/${name}`, sizeBytes: size, mtimeMs };
      return { ...given, classification: null, ifExists: 'ask' as const, ...change };
    },
    async store(identifier: string, bytes: Uint8Array | string) {
      const stored = Buffer.from(bytes);
      const source = (async function* () {
        yield stored;
      })();
      await client.uploadData(identifier, source, { lengthBytes: stored.length, classification: null });
      const patch = { state: 'stored', lengthBytes: stored.length } as const;
      const [row] = await catalogue.add(profileId, [{ kind: 'data', identifier, patch }]);
      return row?.record.id ?? 0;
    },
    all: () => bench.jobs.page({ offset: 0, limit: 100_000, filter: '' }).rows,
    async finished() {
      await expect
        .poll(() => bench.all().filter(({ state }) => !isJobFinished(state)), { timeout: 18_000 })
        .toEqual([]);
      return bench.all().toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    },
    async rowOf(identifier: string, kind: 'data' | 'secret' = 'data') {
      return (await catalogue.findByIdentifiers(profileId, kind, [identifier])).get(identifier);
    },
    downloaded: async () => (await readdir(downloads)).toSorted(),
    async restart() {
      await bench.jobs.close();
      bench.jobs = await start();
    },
    stopService: () => service.close(),
    async startService(more: Partial<LocalServiceOptions> = {}) {
      service = await begin(port, more);
    },
    async close() {
      await bench.jobs.close();
      expect(problems).toEqual([]);
      await client.close();
      await service.close();
      await opened.database.close();
      await rm(folder, { recursive: true });
    },
  };
  return bench;
}
