import { execFile, fork } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startFaultServer } from '../e2e/faults/fault-server.ts';
import { openDatabase } from '../src/main/catalogue/open.ts';
import type { Connections } from '../src/main/profiles/connections.ts';
import { createServiceClient } from '../src/main/service/client.ts';
import { createPacer } from '../src/main/transfers/pacing.ts';
import { createTransfers, type Transfers, type UploadItem } from '../src/main/transfers/transfers.ts';

const profileId = 'bench';
const largeBytes = 50_000_000;
const smallFiles = 1000;
const smallBytes = 10_000;
const rounds = 7;
const token = 'bench-token';
const curl = promisify(execFile);

/**
 * One large file and many small ones up and down, ours beside curl, on the same loopback server in the same run. Ours does
 * more: a digest on the way, HEAD afterwards, rows in the catalogue, fsync of what is downloaded.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const service = fork(import.meta.filename, ['serve']);
  try {
    const baseAddress = await new Promise<string>((resolve) =>
      service.once('message', (said) => resolve(said as string)),
    );
    await measure(folder, baseAddress);
  } finally {
    service.kill();
    await rm(folder, { recursive: true });
  }
}

async function measure(folder: string, baseAddress: string): Promise<void> {
  const downloads = join(folder, 'downloads');
  await mkdir(downloads);
  const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('The database is broken');
  const { catalogue } = opened.database;
  const client = createServiceClient({ baseAddress, getToken: () => token });
  const clock = {
    nowMs: Date.now,
    monotonicMs: () => performance.now(),
    delay: (delayMs: number, signal?: AbortSignal) =>
      setTimeout(delayMs, undefined, signal ? { signal } : {}),
  };
  const connections: Connections = {
    openFor: () => Promise.resolve({ client, origin: 'test' }),
    originOf: () => 'test',
    clientOf: () => Promise.resolve(client),
    factsOf: (id) =>
      Promise.resolve({
        id,
        name: 'Bench',
        maxObjectBytes: null,
        maxSecretBytes: null,
        identifierTemplate: '{path}',
        separator: '/',
        downloadFolder: downloads,
        downloadFolderIsDefault: false,
      }),
    report: () => undefined,
    onReady: () => () => undefined,
  };
  const log = { info: console.log, warn: console.log, error: console.error };
  const pacer = createPacer(clock);
  const settings = () => ({ transfersAtOnce: 4 });
  const transfers = createTransfers({ catalogue, connections, pacer, clock, log, settings });

  async function makeFile(name: string, sizeBytes: number): Promise<UploadItem> {
    const path = join(folder, name);
    await writeFile(path, Buffer.alloc(sizeBytes, name));
    const { mtimeMs } = await stat(path);
    return {
      path,
      fileName: name,
      identifier: name,
      sizeBytes,
      mtimeMs,
      classification: null,
      ifExists: 'ask',
    };
  }
  const upload = async (items: UploadItem[]) => {
    await transfers.enqueueUploads(profileId, items);
    await finished(transfers);
  };
  const download = async (identifiers: string[]) => {
    const rows = await catalogue.findByIdentifiers(profileId, 'data', identifiers);
    await transfers.enqueueDownloads(
      profileId,
      [...rows.values()].map(({ id }) => id),
      { saveAsPath: null },
    );
    await finished(transfers);
  };
  const address = (identifier: string) => `${baseAddress}/api/data/${encodeURIComponent(identifier)}`;
  const curlWith = (...args: string[]) =>
    curl('curl', ['-sS', '--fail', '-H', 'Expect:', '-H', `Authorization: Bearer ${token}`, ...args]);

  const startBytes = process.memoryUsage.rss();
  const times = {
    up: [] as number[],
    curlUp: [] as number[],
    down: [] as number[],
    curlDown: [] as number[],
  };
  for (let round = 0; round < rounds; round += 1) {
    const item = await makeFile(`large-${round}`, largeBytes);
    times.curlUp.push(
      await timed(() => curlWith('-X', 'POST', '-o', '/dev/null', '-T', item.path, address(`curl-${round}`))),
    );
    times.up.push(await timed(() => upload([item])));
    times.curlDown.push(
      await timed(() => curlWith('-o', join(folder, 'curl-down'), address(`curl-${round}`))),
    );
    times.down.push(await timed(() => download([item.identifier])));
  }
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(`one file of ${megabytes(largeBytes)}, best of ${rounds}`);
  compare('upload', times.up, 'curl -T', times.curlUp);
  compare('download', times.down, 'curl -o', times.curlDown);
  console.log(
    `memory: ${megabytes(startBytes)} before, ${megabytes(process.resourceUsage().maxRSS * 1024)} at most\n`,
  );

  const items: UploadItem[] = [];
  for (let index = 0; index < smallFiles; index += 1)
    items.push(await makeFile(`small-${index}`, smallBytes));
  const config = join(folder, 'curl.conf');
  const each = (lines: (item: UploadItem) => string[]) =>
    writeFile(config, items.map((item) => [...lines(item), ''].join('\n')).join('next\n'));
  const header = [
    `header = "Authorization: Bearer ${token}"`,
    'silent',
    'fail',
    'request = POST',
    'output = /dev/null',
  ];
  await each((item) => [
    ...header,
    `upload-file = "${item.path}"`,
    `url = "${address(`curl-${item.identifier}`)}"`,
  ]);
  const curlUpMs = await timed(() => curl('curl', ['--parallel', '--parallel-max', '4', '-K', config]));
  const upMs = await timed(() => upload(items));
  const downMs = await timed(() => download(items.map(({ identifier }) => identifier)));
  console.log(`${smallFiles} files of ${smallBytes} bytes, four at a time`);
  compare('upload', [upMs], 'curl -T', [curlUpMs]);
  console.log(`download  ${downMs.toFixed(0)} ms`);

  await transfers.close();
  await client.close();
  await opened.database.close();
}

async function finished(transfers: Transfers): Promise<void> {
  for (;;) {
    const { counts } = transfers.summary();
    if (counts.needsYou > 0) throw new Error(JSON.stringify(transfers.page(0, 1).rows));
    if (counts.moving + counts.waiting === 0) break;
    await setTimeout(1);
  }
  transfers.clear('done');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function compare(name: string, ours: number[], theirName: string, theirs: number[]): void {
  // The best of each: what else the computer does only ever adds.
  const [ourMs, theirMs] = [Math.min(...ours), Math.min(...theirs)];
  console.log(
    `${name.padEnd(9)} ${ourMs.toFixed(0)} ms, ${theirName} ${theirMs.toFixed(0)} ms, ratio ${(ourMs / theirMs).toFixed(2)}`,
  );
}

// The service has a process of its own, so that the memory measured is ours alone.
if (process.argv[2] === 'serve') {
  const server = await startFaultServer({ token });
  process.send?.(server.baseAddress);
}
