import { execFile, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '../src/main/storage/open-database.ts';
import { systemClock } from '../src/main/clock.ts';
import { createServiceClient } from '../src/main/service/client.ts';
import { createEngine } from '../src/main/transfers/engine.ts';
import { settingsDefault } from '../src/shared/domain/settings.ts';
import { openTestUndoCopies } from '../test-support/main/transfers/undo-copies.ts';
import { connectTo, serviceId } from '../test-support/main/transfers/connect.ts';
import { startDiskService, type DiskService } from './parts/disk-service.ts';
import { benchToken } from './parts/service.ts';

const execute = promisify(execFile);
const partBytes = 32 * 1024 * 1024;
const transfersAtOnce = 4;
const identifier = 'film.mov';

/**
 * Uploads and downloads one file of 5 GB (or the given size) in parts, compared with `split`, `curl --parallel` and
 * `sha256sum` on the same service with the same concurrency and parts. Then kills an upload half-way, to measure
 * what is sent twice.
 */
export async function run([size = '5']: string[]): Promise<void> {
  const sizeBytes = Math.round(Number(size) * 1e9);
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const stored = join(folder, 'service');
  await mkdir(stored);
  const service = await startDiskService(stored);
  try {
    const file = join(folder, 'film.mov');
    await makeFile(file, sizeBytes);
    const files = { folder, file, stored, service };
    const theirs = await measureCurl(files);
    await empty(stored);
    const ours = await measureEngine(files);
    for (const way of ['up', 'down'] as const) {
      const ratio = (ours[way] / theirs[way]).toFixed(2);
      console.log(`${way}: ${seconds(ours[way])}, curl ${seconds(theirs[way])}, ratio ${ratio}`);
    }
    console.log(`memory: ${megabytes(ours.moreBytes)} more at most`);
    await empty(stored);
    await measureKill(files, sizeBytes);
  } finally {
    service.stop();
    await rm(folder, { recursive: true });
  }
}

interface Files {
  readonly folder: string;
  readonly file: string;
  readonly stored: string;
  readonly service: DiskService;
}

/** Every piece differs, so that no two parts are equal. */
async function makeFile(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, 'w');
  const piece = randomBytes(1024 * 1024);
  for (let doneBytes = 0; doneBytes < sizeBytes; doneBytes += piece.length) {
    piece.writeDoubleLE(doneBytes, 0);
    await file.write(piece, 0, Math.min(piece.length, sizeBytes - doneBytes));
  }
  await file.sync();
  await file.close();
}

async function measureCurl({ folder, file, service }: Files): Promise<{ up: number; down: number }> {
  const parts = join(folder, 'parts');
  const [up, names] = await timed(async () => {
    await mkdir(parts);
    const [made] = await Promise.all([
      execute('split', ['-b', String(partBytes), '-a', '4', file, join(parts, 'p')]),
      execute('sha256sum', [file]),
    ]);
    if (made.stderr) throw new Error(made.stderr);
    const all = await readdir(parts);
    await execute('sh', ['-c', `sha256sum ${parts}/p* > ${folder}/digests`]);
    await curl(
      folder,
      all.map((name) => [
        `request = POST`,
        `upload-file = "${join(parts, name)}"`,
        `output = /dev/null`,
        `url = "${service.baseAddress}/api/data/${name}"`,
      ]),
    );
    return all.toSorted();
  });
  await rm(parts, { recursive: true });
  await mkdir(parts);
  const [down] = await timed(async () => {
    await curl(
      folder,
      names.map((name) => [
        `output = "${join(parts, name)}"`,
        `url = "${service.baseAddress}/api/data/${name}"`,
      ]),
    );
    await execute('sh', ['-c', `sha256sum ${parts}/p* > ${folder}/digests`]);
    await execute('sh', ['-c', `cat ${parts}/p* > ${folder}/whole && sync -d ${folder}/whole`]);
    await execute('sha256sum', [join(folder, 'whole')]);
  });
  await rm(parts, { recursive: true });
  await rm(join(folder, 'whole'));
  return { up, down };
}

async function curl(folder: string, transfers: readonly (readonly string[])[]): Promise<void> {
  const head = [
    'silent',
    'show-error',
    'fail',
    `header = "Authorization: Bearer ${benchToken}"`,
    'header = "Expect:"',
  ];
  const config = transfers.map((lines) => [...head, ...lines].join('\n')).join('\nnext\n');
  await writeFile(join(folder, 'curl'), config);
  const many = ['--parallel', '--parallel-max', String(transfersAtOnce - 1), '--parallel-immediate'];
  await execute('curl', [...many, '-K', join(folder, 'curl')]);
}

