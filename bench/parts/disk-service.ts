import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createHash } from 'node:crypto';

/** Section 4.1 of the interface over files, for more data than fits into memory; in a process of its own. */
export interface DiskService {
  readonly baseAddress: string;
  /** Bytes of request bodies received since the last call, complete or not. */
  received(): Promise<number>;
  stop(): void;
}

export async function startDiskService(folder: string): Promise<DiskService> {
  const service = fork(import.meta.filename, [folder]);
  const [baseAddress] = (await once(service, 'message')) as [string];
  return {
    baseAddress,
    async received() {
      const answer = once(service, 'message');
      service.send('received');
      return Number((await answer)[0]);
    },
    stop: () => void service.kill(),
  };
}

function serve(folder: string): void {
  let receivedBytes = 0;
  let uploads = 0;
  const answered = JSON.stringify({ success: true, status: 200, message: '', activityToken: 'bench' });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const identifier = decodeURIComponent((request.url ?? '').split('?')[0]?.split('/').at(-1) ?? '');
    const path = join(folder, createHash('sha256').update(identifier).digest('hex'));
    const there = await stat(path).catch(() => null);
    if (request.method === 'POST') {
      if (there) {
        request.resume();
        response.writeHead(409).end();
        return;
      }
      const temporaryPath = `${path}.${(uploads += 1)}`;
      request.on('data', (piece: Buffer) => (receivedBytes += piece.length));
      const written = createWriteStream(temporaryPath, { highWaterMark: 1024 * 1024 });
      await pipeline(request, written).catch(async (cause: unknown) => {
        await rm(temporaryPath, { force: true });
        throw cause;
      });
      await rename(temporaryPath, path);
      response.writeHead(200, { 'content-type': 'application/json' }).end(answered);
    } else if (!there) response.writeHead(404).end();
    else if (request.method === 'DELETE') {
      await rm(path);
      response.writeHead(200, { 'content-type': 'application/json' }).end(answered);
    } else {
      response.writeHead(200, {
        'x-orginal-length': there.size,
        ...(request.method === 'GET' && { 'content-length': there.size }),
      });
      if (request.method === 'HEAD') response.end();
      else await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), response);
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1', () =>
    process.send?.(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`),
  );
  process.on('message', () => {
    process.send?.(receivedBytes);
    receivedBytes = 0;
  });
  process.on('disconnect', () => process.exit());
}

if (process.argv[1] === import.meta.filename && process.argv[2] !== undefined) serve(process.argv[2]);
