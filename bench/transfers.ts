import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { openDatabase } from '../src/main/catalogue/open.ts';
import { systemClock } from '../src/main/clock.ts';
import { createEngine, type Engine } from '../src/main/transfers/engine.ts';
import type { UploadItem } from '../src/main/transfers/enqueue.ts';
import { connectTo, profileId } from '../src/main/transfers/test/connect.ts';
import { createServiceClient } from '../src/main/service/client.ts';
import { settingsDefault } from '../src/shared/domain/settings.ts';

const token = 'bench-token';
const atOnce = 4;
const command = promisify(execFile);

const cases = [
  ['50 MB up', 1, 50_000_000, 'up'],
  ['50 MB down', 1, 50_000_000, 'down'],
  ['2,000 x 10 KB up', 2000, 10_000, 'up'],
  ['2,000 x 10 KB down', 2000, 10_000, 'down'],
  ['200 x 1 MB up', 200, 1_000_000, 'up'],
  ['200 x 1 MB down', 200, 1_000_000, 'down'],
] as const;

interface Figures {
  readonly oursMs: number[];
  /** Of all threads of this process. */
  readonly cpuMs: number[];
  readonly curlMs: number[];
  readonly blocks: Block[];
}

/** The longest that the main thread kept everything else waiting: by the clock, and what it worked in that time. */
interface Block {
  readonly ms: number;
  readonly cpuMs: number;
}

/**
 * Files up and down, ours beside curl on the same server in the same run, best of several. Curl asks HEAD after each upload and
 * flushes a large download to the disk, as ours does; ours also takes digests and writes the list.
 * Arguments: rounds (5), and a part of the names of those that are measured (all).
 */
export async function run(args: string[]): Promise<void> {
  const rounds = Number(args[0] ?? 5);
  const isMeant = (name: string) => name.includes(args[1] ?? '');
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const service = fork(import.meta.filename, ['serve']);
  try {
    const [baseAddress] = (await once(service, 'message')) as [string];
    const bench = await open(folder, baseAddress, service);
    if (isMeant('memory')) await bench.measureMemory();
    console.log(`\nbest of ${rounds}`);
    for (const [name, number, sizeBytes, direction] of cases) {
      if (isMeant(name)) await bench.compare(name, number, sizeBytes, direction, rounds);
    }
    await bench.close();
  } finally {
    service.kill();
    await rm(folder, { recursive: true });
  }
}

