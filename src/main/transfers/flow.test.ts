import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { profileId, startBench, until, type Bench } from './testing.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const makeItems = (count: number, bytes: Uint8Array | string = 'x') =>
  Promise.all(Array.from({ length: count }, (_, index) => bench.makeFile(`f${index}`, bytes)));
const states = () => bench.all().map(({ state, waitingFor }) => waitingFor ?? state);
const isRetrying = () => bench.all().some(({ waitingFor }) => waitingFor === 'retry');

describe('401', () => {
  test('everything waits, what runs stops, and a new token resumes it all', async () => {
    const items = await makeItems(8, Buffer.alloc(300_000));
    const id = await bench.store('d', Buffer.alloc(100_000));
    bench.server.plan = ({ method, identifier }) => {
      // The download is under way when the upload is refused.
      if (identifier === 'd') return { drip: { pieceBytes: 5000, pauseMs: 5 } };
      return method === 'POST' ? { delayMs: 30, status: 401 } : null;
    };
    await bench.transfers.enqueueDownloads(profileId, [id], { saveAsPath: null });
    await bench.transfers.enqueueUploads(profileId, items);
    const transfers = await bench.settled();
    expect(transfers.map(({ state, waitingFor }) => `${state} ${waitingFor}`)).toEqual(
      Array(9).fill('waiting token'),
    );
    expect(bench.verdicts).toEqual(['tokenRefused']);
    expect(bench.transfers.summary()).toMatchObject({
      tokenRefused: [profileId],
      counts: { waiting: 9 },
      failed: 0,
    });

    bench.server.plan = () => null;
    bench.setToken(bench.server.token);
    await until(states).toEqual(Array(9).fill('done'));
    expect(bench.transfers.summary().tokenRefused).toEqual([]);
    expect(bench.server.objects.size).toBe(9);
  });

  test('no token at all is the same', async () => {
    bench.setToken(null);
    await bench.transfers.enqueueUploads(profileId, await makeItems(2));
    await bench.settled();
    expect(states()).toEqual(['token', 'token']);
    bench.setToken(bench.server.token);
    await until(states).toEqual(['done', 'done']);
  });
});

describe('429', () => {
  test('all slow down, Retry-After is respected, nothing fails however long it goes on', async () => {
    const sentAtMs: number[] = [];
    bench.server.plan = () => {
      sentAtMs.push(bench.clock.monotonicMs());
      return sentAtMs.length <= 12 ? { status: 429, headers: { 'retry-after': '7' } } : null;
    };
    await bench.transfers.enqueueUploads(profileId, await makeItems(6));
    await until(() =>
      bench.transfers.page(0, 10).rows.find(({ waitingFor }) => waitingFor === 'retry'),
    ).toMatchObject({
      error: { code: 'tooManyRequests' },
      retryAtMs: expect.any(Number),
    });
    await until(states).toEqual(Array(6).fill('done'));
    // Twelve refusals are at least three rounds of four, with seven seconds after each.
    const firstMs = sentAtMs[0] ?? 0;
    expect((sentAtMs[12] ?? 0) - firstMs).toBeGreaterThanOrEqual(14_000);
  });

  test('a person need not wait', async () => {
    bench.server.plan = ({ method, number }) =>
      method === 'POST' && number === 1 ? { status: 429, headers: { 'retry-after': '3000' } } : null;
    await bench.transfers.enqueueUploads(profileId, await makeItems(1));
    await until(isRetrying).toBe(true);
    await bench.transfers.retry('all');
    await until(states).toEqual(['done']);
    expect(bench.pacer.heldUntilMs(profileId)).toBeNull();
  });
});

describe('5xx', () => {
  test('a handful of tries, then failed; the others go on', async () => {
    bench.server.plan = ({ identifier, method }) =>
      identifier === 'up/f0' && method === 'POST' ? { status: 503 } : null;
    await bench.transfers.enqueueUploads(profileId, await makeItems(3));
    const transfers = await bench.settled();
    expect(transfers.map(({ state }) => state)).toEqual(['failed', 'done', 'done']);
    expect(transfers[0]?.error).toMatchObject({ code: 'serverError', status: 503 });
    const tries = bench.server.requests.filter(
      ({ method, identifier }) => method === 'POST' && identifier === 'up/f0',
    );
    expect(tries).toHaveLength(6);
    // HEAD has found nothing: it never arrived.
    await until(async () => (await bench.rowOf('up/f0'))?.state).toBe('failed');
  });

  test('after the answer to an upload, only the comparison is tried again', async () => {
    bench.server.plan = ({ method, number }) => (method === 'HEAD' && number < 3 ? { status: 500 } : null);
    await bench.transfers.enqueueUploads(profileId, await makeItems(1));
    await bench.settled();
    expect(states()).toEqual(['done']);
    expect(bench.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('not there', () => {
  test('waits, and goes on by itself when the service is back', async () => {
    const { port } = new URL(bench.server.baseAddress);
    await bench.server.close();
    await bench.transfers.enqueueUploads(profileId, await makeItems(20));
    await until(isRetrying).toBe(true);
    await until(() => bench.verdicts).toEqual(['unreachable']);
    expect(states().filter((state) => state === 'failed')).toEqual([]);

    // Something answers again under the same address: 400 to everything is an answer like any other.
    const back = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(400).end());
    });
    await new Promise<void>((resolve) => back.listen(Number(port), '127.0.0.1', resolve));
    expect((back.address() as AddressInfo).port).toBe(Number(port));
    await until(states).toEqual(Array(20).fill('failed'));
    back.closeAllConnections();
    await new Promise((resolve) => back.close(resolve));
  });
});

describe('many', () => {
  test('10,000 at once: nothing stands still, four at a time, all arrive', { timeout: 120_000 }, async () => {
    const item = await bench.makeFile('one', 'x');
    const items = Array.from({ length: 10_000 }, (_, index) => ({ ...item, identifier: `many/${index}` }));
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, bench.transfers.summary().counts.moving);
    }, 5);
    let told = 0;
    bench.transfers.onChanged(() => (told += 1));
    await bench.transfers.enqueueUploads(profileId, items);
    // A part of them is enough to see; the rest is taken back.
    await until(() => bench.transfers.summary().counts.done).toBeGreaterThan(300);
    await bench.transfers.cancel('all');
    await until(() => bench.transfers.summary().counts.done).toBe(10_000);
    clearInterval(watch);
    expect(most).toBeLessThanOrEqual(4);
    expect(told).toBeGreaterThan(0);
    const page = bench.transfers.page(9_990, 100);
    expect(page).toMatchObject({ total: 10_000, offset: 9_990 });
    expect(page.rows).toHaveLength(10);
    expect(await bench.catalogue.idsInStates(profileId, ['uploading'])).toEqual([]);
    bench.transfers.clear('done');
    expect(bench.transfers.page(0, 10)).toMatchObject({ total: 0, rows: [], summary: { fraction: null } });
  });
});

