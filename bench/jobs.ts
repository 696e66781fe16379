import { fork } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startLocalService } from '../src/local-service/service.ts';
import { openDatabase } from '../src/main/storage/open-database.ts';
import { systemClock } from '../src/main/clock.ts';
import { createEngine } from '../src/main/transfers/engine.ts';
import { openTestUndoCopies } from '../test-support/main/transfers/undo-copies.ts';
import { connectTo, serviceId } from '../test-support/main/transfers/connect.ts';
import { createServiceClient, type ServiceClient } from '../src/main/service/client.ts';
import { settingsDefault } from '../src/shared/domain/settings.ts';

const token = 'bench-token';
const objectBytes = 1000;

interface Watched {
  readonly client: ServiceClient;
  readonly sentAtMs: number[];
  readonly startedAtMs: Map<string, number>;
  readonly fetchedAtMs: Map<string, number>;
}

/**
 * Open jobs at the real local service, in a process of its own: requests per second, CPU, and how long complete
 * results wait to be fetched. Compared, on the same service, with a naive poller that checks each job every second.
 * Arguments: jobs (1000), processing time per job in seconds (3).
 */
export async function run(args: string[]): Promise<void> {
  const count = Number(args[0] ?? 1000);
  const processingMs = Number(args[1] ?? 3) * 1000;
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const service = fork(import.meta.filename, ['serve', join(folder, 'service'), String(processingMs)]);
  try {
    const baseAddress = await new Promise<string>((resolve) =>
      service.once('message', (said) => resolve(said as string)),
    );
    const names = Array.from({ length: count }, (_, index) => `bench/${index}.bin`);
    const filler = createServiceClient({ baseAddress, getToken: () => token });
    for (const name of names) await fill(filler, name);
    await filler.close();
    console.log(
      `${count} deferred downloads; the service processes each for ${processingMs / 1000} s, eight at a time`,
    );
    await measure('Coffer', baseAddress, (watched) => follow(watched, names, folder));
    await measure('naive', baseAddress, (watched) => pollNaively(watched, names));
  } finally {
    service.kill();
    await rm(folder, { recursive: true });
  }

  async function measure(
    name: string,
    baseAddress: string,
    work: (watched: Watched) => Promise<void>,
  ): Promise<void> {
    const watched = watch(createServiceClient({ baseAddress, getToken: () => token }));
    const startMs = performance.now();
    const cpuBefore = process.cpuUsage();
    await work(watched);
    const { user, system } = process.cpuUsage(cpuBefore);
    const tookS = (performance.now() - startMs) / 1000;
    await watched.client.close();
    report(name, watched, tookS, (user + system) / 1e6, completions(watched, processingMs));
  }
}

/** When each request was complete: the service processes eight at a time, in order. */
function completions({ startedAtMs }: Watched, processingMs: number): Map<string, number> {
  const freeAtMs = Array.from({ length: 8 }, () => 0);
  const completed = new Map<string, number>();
  for (const [name, atMs] of [...startedAtMs].toSorted(([, a], [, b]) => a - b)) {
    freeAtMs.sort((a, b) => a - b);
    const doneAtMs = Math.max(freeAtMs[0] ?? 0, atMs) + processingMs;
    freeAtMs[0] = doneAtMs;
    completed.set(name, doneAtMs);
  }
  return completed;
}

