import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { UploadItem } from '../../src/main/transfers/queue/record-factory.ts';
import { mapConcurrent } from '../../src/main/lib/async.ts';
import { benchToken } from './service.ts';

/**
 * The minimum that a Node program does to store files reliably: it reads and hashes each file while sending it, and checks it
 * afterwards. No list, no queue, nothing that survives a kill, one thread.
 */
export async function uploadBare(
  baseAddress: string,
  atOnce: number,
  items: readonly UploadItem[],
): Promise<void> {
  const { origin, pathname } = new URL(`${baseAddress}/api/data/`);
  const pool = new Pool(origin, { connections: atOnce });
  const authorization = { authorization: `Bearer ${benchToken}` };
  await mapConcurrent(items, atOnce, async ({ path: file, fileName, sizeBytes }) => {
    const path = pathname + fileName;
    const hash = createHash('sha256');
    // Read when the request asks for it: a listener would lose what is read before a connection is free.
    const read = async function* () {
      for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
        hash.update(piece);
        yield piece;
      }
    };
    const headers = { ...authorization, 'content-length': String(sizeBytes) };
    const stored = await pool.request({ method: 'POST', path, headers, body: Readable.from(read()) });
    await stored.body.dump();
    const found = await pool.request({ method: 'HEAD', path, headers: authorization });
    await found.body.dump();
    if (found.headers['x-orginal-length'] !== String(sizeBytes)) throw new Error(`${fileName} is not stored`);
    hash.digest();
  });
  await pool.close();
}