describe('trying again', () => {
  test('all that failed, asked for twice', async () => {
    bench.server.plan = ({ method }) => (method === 'POST' ? { status: 403 } : null);
    const item = await bench.makeFile('one', 'x');
    const items = Array.from({ length: 700 }, (_, index) => ({ ...item, identifier: `many/${index}` }));
    await bench.transfers.enqueueUploads(profileId, items);
    await until(() => bench.transfers.summary().failed).toBe(700);
    bench.server.plan = () => null;
    await Promise.all([bench.transfers.retry('all'), bench.transfers.retry('all')]);
    await until(() => bench.transfers.summary().counts.done).toBe(700);
    expect(bench.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1400);
    expect(await bench.catalogue.idsInStates(profileId, ['stored'])).toHaveLength(700);
  });
});

describe('starting again', () => {
  test('what was left open is found out: there, not there, or somebody else’s', async () => {
    const items = await makeItems(3);
    bench.server.plan = ({ method, identifier }) => {
      if (identifier === 'up/f2') return { holdRequest: () => false };
      return method === 'HEAD' ? { delayMs: 300 } : null;
    };
    await bench.transfers.enqueueUploads(profileId, items);
    await until(() => bench.server.objects.size).toBe(2);
    const deleting = await bench.store('deleting', 'x', { state: 'deleting' });
    const transfers = await bench.restart();
    bench.server.plan = () => null;
    bench.server.objects.delete('up/f1');
    await transfers.recover(profileId);
    expect(await bench.rowOf('up/f0')).toMatchObject({ state: 'stored', lengthBytes: 1 });
    expect(await bench.rowOf('up/f1')).toMatchObject({ state: 'failed' });
    expect(await bench.catalogue.getMany([deleting])).toMatchObject([{ state: 'deleting' }]);
  });

  test('without the service they stay unknown, until it is ready', async () => {
    await bench.catalogue.add(profileId, [{ kind: 'data', identifier: 'a', patch: { state: 'uploading' } }]);
    await bench.store('a', 'x', null);
    bench.setToken('refused');
    await bench.transfers.recover(profileId);
    expect(await bench.rowOf('a')).toMatchObject({ state: 'unknown' });
    expect(bench.verdicts).toEqual(['tokenRefused']);
    bench.setToken(bench.server.token);
    await until(() => bench.rowOf('a')).toMatchObject({ state: 'stored', lengthBytes: 1 });
  });
});

describe('a profile that goes', () => {
  test('takes its transfers along', async () => {
    bench.server.plan = () => ({ holdRequest: () => false });
    await bench.transfers.enqueueUploads(profileId, await makeItems(6));
    await until(() => bench.transfers.summary().counts.moving).toBe(4);
    await bench.transfers.removeProfile(profileId);
    expect(bench.all()).toEqual([]);
  });
});

describe('cancelling an upload', () => {
  test('before anything was sent: its new row goes, and comes back when it is started again', async () => {
    bench.server.plan = () => ({ holdRequest: () => false });
    await bench.transfers.enqueueUploads(profileId, await makeItems(6));
    await until(() => bench.transfers.summary().counts.moving).toBe(4);
    await bench.transfers.cancel('all');
    await until(states).toEqual(Array(6).fill('cancelled'));
    await until(async () => [await bench.rowOf('up/f4'), await bench.rowOf('up/f5')]).toEqual([
      undefined,
      undefined,
    ]);
    bench.server.plan = () => null;
    const last = bench.all().find(({ identifier }) => identifier === 'up/f5');
    await bench.transfers.retry([last?.id ?? 0]);
    await until(async () => (await bench.rowOf('up/f5'))?.state).toBe('stored');
    expect(bench.all()).toHaveLength(6);
  });

  test('under way: what the service has is found out', async () => {
    bench.server.plan = ({ method, identifier }) => {
      if (identifier === 'up/f1') return { holdRequest: () => false };
      return method === 'POST' ? { cutAnswerAtBytes: 0, cutBy: 'stall' } : null;
    };
    await bench.transfers.enqueueUploads(profileId, await makeItems(3));
    await until(() => bench.server.objects.size).toBe(2);
    bench.server.plan = () => null;
    await bench.transfers.cancel('all');
    await until(states).toEqual(Array(3).fill('cancelled'));
    await until(async () => (await bench.rowOf('up/f0'))?.state).toBe('stored');
    await until(async () => (await bench.rowOf('up/f1'))?.state).toBe('failed');
    expect(await bench.rowOf('up/f2')).toMatchObject({ lengthBytes: 1, classification: null });
  });
});
