import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startInMemory } from '../../../test-support/command/in-process.ts';
import { createQuickClock, makeTestFolder } from '../../../test-support/main/test-ports.ts';

/** Which answer says that there is no such secret: the interface has no HEAD for them. */
type Says = 'start' | 'check' | 'fetch' | 'result';

/** A service whose secret is there from the request with this number on. */
async function serve(says: Says, thereFrom: number) {
  let starts = 0;
  const server = createServer((request, response) => {
    const [, , , , step] = request.url?.split('/') ?? [];
    if (step === 'start') starts += 1;
    const isThere = starts >= thereFrom;
    if (request.method === 'HEAD' || (step === says && !isThere)) return response.writeHead(404).end();
    response.setHeader('content-type', step === 'fetch' ? 'application/octet-stream' : 'application/json');
    if (step === 'fetch') return response.end('the value');
    const result =
      isThere || says === 'fetch' ? { success: true, status: 200 } : { success: false, status: 404 };
    return response.end(
      JSON.stringify(
        step === 'start' ? { DeferredToken: `t${starts}` } : { ...result, message: '', activityToken: 'a' },
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const cwd = await makeTestFolder();
  const { port } = server.address() as AddressInfo;
  const env = { HOME: cwd, TMPDIR: cwd, COFFER_ADDRESS: `http://127.0.0.1:${port}`, COFFER_TOKEN: 'token' };
  const clock = createQuickClock(50);
  return async (...words: string[]) => {
    starts = 0;
    const beganMs = clock.monotonicMs();
    const running = startInMemory(words, { cwd, env, clock });
    running.end();
    const code = await running.ended;
    const tookMs = clock.monotonicMs() - beganMs;
    return { code, stdout: running.stdout(), stderr: running.stderr(), starts, tookMs };
  };
}

test.each<Says>(['start', 'check', 'fetch', 'result'])(
  'a secret is said to be missing when two requests found it so (%s)',
  async (says) => {
    const coffer = await serve(says, Infinity);
    expect(await coffer('secret', 'get', 'pw')).toMatchObject({
      code: 3,
      stdout: '',
      starts: 2,
      stderr: expect.stringMatching(
        /^pw: not found at 127\.0\.0\.1.*, which was asked again\. .*--wait SECONDS\.\n$/,
      ),
    });
    const waited = await coffer('secret', 'get', 'pw', '--wait', '30');
    expect(waited.code).toBe(3);
    expect(waited.starts).toBeGreaterThan(2);
    expect(waited.tookMs).toBeGreaterThan(30_000);
  },
);

test('reads a secret that the service lists late', async () => {
  const coffer = await serve('check', 2);
  expect(await coffer('secret', 'get', 'pw')).toMatchObject({ code: 0, stdout: 'the value' });
});