function report(
  name: string,
  { sentAtMs, fetchedAtMs }: Watched,
  tookS: number,
  cpuS: number,
  completed: Map<string, number>,
): void {
  const delaysMs = [...fetchedAtMs]
    .map(([each, atMs]) => Math.max(atMs - (completed.get(each) ?? atMs), 0))
    .toSorted((a, b) => a - b);
  let most = 0;
  for (let from = 0, to = 0; to < sentAtMs.length; to += 1) {
    while ((sentAtMs[to] ?? 0) - (sentAtMs[from] ?? 0) > 10_000) from += 1;
    most = Math.max(most, to - from + 1);
  }
  const seconds = (ms: number | undefined) => `${((ms ?? NaN) / 1000).toFixed(1)} s`;
  console.log(
    [
      name.padEnd(7),
      `${fetchedAtMs.size} fetched in ${tookS.toFixed(0)} s`,
      `requests: ${sentAtMs.length}, ${(sentAtMs.length / tookS).toFixed(1)} a second, at most ${(most / 10).toFixed(1)} over ten seconds`,
      `from completed to fetched: median ${seconds(delaysMs[delaysMs.length >> 1])}, worst ${seconds(delaysMs.at(-1))}`,
      `CPU ${cpuS.toFixed(1)} s, ${((100 * cpuS) / tookS).toFixed(0)} %`,
    ].join('\n        '),
  );
}

async function fill(client: ServiceClient, name: string): Promise<void> {
  const bytes = Buffer.alloc(objectBytes, name);
  const body = (async function* () {
    yield bytes;
  })();
  await client.uploadData(name, body, { lengthBytes: bytes.length, classification: null });
}

/** Counts requests, and records when each job was started and fetched. */
function watch(client: ServiceClient): Watched {
  const sentAtMs: number[] = [];
  const startedAtMs = new Map<string, number>();
  const fetchedAtMs = new Map<string, number>();
  const names = new Map<string, string>();
  const sent = () => sentAtMs.push(performance.now());
  return {
    sentAtMs,
    startedAtMs,
    fetchedAtMs,
    client: {
      ...client,
      headData(...args) {
        sent();
        return client.headData(...args);
      },
      async startDataDownload(name, options) {
        sent();
        const answer = await client.startDataDownload(name, options);
        startedAtMs.set(name, performance.now());
        names.set(answer.deferredToken, name);
        return answer;
      },
      checkDataDeferred(...args) {
        sent();
        return client.checkDataDeferred(...args);
      },
      async fetchDataDeferred(deferredToken, options) {
        sent();
        const download = await client.fetchDataDeferred(deferredToken, options);
        fetchedAtMs.set(names.get(deferredToken) ?? '', performance.now());
        return download;
      },
    },
  };
}

async function follow({ client }: Watched, names: string[], folder: string): Promise<void> {
  const downloads = join(folder, 'downloads');
  await mkdir(downloads);
  const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('The database is broken');
  const { catalogue, documents, transfers: store, undoStore } = opened.database;
  await documents.put('services', serviceId, { id: serviceId });
  const rows = await catalogue.add(
    serviceId,
    names.map((identifier) => ({ kind: 'data', identifier, patch: { state: 'stored' } })),
  );
  const log = { info: () => undefined, warn: console.error, error: console.error };
  const engine = await createEngine({
    store,
    catalogue,
    documents,
    connections: connectTo(client, downloads),
    clock: systemClock,
    log,
    undoCopies: await openTestUndoCopies({ store: undoStore, folder, log }),
    settings: () => settingsDefault,
  });
  const ids = rows.map(({ record }) => record.id);
  await engine.enqueue.downloads(serviceId, ids, { saveAsPath: null, route: 'deferred' });
  while ((await engine.unfinishedOf(serviceId)) > 0) await setTimeout(100);
  const { failed, lost } = (await engine.page({ tab: 'jobs', offset: 0, limit: 1 })).summary.jobs;
  if (failed + lost > 0) console.log(`${failed} failed, ${lost} lost`);
  await engine.close();
  await opened.database.close();
}

async function pollNaively({ client }: Watched, names: string[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const { deferredToken } = await client.startDataDownload(name);
      for (;;) {
        await setTimeout(1000);
        if ((await client.checkDataDeferred(deferredToken)).state === 'complete') break;
      }
      await (await client.fetchDataDeferred(deferredToken)).body.toArray();
    }),
  );
}

if (process.argv[2] === 'serve') {
  const service = await startLocalService({
    dataFolder: process.argv[3] ?? '',
    token,
    masterKey: Buffer.alloc(32, 1),
    processingMs: Number(process.argv[4]),
  });
  process.send?.(service.baseAddress);
}