async function open(folder: string, baseAddress: string, service: ChildProcess) {
  const downloads = join(folder, 'downloads');
  const files = join(folder, 'files');
  const curlFolder = join(folder, 'curl');
  for (const each of [downloads, files, curlFolder]) await mkdir(each);
  const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('The database is broken');
  const { catalogue, documents, transfers: store } = opened.database;
  await documents.put('profiles', profileId, { id: profileId, baseAddress });
  const client = createServiceClient({ baseAddress, getToken: () => token });
  const engine = await createEngine({
    store,
    catalogue,
    documents,
    connections: connectTo(client, downloads, baseAddress),
    clock: systemClock,
    log: { info: () => undefined, warn: console.error, error: console.error },
    settings: () => ({ ...settingsDefault, transfersAtOnce: atOnce }),
  });
  let count = 0;

  async function makeItems(number: number, sizeBytes: number): Promise<UploadItem[]> {
    const items: UploadItem[] = [];
    for (let index = 0; index < number; index += 1) {
      const fileName = `f${(count += 1)}`;
      const path = join(files, fileName);
      await writeFile(path, contentOf(fileName, sizeBytes));
      const { mtimeMs } = await stat(path);
      const choices = { classification: null, ifExists: 'ask' } as const;
      items.push({ path, fileName, identifier: fileName, sizeBytes, mtimeMs, ...choices });
    }
    return items;
  }

  async function upload(items: readonly UploadItem[]): Promise<void> {
    await engine.enqueue.uploads(profileId, items, 'direct');
    await finished(engine, items.length > 1 ? 20 : 2);
  }

  async function download(ids: readonly number[]): Promise<void> {
    await engine.enqueue.downloads(profileId, ids, { saveAsPath: null, route: 'direct' });
    await finished(engine, ids.length > 1 ? 20 : 2);
  }

  async function idsOf(items: readonly UploadItem[]): Promise<number[]> {
    const identifiers = items.map(({ identifier }) => identifier);
    return [...(await catalogue.findByIdentifiers(profileId, 'data', identifiers)).values()].map(
      ({ id }) => id,
    );
  }

  const address = (name: string) => `${baseAddress}/api/data/${name}`;
  const always = [`header = "Authorization: Bearer ${token}"`, 'header = "Expect:"', 'silent', 'fail'];

  /** One curl does them all over its connections; what belongs to a file stands in its order. */
  async function curl(requests: string[][]): Promise<void> {
    const config = join(folder, 'curl.conf');
    await writeFile(config, requests.map((lines) => [...always, ...lines, ''].join('\n')).join('next\n'));
    const parallel = requests.length > 1 ? ['--parallel', '--parallel-max', String(atOnce)] : [];
    await command('curl', [...parallel, '-K', config], { maxBuffer: 1e9 });
  }

  async function curlUp(items: readonly UploadItem[], prefix: string): Promise<void> {
    const post = ({ path, fileName }: UploadItem) => [
      'request = POST',
      'output = /dev/null',
      `upload-file = "${path}"`,
      `url = "${address(prefix + fileName)}"`,
    ];
    const head = ({ fileName }: UploadItem) => [
      'head',
      'output = /dev/null',
      `url = "${address(prefix + fileName)}"`,
    ];
    await curl(items.map(post));
    await curl(items.map(head));
  }

  async function curlDown(items: readonly UploadItem[], prefix: string): Promise<void> {
    const get = ({ fileName }: UploadItem) => [
      `output = "${join(curlFolder, fileName)}"`,
      `url = "${address(prefix + fileName)}"`,
    ];
    await curl(items.map(get));
    if (items.length === 1) await command('sync', ['-d', join(curlFolder, items[0]?.fileName ?? '')]);
  }

  async function mostConnections(): Promise<number> {
    const answer = once(service, 'message');
    service.send('connections');
    return Number((await answer)[0]);
  }

  return {
    async compare(name: string, number: number, sizeBytes: number, direction: 'up' | 'down', rounds: number) {
      const figures: Figures = { oursMs: [], cpuMs: [], curlMs: [], blocks: [] };
      let connections = 0;
      for (let round = 0; round < rounds; round += 1) {
        const items = await makeItems(number, sizeBytes);
        const prefix = `curl-${round}-`;
        const isUp = direction === 'up';
        if (!isUp) {
          await upload(items);
          await curlUp(items, prefix);
        }
        const ids = await idsOf(items);
        figures.curlMs.push(await timed(() => (isUp ? curlUp(items, prefix) : curlDown(items, prefix))));
        // The connections of curl are not counted as ours.
        await systemClock.delay(50);
        await mostConnections();
        const stopWatching = watchBlocks();
        const cpuBefore = process.cpuUsage();
        figures.oursMs.push(await timed(() => (isUp ? upload(items) : download(ids))));
        const { user, system } = process.cpuUsage(cpuBefore);
        figures.cpuMs.push((user + system) / 1000);
        figures.blocks.push(stopWatching());
        connections = Math.max(connections, await mostConnections());
        for (const each of [files, curlFolder, downloads]) {
          await rm(each, { recursive: true });
          await mkdir(each);
        }
        service.send('forget');
      }
      report(name, figures, connections);
    },

    /** 64 transfers of 50 MB, up. */
    async measureMemory() {
      const items = await makeItems(8, 50_000_000);
      const many = Array.from({ length: 64 }, (_, index) => {
        const item = items[index % items.length];
        if (!item) throw new Error('no file');
        return { ...item, identifier: `memory-${index}` };
      });
      const beforeBytes = process.memoryUsage.rss();
      let mostBytes = beforeBytes;
      const watch = setInterval(() => {
        mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
      }, 20);
      await upload(many);
      clearInterval(watch);
      const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
      console.log(
        `64 x 50 MB up: memory ${mebibytes(beforeBytes)} before, ${mebibytes(mostBytes - beforeBytes)} more at most`,
      );
    },

    async close() {
      await engine.close();
      await client.close();
      await opened.database.close();
    },
  };
}

