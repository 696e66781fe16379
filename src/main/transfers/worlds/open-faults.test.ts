import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AppError } from '../../../shared/errors.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { createCircuitBreaker } from '../queue/circuit-breaker.ts';
import { startBench } from '../../../../test-support/main/transfers/bench.ts';
import { createVirtualClock } from '../../../../test-support/main/transfers/virtual-clock.ts';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';
import { openGate, smallRequest } from '../../../../test-support/main/transfers/gate.ts';

/** Behaviour that was once wrong or missing, described as a person sees it. */

const minuteMs = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

const jobStates = async () => (await world.jobs()).map(({ state }) => state);

test('a secret arrives that is stored while nothing else runs', async () => {
  await world.storeSecret();
  await world.clock.advance(minuteMs);
  expect(await jobStates()).toEqual(['done']);
  expect(await world.rowOf('secret/1', 'secret')).toMatchObject({ state: 'stored' });
});

test('a secret stored again under the identifier of a cancelled one: the list does not describe the wrong one', async () => {
  world.service.processingMs = 5000;
  await storeSecret('key', 'first');
  await world.clock.advance(1000);
  await world.settle(world.engine.actions.cancel({ kind: 'all', tab: 'jobs' }));
  await world.clock.advance(minuteMs);
  world.service.settle();
  expect(Buffer.from(world.service.secrets.get('key') ?? '').toString()).toBe('first');
  await storeSecret('key', 'the second');
  await world.clock.advance(minuteMs);
  expect(Buffer.from(world.service.secrets.get('key') ?? '').toString()).toBe('first');
  const row = await world.rowOf('key', 'secret');
  expect(row?.state).toBe('unknown');
  expect(row?.lengthBytes).not.toBe('the second'.length);
});

/** Stores a secret while the service is held, so that its value is in memory before its turn comes. */
async function storeSecret(identifier: string, value: string): Promise<void> {
  const breaker = world.engine.breakers.of(serviceId);
  breaker.reportFailure(0, new AppFailure({ code: 'unreachable', host: 'x', reason: 'refused' }));
  const secret = { identifier, classification: null, value: Buffer.from(value), sourceName: null };
  await world.engine.enqueue.storeSecret(serviceId, secret);
  breaker.release();
}

test('500 for one object: a few tries, then failed; the others continue', async () => {
  const bench = await startBench();
  try {
    bench.server.plan = ({ identifier, method }) =>
      identifier === 'up/f0' && method === 'POST' ? { status: 500 } : null;
    await bench.upload(await Promise.all(['f0', 'f1', 'f2'].map((name) => bench.makeFile(name, 'x'))));
    const transfers = await bench.settled();
    expect(transfers.map(({ state }) => state)).toEqual(['failed', 'done', 'done']);
    expect(transfers[0]?.error).toMatchObject({ code: 'serverError', status: 500 });
    const posts = bench.server.requests.filter(
      ({ method, identifier }) => method === 'POST' && identifier === 'up/f0',
    );
    expect(posts).toHaveLength(6);
    // HEAD finds nothing: the upload never arrived.
    expect((await bench.rowOf('up/f0'))?.state).toBe('failed');
  } finally {
    await bench.close();
  }
});

test('retries a download that breaks off at the announced time, not a minute later', async () => {
  world.service.put('a', Buffer.from('bytes'), 'stranger');
  world.setWeather({ kind: 'cutting' });
  await world.download('a');
  await world.clock.advance(100);
  world.setWeather({ kind: 'fine' });
  await world.clock.advance(5000);
  expect((await world.transfers()).map(({ state }) => state)).toEqual(['done']);
});

