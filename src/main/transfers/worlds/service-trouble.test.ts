import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serviceId, startBench, until, type Bench } from '../../../../test-support/main/transfers/bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const makeItems = (count: number, bytes: Uint8Array | string = 'x') =>
  Promise.all(Array.from({ length: count }, (_, index) => bench.makeFile(`f${index}`, bytes)));
const states = async () =>
  (await bench.all()).toSorted((a, b) => a.id - b.id).map(({ state, waitingFor }) => waitingFor ?? state);
const posts = () => bench.server.requests.filter(({ method }) => method === 'POST').length;

describe('401', () => {
  test('everything waits and nothing more is sent until there is a new token', async () => {
    bench.server.plan = ({ method }) => (method === 'POST' ? { delayMs: 30, status: 401 } : null);
    await bench.upload(await makeItems(8, Buffer.alloc(300_000)));
    const transfers = await bench.settled();
    expect(transfers.map(({ state, waitingFor }) => `${state} ${waitingFor}`)).toEqual(
      Array(8).fill('waiting token'),
    );
    expect(posts()).toBeLessThanOrEqual(4);
    expect(bench.verdicts).toEqual(['tokenRefused']);
    expect(await bench.summary()).toMatchObject({
      tokenRefused: [serviceId],
      counts: { waiting: 8 },
      failed: 0,
    });

    bench.server.plan = () => null;
    bench.setToken(bench.server.token);
    await until(states).toEqual(Array(8).fill('done'));
    expect((await bench.summary()).tokenRefused).toEqual([]);
    expect(bench.server.objects.size).toBe(8);
  });

  test('a missing token has the same effect', async () => {
    bench.setToken(null);
    await bench.upload(await makeItems(2));
    await bench.settled();
    expect(await states()).toEqual(['token', 'token']);
    bench.setToken(bench.server.token);
    await until(states).toEqual(['done', 'done']);
  });
});

describe('429', () => {
  test('all slow down, Retry-After is respected, and nothing fails however long it lasts', async () => {
    const sentAtMs: number[] = [];
    bench.server.plan = () => {
      sentAtMs.push(bench.clock.monotonicMs());
      return sentAtMs.length <= 12 ? { status: 429, headers: { 'retry-after': '7' } } : null;
    };
    await bench.upload(await makeItems(6));
    await until(states).toEqual(Array(6).fill('done'));
    // Twelve refusals are at least three rounds of four, with seven seconds after each.
    expect((sentAtMs[12] ?? 0) - (sentAtMs[0] ?? 0)).toBeGreaterThanOrEqual(14_000);
  });

  test('shows until when it waits, and a person can end the wait', async () => {
    // Real delays, so that the wait does not end by itself.
    await bench.close();
    bench = await startBench({ times: 1 });
    bench.server.plan = ({ method, number }) =>
      method === 'POST' && number === 1 ? { status: 429, headers: { 'retry-after': '3000' } } : null;
    await bench.upload(await makeItems(1));
    await until(() => bench.all()).toMatchObject([
      { waitingFor: 'retry', error: { code: 'tooManyRequests' }, retryAtMs: expect.any(Number) },
    ]);
    await bench.engine.actions.retry({ kind: 'all' });
    await until(states).toEqual(['done']);
    expect(bench.engine.breakers.of(serviceId).heldUntilMs()).toBeNull();
  });
});

describe('5xx', () => {
  test('after the answer to an upload, only the comparison is retried', async () => {
    bench.server.plan = ({ method, number }) => (method === 'HEAD' && number < 3 ? { status: 500 } : null);
    await bench.upload(await makeItems(1));
    await bench.settled();
    expect(await states()).toEqual(['done']);
    expect(posts()).toBe(1);
  });
});

describe('a service that cannot be reached', () => {
  test('waits, and continues by itself when the service is back', async () => {
    const { port } = new URL(bench.server.baseAddress);
    await bench.server.close();
    await bench.upload(await makeItems(20));
    await until(async () => (await states()).includes('network')).toBe(true);
    await until(() => bench.verdicts).toEqual(['unreachable']);
    expect((await states()).filter((state) => state === 'failed')).toEqual([]);

    // The address answers again: 400 to everything is an answer like any other.
    const back = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(400).end());
    });
    await new Promise<void>((resolve) => back.listen(Number(port), '127.0.0.1', resolve));
    await until(states).toEqual(Array(20).fill('failed'));
    back.closeAllConnections();
    await new Promise((resolve) => back.close(resolve));
  });
});