/** Piece by piece: the files of the bench are not in its memory. */
function* contentOf(name: string, sizeBytes: number): Generator<Buffer> {
  for (let left = sizeBytes; left > 0; left -= 1_000_000)
    yield Buffer.alloc(Math.min(left, 1_000_000), `${name} `);
}

/** @param pollMs of many the end is asked for less often, so that the asking is no part of what is measured */
async function finished(engine: Engine, pollMs: number): Promise<void> {
  while ((await engine.unfinishedOf(profileId)) > 0) await systemClock.delay(pollMs);
  const { rows, summary } = await engine.page({ offset: 0, limit: 1 });
  if (summary.failed > 0) throw new Error(JSON.stringify(rows));
  await engine.actions.clear('transfers', 'done');
}

/** What else the computer does makes a block longer, but no more work. @returns how to stop */
function watchBlocks(): () => Block {
  let longest: Block = { ms: 0, cpuMs: 0 };
  let lastMs = performance.now();
  let lastCpu = process.threadCpuUsage();
  const watch = setInterval(() => {
    const { user, system } = process.threadCpuUsage(lastCpu);
    const nowMs = performance.now();
    longest = {
      ms: Math.max(longest.ms, nowMs - lastMs),
      cpuMs: Math.max(longest.cpuMs, (user + system) / 1000),
    };
    lastMs = nowMs;
    lastCpu = process.threadCpuUsage();
  }, 1);
  return () => {
    clearInterval(watch);
    return longest;
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function report(name: string, { oursMs, cpuMs, curlMs, blocks }: Figures, connections: number): void {
  // The best of each: what else the computer does only ever adds.
  const [ours, curl] = [Math.min(...oursMs), Math.min(...curlMs)];
  console.log(
    [
      name.padEnd(20),
      `${ours.toFixed(0)} ms`.padStart(9),
      `curl ${curl.toFixed(0)} ms`.padStart(14),
      `ratio ${(ours / curl).toFixed(2)}`.padStart(12),
      `CPU ${Math.min(...cpuMs).toFixed(0)} ms`.padStart(13),
      `connections ${connections}`.padStart(16),
      `longest block ${Math.min(...blocks.map(({ ms }) => ms)).toFixed(0)} ms`.padStart(22),
      `of work ${Math.max(...blocks.map((block) => block.cpuMs)).toFixed(0)} ms`.padStart(16),
    ].join(''),
  );
}

/** Section 4.1 of the interface, plain: bytes in memory, but for names that begin with `memory-`, whose length is enough. */
function serve(): void {
  const objects = new Map<string, { lengthBytes: number; pieces: Buffer[] }>();
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').replace(/^\/api\/data\/([^?]*).*$/, '$1'));
    const known = objects.get(name);
    if (request.method === 'POST') {
      const taken = { lengthBytes: 0, pieces: [] as Buffer[] };
      request.on('data', (piece: Buffer) => {
        taken.lengthBytes += piece.length;
        if (!name.startsWith('memory-')) taken.pieces.push(piece);
      });
      request.on('end', () => {
        if (!known) objects.set(name, taken);
        const status = known ? 409 : 200;
        const body = JSON.stringify({ success: !known, status, message: '', activityToken: 'a' });
        const type = { 'content-type': 'application/json' };
        response.writeHead(status, { ...type, 'content-length': body.length }).end(body);
      });
    } else if (!known) {
      response.writeHead(404, { 'content-length': 0 }).end();
    } else if (request.method === 'HEAD') {
      response.writeHead(200, { 'x-orginal-length': String(known.lengthBytes) }).end();
    } else {
      response.writeHead(200, { 'content-length': known.lengthBytes });
      Readable.from(known.pieces).pipe(response);
    }
  });
  server.on('connection', (socket) => {
    most = Math.max(most, (open += 1));
    socket.on('error', () => undefined).on('close', () => (open -= 1));
  });
  process.on('message', (message) => {
    if (message === 'forget') objects.clear();
    else process.send?.(most);
    most = open;
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

// The service has a process of its own, so that the memory and the blocks measured are ours alone.
if (process.argv[2] === 'serve') serve();
