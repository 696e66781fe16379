import { execFile, fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeDigests } from '../src/main/local-files/digest.ts';
import { openSource } from '../src/main/local-files/source.ts';
import { createTemporaryFile, newTemporaryName } from '../src/main/local-files/target.ts';
import { createServiceClient, type ServiceClient } from '../src/main/service/client.ts';

const largeBytes = 50_000_000;
const rounds = 15;
const token = 'bench-token';
const execute = promisify(execFile);

/**
 * Uploads and downloads one large file with the engine's client, compared with curl on the same loopback server,
 * which runs in its own process and stores nothing. Ours computes a digest too. Then many files at once, to measure
 * memory.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const service = fork(import.meta.filename, ['serve']);
  try {
    const baseAddress = await new Promise<string>((resolve) =>
      service.once('message', (said) => resolve(said as string)),
    );
    const client = createServiceClient({ baseAddress, getToken: () => token });
    await measureSpeed(folder, baseAddress, client);
    await measureMemory(folder, client);
    await client.close();
  } finally {
    await closeDigests();
    service.kill();
    await rm(folder, { recursive: true });
  }
}

async function measureSpeed(folder: string, baseAddress: string, client: ServiceClient): Promise<void> {
  const path = join(folder, 'large');
  const curlPath = join(folder, 'curl-down');
  await writeFile(path, Buffer.alloc(largeBytes, 'coffer'));
  const curl = (...args: string[]) =>
    execute('curl', ['-sS', '--fail', '-H', 'Expect:', '-H', `Authorization: Bearer ${token}`, ...args]);
  const address = `${baseAddress}/api/data/large`;

  const times = await bestOf({
    upload: () => upload(client, path),
    'curl -T, curl -I': async () => {
      await curl('-X', 'POST', '-o', '/dev/null', '-T', path, address);
      await curl('-I', '-o', '/dev/null', address);
    },
    download: () => download(client, folder, 'down', true),
    'curl -o, sync -d': async () => {
      await rm(curlPath, { force: true });
      await curl('-o', curlPath, address);
      await execute('sync', ['-d', curlPath]);
    },
  });
  console.log(`one file of ${megabytes(largeBytes)}, best of ${rounds}`);
  compare(times, 'upload', 'curl -T, curl -I');
  compare(times, 'download', 'curl -o, sync -d');
}

/** Growth of resident memory during 64 uploads and then downloads, sixteen at a time. */
async function measureMemory(folder: string, client: ServiceClient): Promise<void> {
  const path = join(folder, 'large');
  for (const [name, work] of [
    ['up', () => upload(client, path)],
    ['down', (index: number) => download(client, folder, `many-${index}`, false)],
  ] as const) {
    const startBytes = process.memoryUsage.rss();
    let maxBytes = startBytes;
    const watch = setInterval(() => (maxBytes = Math.max(maxBytes, process.memoryUsage.rss())), 5);
    let next = 0;
    const slot = async () => {
      while (next < 64) await work(next++);
    };
    await Promise.all(Array.from({ length: 16 }, slot));
    clearInterval(watch);
    console.log(
      `64 of them ${name}, 16 at a time: ${megabytes(startBytes)} before, ${megabytes(maxBytes - startBytes)} more at most`,
    );
  }
}

async function upload(client: ServiceClient, path: string): Promise<void> {
  const source = await openSource(path, 'large', null);
  try {
    const { signal } = new AbortController();
    const body = await source.body({ onProgress: () => undefined, signal });
    await client.uploadData('large', body, { lengthBytes: source.sizeBytes, classification: null, signal });
    const [{ lengthBytes }, sha256, hasChanged] = [
      await client.headData('large', { signal }),
      await source.sha256(),
      await source.hasChanged(),
    ];
    if (lengthBytes !== largeBytes || sha256 === null || hasChanged) throw new Error('Not what was sent');
  } finally {
    await source.close();
  }
}

async function download(client: ServiceClient, folder: string, name: string, isKept: boolean): Promise<void> {
  const target = { folder, makesFolder: false, fileName: name, replaces: true };
  const { body } = await client.downloadData('large');
  const part = await createTemporaryFile(target, newTemporaryName(name));
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) await part.write(piece);
    await part.digest();
    const { path } = await part.publish();
    if (!isKept) await rm(path);
  } finally {
    await part.discard();
  }
}

/** In ms; the minimum, because other load only adds time. */
async function bestOf<N extends string>(works: Record<N, () => Promise<void>>): Promise<Record<N, number>> {
  const best = Object.fromEntries(Object.keys(works).map((name) => [name, Infinity])) as Record<N, number>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of Object.keys(works) as N[]) {
      const startMs = performance.now();
      await works[name]();
      best[name] = Math.min(best[name], performance.now() - startMs);
    }
  }
  return best;
}

function compare<N extends string>(times: Record<N, number>, ours: N, theirs: N): void {
  const ratio = times[ours] / times[theirs];
  console.log(
    `${ours.padEnd(9)} ${times[ours].toFixed(0)} ms, ${theirs} ${times[theirs].toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
  );
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

// A minimal server, so that the server is not what is measured.
if (process.argv[2] === 'serve') {
  const content = Buffer.alloc(largeBytes, 'coffer');
  const answer = JSON.stringify({ success: true, status: 200, message: 'put completed', activityToken: 'a' });
  let storedBytes = 0;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-length': content.length }).end(content);
    } else if (request.method === 'HEAD') {
      response.writeHead(200, { 'x-orginal-length': storedBytes }).end();
    } else {
      let lengthBytes = 0;
      request.on('data', (piece: Buffer) => (lengthBytes += piece.length));
      request.on('end', () => {
        storedBytes = lengthBytes;
        response.writeHead(200, { 'content-length': answer.length }).end(answer);
      });
    }
  };
  const server = createServer(handle).listen(0, '127.0.0.1', () =>
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
}