describe('many transfers', () => {
  test('1,200 at once: a few at a time; cancelled ones leave no row', { tags: 'all' }, async () => {
    const item = await bench.makeFile('one', 'x');
    const items = Array.from({ length: 1200 }, (_, index) => ({ ...item, identifier: `many/${index}` }));
    let most = 0;
    const { server } = bench;
    server.plan = ({ method }) => {
      // This one is not counted yet.
      if (method === 'POST') most = Math.max(most, server.openUploads() + 1);
      return null;
    };
    let told = 0;
    bench.engine.onChanged(() => (told += 1));
    await bench.upload(items);
    // Some of them are enough; the rest is cancelled.
    await until(async () => (await bench.summary()).counts.done).toBeGreaterThan(50);
    await bench.engine.actions.cancel({ kind: 'all' });
    await until(async () => (await bench.summary()).counts.done).toBe(1200);
    expect(most).toBeLessThanOrEqual(4);
    await until(() => told).toBeGreaterThan(0);
    // The ends of a thousand cancelled transfers are written in batches.
    const lastRows = async () =>
      (await bench.engine.page({ tab: 'transfers', offset: 1_190, limit: 100 })).rows.length;
    await until(lastRows).toBe(10);
    expect(await bench.engine.page({ tab: 'transfers', offset: 1_190, limit: 100 })).toMatchObject({
      total: 1200,
      offset: 1_190,
    });
    expect(await bench.catalogue.idsInStates(serviceId, ['uploading'])).toEqual([]);
    // Uploads that had begun are checked at the service before they end.
    await until(() => bench.engine.unfinishedOf(serviceId)).toBe(0);
    await bench.engine.actions.clear('transfers', 'done');
    expect(await bench.engine.page({ tab: 'transfers', offset: 0, limit: 10 })).toMatchObject({
      total: 0,
      rows: [],
      summary: { fraction: null },
    });
  });
});

describe('retrying', () => {
  test('all that failed, requested twice', async () => {
    bench.server.plan = ({ method }) => (method === 'POST' ? { status: 403 } : null);
    const item = await bench.makeFile('one', 'x');
    const items = Array.from({ length: 12 }, (_, index) => ({ ...item, identifier: `many/${index}` }));
    await bench.upload(items);
    await until(async () => (await bench.summary()).failed).toBe(12);
    bench.server.plan = () => null;
    const retry = () => bench.engine.actions.retry({ kind: 'all' });
    await Promise.all([retry(), retry()]);
    await until(async () => (await bench.summary()).counts.done).toBe(12);
    expect(posts()).toBe(24);
    expect(await bench.catalogue.idsInStates(serviceId, ['stored'])).toHaveLength(12);
  });
});

describe('restarting', () => {
  test('finds out which open uploads are stored, no longer there, or not yet sent', async () => {
    let isClosed = false;
    bench.server.plan = ({ method, identifier }) => {
      if (identifier === 'up/f2') return { holdRequest: () => isClosed };
      return method === 'HEAD' ? { holdRequest: () => isClosed } : null;
    };
    await bench.upload(await makeItems(3));
    // The answers to the two that are stored have come.
    await until(() => bench.server.requests.filter(({ method }) => method === 'HEAD').length).toBe(2);
    const closed = bench.engine.close();
    bench.server.objects.delete('up/f1');
    await closed;
    isClosed = true;
    bench.server.plan = () => null;
    await bench.restart();
    const transfers = await bench.settled();
    expect(transfers.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
    expect(await bench.rowOf('up/f0')).toMatchObject({ state: 'stored', lengthBytes: 1 });
    expect(await bench.rowOf('up/f1')).toMatchObject({ state: 'missing' });
  });
});

describe('a removed service', () => {
  test('loses its transfers too', async () => {
    bench.server.plan = ({ method }) => (method === 'POST' ? { holdRequest: () => false } : null);
    await bench.upload(await makeItems(6));
    await until(posts).toBe(4);
    await bench.engine.removeService(serviceId);
    expect(await bench.all()).toEqual([]);
  });
});

describe('cancelling an upload', () => {
  test('before anything was sent: its new row goes, and comes back when it is started again', async () => {
    bench.server.plan = ({ method }) => (method === 'POST' ? { holdRequest: () => false } : null);
    await bench.upload(await makeItems(6));
    await until(posts).toBe(4);
    await bench.engine.actions.cancel({ kind: 'all' });
    await until(states).toEqual(Array(6).fill('cancelled'));
    await until(async () => [await bench.rowOf('up/f4'), await bench.rowOf('up/f5')]).toEqual([
      undefined,
      undefined,
    ]);
    bench.server.plan = () => null;
    const last = (await bench.all()).find(({ identifier }) => identifier === 'up/f5');
    await bench.engine.actions.retry({ kind: 'ids', ids: [last?.id ?? 0] });
    await until(async () => (await bench.rowOf('up/f5'))?.state).toBe('stored');
    expect(await bench.all()).toHaveLength(6);
  });

  test('while it runs: finds out what the service has', async () => {
    bench.server.plan = ({ method, identifier }) => {
      if (method !== 'POST') return null;
      return identifier === 'up/f1' ? { holdRequest: () => false } : { cutAnswerAtBytes: 0, cutBy: 'stall' };
    };
    await bench.upload(await makeItems(3));
    await until(posts).toBe(3);
    await until(() => bench.server.objects.size).toBe(2);
    bench.server.plan = () => null;
    await bench.engine.actions.cancel({ kind: 'all' });
    await until(states).toEqual(Array(3).fill('cancelled'));
    await until(async () => (await bench.rowOf('up/f0'))?.state).toBe('stored');
    await until(async () => (await bench.rowOf('up/f1'))?.state).toBe('failed');
    expect(await bench.rowOf('up/f2')).toMatchObject({ lengthBytes: 1, classification: null });
  });
});
