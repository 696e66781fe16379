import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { distinctBytes } from '../../../../test-support/main/local-files/testing.ts';
import { serviceId, startBench, type Bench } from '../../../../test-support/main/transfers/bench.ts';
import {
  besides,
  failuresOf,
  oldText,
  replacedId as id,
  runReplace,
  someMishaps,
  textAt,
  untilOver,
} from '../../../../test-support/main/transfers/replace-world.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** Another classification: the object is replaced by its own bytes (docs/replace.md). */

const steps = 110;
const requests = 19;
const parts = 3;

async function failuresOfPart(part: number) {
  const meant = [...someMishaps(steps, requests)].filter((_, index) => index % parts === part);
  return failuresOf(meant.map((mishap) => ({ ...mishap, reclassifies: true })));
}

test('killed at requests and durable writes, in every weather and with strangers, it holds its invariants', async () => {
  expect(await failuresOfPart(2)).toEqual([]);
});

test.each([0, 1])(
  'killed at other requests and durable writes, in every weather and with strangers, it holds its invariants (%i)',
  { tags: 'all' },
  async (part) => {
    expect(await failuresOfPart(part)).toEqual([]);
  },
);

test.each([1, 2, 3, 4, 5, 6])(
  'killed at step %i, before it has read anything, it starts over',
  async (stopsAt) => {
    await expect(runReplace({ reclassifies: true, stopsAt })).resolves.toBeDefined();
  },
);

test('copies the object again without its copy before it deletes it', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.put(id, Buffer.from(oldText), 'stranger', 'Internal');
  await world.know(id);
  let isFirst = true;
  world.service.beforeRequest = (what, identifier) => {
    const [copy] = besides(world);
    if (what !== 'GET' || identifier !== id || copy === undefined || !isFirst) return;
    isFirst = false;
    world.service.remove(copy, 'stranger');
  };
  await world.reclassify(id, 'Secret');
  await untilOver(world);
  await world.look();
  expect(isFirst).toBe(false);
  expect(await world.transfers()).toMatchObject([{ state: 'done' }]);
  expect([textAt(world), world.service.classificationOf(id)]).toEqual([oldText, 'Secret']);
  expect(besides(world)).toEqual([]);
});

test('a deletion that may still take effect keeps the copy, which is in the list', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.put(id, Buffer.from(oldText), 'stranger', 'Internal');
  await world.know(id);
  world.service.lostDeletions = 1;
  await world.reclassify(id, 'Secret');
  await untilOver(world);
  await world.look();
  const [copy = '', ...others] = besides(world);
  expect(others).toEqual([]);
  expect([textAt(world), textAt(world, copy)]).toEqual([oldText, oldText]);
  expect(await world.rowOf(copy)).toMatchObject({ state: 'stored', classification: 'Secret' });
});

test('an object that a stranger stores meanwhile stays, and the copy of the former bytes is in the list', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.put(id, Buffer.from(oldText), 'stranger', 'Internal');
  await world.know(id);
  let isFirst = true;
  world.service.beforeRequest = (what) => {
    if (what !== 'DELETE' || !isFirst) return;
    isFirst = false;
    world.service.remove(id, 'stranger');
    world.service.deletionMs = 0;
  };
  world.service.weatherOf = (what) => {
    if (what === 'POST' && !isFirst && world.service.peek(id) === undefined)
      world.service.put(id, Buffer.from('by a stranger'), 'stranger');
    return null;
  };
  await world.reclassify(id, 'Secret');
  await untilOver(world);
  await world.look();
  const [copy = '', ...others] = besides(world);
  expect(others).toEqual([]);
  expect(await world.transfers()).toMatchObject([
    { state: 'failed', error: { code: 'objectChanged', copy } },
  ]);
  expect([textAt(world), textAt(world, copy)]).toEqual(['by a stranger', oldText]);
  expect(await world.rowOf(copy)).toMatchObject({ state: 'stored', classification: 'Secret' });
});

let bench: Bench;
beforeEach(async () => {
  bench = await startBench({ maxObjectBytes: 8_000 });
});
afterEach(() => bench.close());

async function reclassify(classification: string | null, ...identifiers: string[]): Promise<number> {
  const rows = await Promise.all(identifiers.map((identifier) => bench.rowOf(identifier)));
  const ids = rows.flatMap((row) => row?.id ?? []);
  return (await bench.engine.enqueue.reclassify(serviceId, ids, classification)).length;
}

