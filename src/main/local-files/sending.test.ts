import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTestClient, serve, serveTls } from '../../../test-support/main/service/test-server.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { openSource } from './source.ts';
import { distinctBytes, openFilesIn, sha256Of } from '../../../test-support/main/local-files/testing.ts';
import { eventually } from '../../../test-support/eventually.ts';

const mebibyte = 1024 * 1024;
const fixture = (name: string) =>
  readFileSync(new URL(`../service/fixtures/${name}.pem`, import.meta.url), 'utf8');
const done = JSON.stringify({ success: true, status: 200, message: 'done', activityToken: 'activity-1' });

/** Reads nothing for a while, then a piece now and then: the connection fills up. */
function takeSlowly(received: Map<string, string>) {
  return (request: IncomingMessage, response: ServerResponse) => {
    void (async () => {
      const hash = createHash('sha256');
      await setTimeout(200);
      let count = 0;
      for await (const piece of request as AsyncIterable<Buffer>) {
        hash.update(piece);
        count += 1;
        if (count % 16 === 0) await setTimeout(count % 5);
      }
      received.set(request.url ?? '', hash.digest('hex'));
      response.end(done);
    })().catch(() => undefined);
  };
}

for (const scheme of ['http', 'https'])
  test(
    `sends a slow reader the right bytes, ${scheme}`,
    { tags: scheme === 'http' ? 'all' : [] },
    async () => {
      const folder = await makeTestFolder();
      const received = new Map<string, string>();
      const server =
        scheme === 'http'
          ? await serve(takeSlowly(received))
          : await serveTls(fixture('trusted'), takeSlowly(received));
      const client = createTestClient(`${scheme}://127.0.0.1:${server.port}`, { authorities: fixture('ca') });
      await Promise.all(
        [1000, mebibyte, 14 * mebibyte, 9 * mebibyte + 1, 17 * mebibyte - 1].map(async (sizeBytes, index) => {
          const bytes = distinctBytes(sizeBytes);
          const path = join(folder, `${index}`);
          await writeFile(path, bytes);
          const source = await openSource(path, 'x', null);
          const body = await source.body({
            onProgress: () => undefined,
            signal: new AbortController().signal,
          });
          await client.uploadData(`o${index}`, body, { lengthBytes: sizeBytes, classification: null });
          expect(received.get(`/api/data/o${index}`)).toBe(sha256Of(bytes));
          expect(await source.sha256()).toBe(sha256Of(bytes));
          await source.close();
        }),
      );
    },
  );

test('leaves no file open when an upload ends at any moment', async () => {
  const folder = await makeTestFolder();
  const path = join(folder, 'a');
  await writeFile(path, distinctBytes(12 * mebibyte));
  const { address } = await serve(takeSlowly(new Map()));
  const client = createTestClient(address);
  for (const afterMs of [0, 1, 3, 10, 40, 220]) {
    const abort = new AbortController();
    const source = await openSource(path, 'a', null);
    const body = await source.body({ onProgress: () => undefined, signal: abort.signal });
    const sending = client.uploadData('a', body, {
      lengthBytes: source.sizeBytes,
      classification: null,
      signal: abort.signal,
    });
    const outcome = sending.catch((cause: unknown) => cause);
    await setTimeout(afterMs);
    abort.abort();
    expect(await outcome).toMatchObject({ error: { code: 'cancelled' } });
    await source.close();
  }
  await eventually(async () => expect(await openFilesIn(folder)).toEqual([]));
});
