import { beforeEach, describe, expect, test } from 'vitest';
import {
  describeLimit,
  limitOfSeed,
  type ServiceLimit,
} from '../../../../test-support/main/transfers/service-limit.ts';
import { SimulatedService } from '../../../../test-support/main/transfers/simulated-service.ts';
import {
  createVirtualClock,
  type VirtualClock,
} from '../../../../test-support/main/transfers/virtual-clock.ts';

const refusal = { code: 'tooManyRequests', status: 429, retryAfterMs: null } as const;
let clock: VirtualClock;
let service: SimulatedService;
beforeEach(() => {
  clock = createVirtualClock();
  service = new SimulatedService(clock, 'https://one', 'token-one');
  service.answerMs = 20;
});

const alive = () => service.client(() => true);
const post = (id: string, client = alive()) =>
  client.uploadData(id, Buffer.from('bytes'), { lengthBytes: 5, classification: null });
async function outcomes(...requests: Promise<unknown>[]): Promise<unknown[]> {
  const ended = Promise.all(
    requests.map((request) => request.then(() => 'done').catch(({ error }: { error: unknown }) => error)),
  );
  await clock.advance(100);
  return ended;
}

describe('so many at once', () => {
  beforeEach(() => {
    service.limit = { counts: 'atOnce', most: 2, refusal };
  });

  test('refuses one more without any effect, until one of them is answered', async () => {
    expect(await outcomes(post('a'), post('b'), post('c'))).toEqual(['done', 'done', refusal]);
    expect([...service.versions.keys()].toSorted()).toEqual(['a', 'b']);
    expect(await outcomes(post('c'))).toEqual(['done']);
    const deletions = ['a', 'b', 'c'].map((id) => alive().deleteData(id));
    expect(await outcomes(...deletions)).toEqual(['done', 'done', refusal]);
    expect(['a', 'b', 'c'].filter((id) => service.get(id))).toEqual(['c']);
  });

  test('a download counts until its body is closed', async () => {
    service.put('a', Buffer.from('bytes'), 'stranger');
    const got = Promise.all([alive().downloadData('a'), alive().downloadData('a')]);
    await clock.advance(100);
    const [first, second] = await got;
    expect(await outcomes(alive().headData('a'))).toEqual([refusal]);
    first.body.destroy();
    await second.body.toArray();
    await clock.advance(0);
    expect(await outcomes(alive().headData('a'), alive().headData('a'))).toEqual(['done', 'done']);
  });

  test('the requests of a killed process do not count', async () => {
    let isAlive = true;
    const client = service.client(() => isAlive);
    void post('a', client);
    void post('b', client);
    await clock.advance(0);
    isAlive = false;
    expect(await outcomes(post('c'), post('d'))).toEqual(['done', 'done']);
  });

  test('the refusal can be lost like any answer, and a service out of reach refuses nothing', async () => {
    service.weather = { kind: 'lossy' };
    expect(await outcomes(post('a'), post('b'), post('c'))).toEqual(
      Array(3).fill(expect.objectContaining({ code: 'connectionLost', outcomeUnknown: true })),
    );
    expect([...service.versions.keys()].toSorted()).toEqual(['a', 'b']);
    service.weather = { kind: 'unreachable' };
    expect(await outcomes(post('a'), post('b'), post('c'))).toEqual(
      Array(3).fill(expect.objectContaining({ code: 'unreachable' })),
    );
  });
});

test('so many a second: refuses one more until a second has passed', async () => {
  service.limit = { counts: 'perSecond', most: 3, refusal };
  expect(await outcomes(post('a'), post('b'))).toEqual(['done', 'done']);
  await clock.advance(500);
  expect(await outcomes(post('c'), post('d'))).toEqual(['done', refusal]);
  await clock.advance(300);
  // The first two were a second ago.
  expect(await outcomes(post('d'), post('e'), post('f'))).toEqual(['done', 'done', refusal]);
  expect([...service.versions.keys()].toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('the seed alone decides on the limit', () => {
  const limits = Array.from({ length: 4000 }, (_, seed) => limitOfSeed(seed));
  expect(Array.from({ length: 4000 }, (_, seed) => limitOfSeed(seed))).toEqual(limits);
  const of = (counts: ServiceLimit['counts']) =>
    limits.filter((limit) => limit?.counts === counts).map((limit) => limit?.most ?? 0);
  expect(limits.filter((limit) => limit === null).length / limits.length).toBeCloseTo(0.5, 1);
  expect([Math.min(...of('atOnce')), Math.max(...of('atOnce'))]).toEqual([2, 12]);
  expect([Math.min(...of('perSecond')), Math.max(...of('perSecond'))]).toEqual([8, 40]);
  const words = new Set(limits.map((limit) => describeLimit(limit).replace(/\d+ req/, 'N req')));
  expect([...words].toSorted()).toEqual([
    'takes N requests a second, then answers 429',
    'takes N requests at once, then answers 429',
    ...[1, 2, 3, 4, 5].map((seconds) => `takes N requests at once, then answers 429, Retry-After ${seconds}`),
    'takes N requests at once, then answers 503',
    'takes all requests',
  ]);
});