test('changes only the classification, on the service and in the list', async () => {
  await bench.store('up/a.txt', 'as it was', {
    classification: 'Secret',
    storedAtMs: 1,
    sourceName: 'mine.txt',
    note: 'mine',
  });
  expect(await reclassify('Internal', 'up/a.txt')).toBe(1);
  expect(await bench.settled()).toMatchObject([
    {
      state: 'done',
      outcome: {
        kind: 'stored',
        verifiedBy: 'digest',
        classification: 'Internal',
        classifiedFrom: 'Secret',
      },
    },
  ]);
  expect(bench.server.objects.get('up/a.txt')).toMatchObject({ classification: 'Internal' });
  expect(bench.server.objects.get('up/a.txt')?.bytes.toString()).toBe('as it was');
  expect([...bench.server.objects.keys()]).toEqual(['up/a.txt']);
  expect(await bench.rowOf('up/a.txt')).toMatchObject({
    state: 'stored',
    classification: 'Internal',
    sourceName: 'mine.txt',
    note: 'mine',
  });
});

test('leaves out objects that have it already or are not stored', async () => {
  await bench.store('has', 'x', { classification: 'Internal' });
  await bench.store('away', 'x', { state: 'missing' });
  await bench.store('gone', 'x', { state: 'gone' });
  await bench.store('other', 'x', { classification: null });
  expect(await reclassify('Internal', 'has', 'away', 'gone', 'other')).toBe(1);
  expect(await bench.settled()).toMatchObject([{ identifier: 'other', state: 'done' }]);
});

test('an object whose bytes are not those of the list stays as it is', async () => {
  await bench.store('a', 'changed by somebody', { classification: 'Secret', sha256: 'ab'.repeat(32) });
  await reclassify('Internal', 'a');
  expect(await bench.settled()).toMatchObject([
    { state: 'failed', error: { code: 'objectChanged', copy: null } },
  ]);
  expect([...bench.server.objects]).toMatchObject([['a', { classification: null }]]);
  expect(await bench.rowOf('a')).toMatchObject({ state: 'stored', classification: 'Secret' });
  // After this error a retry accepts what is there.
  await bench.engine.actions.retry({ kind: 'ids', ids: (await bench.all()).map(({ id: of }) => of) });
  expect(await bench.settled()).toMatchObject([{ state: 'done' }]);
  expect([...bench.server.objects]).toMatchObject([['a', { classification: 'Internal' }]]);
});

test('a retry with another classification stores the copy of the deleted object', async () => {
  await bench.store('a', 'x', { classification: 'Secret', storedAtMs: 1 });
  bench.server.plan = ({ method, identifier }) =>
    method === 'POST' && identifier === 'a' ? { status: 403 } : null;
  await reclassify('Internal', 'a');
  const [failed] = await bench.settled();
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'forbidden' } });
  expect([...bench.server.objects.keys()]).toEqual([expect.stringMatching(/^a~r-/)]);
  bench.server.plan = () => null;
  await bench.engine.actions.editAndRetry({ id: failed?.id ?? 0, identifier: 'a', classification: 'Public' });
  expect(await bench.settled()).toMatchObject([{ state: 'done' }]);
  expect([...bench.server.objects]).toMatchObject([['a', { classification: 'Public' }]]);
});

test('gives the service default to an object added by its identifier alone', async () => {
  await bench.store('a', 'x', { storedAtMs: null });
  expect(await reclassify(null, 'a')).toBe(1);
  expect(await bench.settled()).toMatchObject([{ state: 'done' }]);
});

test('refuses a file in parts, also if the list does not know that it is in parts', async () => {
  await bench.upload([await bench.makeFile('a', distinctBytes(18_000))]);
  await bench.settled();
  expect(await reclassify('Internal', 'up/a')).toBe(0);
  await bench.store('list', bench.server.objects.get('up/a')?.bytes ?? '');
  const before = new Set(bench.server.objects.keys());
  expect(await reclassify('Internal', 'list')).toBe(1);
  expect((await bench.settled()).at(-1)).toMatchObject({ state: 'failed', error: { code: 'partsShared' } });
  expect(new Set(bench.server.objects.keys())).toEqual(before);
});

test('refuses to retry under another identifier, which would be another object', async () => {
  await bench.store('a', 'x', { classification: 'Secret' });
  bench.server.plan = ({ method }) => (method === 'POST' ? { status: 403 } : null);
  await reclassify('Internal', 'a');
  const [failed] = await bench.settled();
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'forbidden' } });
  const change = { id: failed?.id ?? 0, classification: 'Public' };
  await expect(bench.engine.actions.editAndRetry({ ...change, identifier: 'b' })).rejects.toMatchObject({
    error: { code: 'notFound' },
  });
  bench.server.plan = () => null;
  await bench.engine.actions.editAndRetry({ ...change, identifier: 'a' });
  await bench.settled();
  expect([...bench.server.objects]).toMatchObject([['a', { classification: 'Public' }]]);
});