async function openEngine(folder: string, service: string, downloads: string) {
  const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('The database is broken');
  const { catalogue, documents, transfers: store, undoStore } = opened.database;
  const log = { info: () => undefined, warn: console.error, error: console.error };
  await documents.put('services', serviceId, { id: serviceId, baseAddress: service });
  const client = createServiceClient({ baseAddress: service, getToken: () => benchToken });
  const engine = await createEngine({
    store,
    catalogue,
    documents,
    connections: connectTo(client, downloads, service),
    clock: systemClock,
    log,
    undoCopies: await openTestUndoCopies({ store: undoStore, folder, log }),
    settings: () => ({ ...settingsDefault, transfersAtOnce }),
  });
  return {
    async upload(file: string, identifier: string): Promise<void> {
      const { size: sizeBytes, mtimeMs } = await stat(file);
      const item = { path: file, fileName: identifier, identifier, sizeBytes, mtimeMs };
      const choices = { classification: null, ifExists: 'ask' } as const;
      await engine.enqueue.uploads(serviceId, [{ ...item, ...choices }], 'direct');
    },
    async download(identifier: string): Promise<void> {
      const found = await catalogue.findByIdentifiers(serviceId, 'data', [identifier]);
      const ids = [...found.values()].map(({ id }) => id);
      await engine.enqueue.downloads(serviceId, ids, { saveAsPath: null, route: 'direct' });
    },
    async finished(): Promise<void> {
      while ((await engine.unfinishedOf(serviceId)) > 0) await systemClock.delay(20);
      const { rows, summary } = await engine.page({ tab: 'transfers', offset: 0, limit: 1 });
      if (summary.transfers.failed > 0) throw new Error(JSON.stringify(rows));
    },
    async close(): Promise<void> {
      await engine.close();
      await client.close();
      await opened.database.close();
    },
  };
}

async function measureEngine({ folder, file, service }: Files) {
  const downloads = join(folder, 'downloads');
  await mkdir(downloads);
  const engine = await openEngine(folder, service.baseAddress, downloads);
  // A small file first, so that threads and compilation are not measured.
  const small = join(folder, 'small.mov');
  await makeFile(small, 5 * partBytes);
  for (const move of [() => engine.upload(small, 'small.mov'), () => engine.download('small.mov')]) {
    await move();
    await engine.finished();
  }
  const startBytes = process.memoryUsage.rss();
  let maxBytes = startBytes;
  const watch = setInterval(() => (maxBytes = Math.max(maxBytes, process.memoryUsage.rss())), 20);
  const [up] = await timed(async () => {
    await engine.upload(file, identifier);
    await engine.finished();
  });
  const [down] = await timed(async () => {
    await engine.download(identifier);
    await engine.finished();
  });
  clearInterval(watch);
  await engine.close();
  const same = await execute('cmp', [file, join(downloads, 'film.mov')]);
  if (same.stdout) throw new Error(same.stdout);
  await rm(downloads, { recursive: true });
  await rm(join(folder, 'data'), { recursive: true });
  return { up, down, moreBytes: maxBytes - startBytes };
}

async function measureKill({ folder, file, stored, service }: Files, sizeBytes: number): Promise<void> {
  await service.received();
  const child = fork(import.meta.filename, [folder, service.baseAddress, file]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  while ((await storedBytes(stored)) < sizeBytes / 2) await systemClock.delay(20);
  child.kill('SIGKILL');
  await ended;
  const engine = await openEngine(folder, service.baseAddress, folder);
  await engine.finished();
  await engine.close();
  const list = (await readdir(stored)).filter((name) => !name.includes('.')).length;
  const moreBytes = (await service.received()) - (await storedBytes(stored));
  const count = Math.ceil(sizeBytes / partBytes);
  if (list !== count + 1) throw new Error(`${list} objects, ${count} parts`);
  console.log(`killed half-way: ${(moreBytes / partBytes).toFixed(2)} parts of ${count} were sent twice`);
}

async function storedBytes(stored: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(stored))
    if (!name.includes('.')) bytes += (await stat(join(stored, name)).catch(() => ({ size: 0 }))).size;
  return bytes;
}

async function empty(folder: string): Promise<void> {
  await rm(folder, { recursive: true });
  await mkdir(folder);
}

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const startMs = performance.now();
  const result = await work();
  return [performance.now() - startMs, result];
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** Runs as the child process that gets killed. */
if (process.argv[1] === import.meta.filename) {
  const [, , folder = '', baseAddress = '', file = ''] = process.argv;
  const engine = await openEngine(folder, baseAddress, folder);
  await engine.upload(file, identifier);
  await engine.finished();
}