test('"files at a time" limits deferred results too', async () => {
  world.settings = { ...world.settings, transfersAtOnce: 1 };
  world.service.answerMs = 300;
  for (let number = 0; number < 12; number += 1) {
    world.service.put(`d/${number}`, Buffer.from(`bytes of d/${number}`), 'stranger');
    await world.upload(`u/${number}`);
    await world.download(`d/${number}`, 'deferred');
  }
  await world.clock.advance(10 * minuteMs);
  expect(world.service.maxBodies).toBe(1);
});

test('an answer to a request from before a 429 does not end the wait that the 429 asked for', async () => {
  const clock = createVirtualClock();
  const breaker = createCircuitBreaker({
    serviceId,
    clock,
    gate: openGate(clock),
    limits: { takeRequest: () => undefined, slowsUploads: () => false },
    random: () => 0.5,
    report: () => undefined,
    onChanged: () => undefined,
  });
  const signal = new AbortController().signal;
  const answer = Promise.withResolvers<void>();
  const earlier = breaker.send(smallRequest(1), signal, () => answer.promise);
  const busy: AppError = { code: 'tooManyRequests', status: 429, retryAfterMs: 120_000 };
  await breaker
    .send(smallRequest(2), signal, () => Promise.reject(new AppFailure(busy)))
    .catch(() => undefined);
  answer.resolve();
  await earlier;
  expect(breaker.isClosed()).toBe(false);
  expect((breaker.heldUntilMs() ?? 0) - clock.nowMs()).toBe(120_500);
});

test('a row has the activity token of its deletion', async () => {
  world.service.put('a', Buffer.from('bytes'), 'stranger');
  await world.know('a');
  await world.delete('a');
  await world.clock.advance(minuteMs);
  expect(await world.rowOf('a')).toMatchObject({ state: 'gone', activityToken: 'a' });
});

test('finishes after the start a direct download that was killed before its file got its name', async () => {
  world.service.put('a', Buffer.from('bytes'), 'stranger');
  const breaker = world.engine.breakers.of(serviceId);
  breaker.reportFailure(0, new AppFailure({ code: 'unreachable', host: 'x', reason: 'refused' }));
  await world.download('a');
  const store = world.database.transfers;
  const origin = world.service.origin;
  const [record] = await store.claim({ serviceId, queue: 'small', limit: 1, includesIdle: true, origin });
  const temporaryPath = join(world.folder, 'downloads', '.a.part');
  await writeFile(temporaryPath, 'bytes');
  const whole = { temporaryPath, fileName: 'a', lengthBytes: 5, sha256: sha256Of('bytes') };
  const facts = { verifiedBy: 'length', replaces: false, epoch: null, deferred: null } as const;
  await store.apply([{ id: record?.id ?? 0, change: { state: { name: 'publishing', whole, ...facts } } }]);
  await world.kill(0);
  await world.clock.advance(5 * minuteMs);
  expect((await world.transfers()).map(({ state }) => state)).toEqual(['done']);
  expect(await readFile(join(world.folder, 'downloads', 'a'), 'utf8')).toBe('bytes');
});

test('shows an upload as uploading while its bytes are being sent', async () => {
  world.service.answerMs = 10_000;
  await world.upload('a');
  await world.clock.advance(1000);
  expect(world.service.requests.map(({ what }) => what)).toEqual(['POST']);
  expect((await world.engine.page({ tab: 'transfers', offset: 0, limit: 1 })).rows).toMatchObject([
    { state: 'uploading', waitingFor: null },
  ]);
  expect(
    (await world.engine.page({ tab: 'transfers', offset: 0, limit: 1 })).summary.transfers.counts,
  ).toMatchObject({
    moving: 1,
    waiting: 0,
  });
});

test('keeps checking for an abandoned upload while every request is answered with an error', async () => {
  await world.upload('a');
  world.setWeather({ kind: 'errors' });
  await world.clock.advance(60 * 60_000);
  expect(world.service.requests.length).toBeLessThan(60);
  expect(await world.unfinished()).toBe(0);
  expect((await world.transfers()).map(({ state }) => state)).toEqual(['failed']);
});
