import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBench, type Bench } from '../../../../test-support/main/transfers/bench.ts';

/** What support reads (docs/troubleshooting.md). */
let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const elapsedMs: unknown = expect.any(Number);

test('logs each step of a transfer with its duration and attempt', async () => {
  const [id] = await bench.upload([await bench.makeFile('a.txt', 'a')]);
  await bench.settled();
  const step = { id, direction: 'upload', elapsedMs, attempt: 1 };
  expect(bench.informed).toEqual([
    { message: 'transfer step', details: { ...step, from: 'sending', to: 'verifying' } },
    { message: 'transfer step', details: { ...step, from: 'verifying', to: 'done' } },
  ]);
});

test('logs a step that fails with the error, its attempt, and when the next one follows', async () => {
  bench.server.plan = ({ method }) => (method === 'POST' ? { status: 500 } : null);
  const [id] = await bench.upload([await bench.makeFile('a.txt', 'a')]);
  await bench.settled();
  const failed = { id, direction: 'upload', error: 'serverError', delayMs: expect.any(Number) as number };
  expect(bench.informed).toContainEqual({
    message: 'transfer step failed',
    details: { ...failed, state: 'unsure', attempt: 1 },
  });
  expect(bench.informed.at(-1)).toMatchObject({
    message: 'transfer step',
    details: { id, to: 'failed', error: 'serverError', attempt: 6 },
  });
});
