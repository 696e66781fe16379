import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { expect, test } from 'vitest';

import {
  cleanLater,
  makeFolder,
  TestClient,
  testMasterKey,
  testToken,
} from '../../test-support/local-service/test-service.ts';
import type { WorkerCommand, WorkerOptions } from './worker.ts';

function startWorker(workerData: WorkerOptions): Worker {
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData });
  cleanLater(async () => void (await worker.terminate()));
  return worker;
}

test('listens, closes on command, and a second one in the same folder reports the conflict', async () => {
  const options = { dataFolder: await makeFolder(), token: testToken, masterKey: testMasterKey };
  const worker = startWorker(options);
  const [listening] = await once(worker, 'message');
  expect(listening).toEqual({ type: 'listening', port: expect.any(Number), setAside: null });
  const address = `http://127.0.0.1:${listening.port}`;
  expect((await new TestClient(address).send('POST', '/api/data/x', 'x')).status).toBe(200);

  const second = startWorker(options);
  const ended = once(second, 'exit');
  expect(await once(second, 'message')).toEqual([{ type: 'failed', problem: 'inUse' }]);
  expect(await ended).toEqual([0]);

  const closed = once(worker, 'exit');
  worker.postMessage({ type: 'close' } satisfies WorkerCommand);
  expect(await closed).toEqual([0]);
  // A kept-alive connection may not have noticed yet.
  await expect(new TestClient(address).send('HEAD', '/api/data/x')).rejects.toThrow('ECONNREFUSED');
});
