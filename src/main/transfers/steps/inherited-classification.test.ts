import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { factBits } from '../../../shared/domain/unverified.ts';
import { ifExistsSchema, type IfExists } from '../../../shared/domain/service.ts';
import { serviceId, startBench, type Bench } from '../../../../test-support/main/transfers/bench.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';
import type { UploadItem } from '../queue/record-factory.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench({ maxObjectBytes: 4_000 });
});
afterEach(() => bench.close());

/** Stores an object that the list knows as Secret, and uploads the same name. */
async function uploadOver(
  ifExists: IfExists,
  change: Partial<UploadItem> = {},
  text = 'the new one',
): Promise<void> {
  await bench.store('up/a.txt', 'the old one', { classification: 'Secret', storedAtMs: 1 });
  await bench.upload([await bench.makeFile('a.txt', text, { ifExists, ...change })]);
  await bench.settled();
}

async function classificationOf(identifier: string) {
  return {
    stored: bench.server.objects.get(identifier)?.classification,
    listed: (await bench.rowOf(identifier))?.classification,
  };
}

const both = (classification: string | null) => ({ stored: classification, listed: classification });
const places = [
  ['replace', 'up/a.txt'],
  ['newVersion', 'up/a@2.txt'],
] as const;

test.each(places)('%s without a choice keeps the classification', async (ifExists, identifier) => {
  await uploadOver(ifExists);
  expect(await classificationOf(identifier)).toEqual(both('Secret'));
});

test.each(places)('%s: a preset default is no choice', async (ifExists, identifier) => {
  await uploadOver(ifExists, { classification: 'Internal' });
  expect(await classificationOf(identifier)).toEqual(both('Secret'));
});

test.each(places)(
  '%s: stores with the service’s default if a person chose it',
  async (ifExists, identifier) => {
    await uploadOver(ifExists, { classificationChosen: true });
    expect(await classificationOf(identifier)).toEqual(both(null));
  },
);

test.each(places)(
  '%s: stores with another classification if a person chose it',
  async (ifExists, identifier) => {
    await uploadOver(ifExists, { classification: 'Internal', classificationChosen: true });
    expect(await classificationOf(identifier)).toEqual(both('Internal'));
  },
);

test.each(places)('%s of a file in parts: its parts have it too', async (ifExists, identifier) => {
  await uploadOver(ifExists, {}, 'a'.repeat(2_500) + 'b'.repeat(2_500));
  expect(await classificationOf(identifier)).toEqual(both('Secret'));
  const parts = [...bench.server.objects].filter(([id]) => id.includes('~p-'));
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.map(([, { classification }]) => classification)).toEqual(parts.map(() => 'Secret'));
});

test('stores both: the other object has the classification that was asked for', async () => {
  await uploadOver('keepBoth');
  expect(await classificationOf('up/a-2.txt')).toEqual(both(null));
});

test('uses the newest version whose classification the list knows', async () => {
  await bench.store('up/a@2.txt', 'second', { classification: 'Internal', storedAtMs: 2 });
  await bench.store('up/a@3.txt', 'by somebody else', null);
  await uploadOver('newVersion');
  expect(await classificationOf('up/a@4.txt')).toEqual(both('Internal'));
});

test('a classification that only a list names comes after one that was seen', async () => {
  const unverified = factBits.presence | factBits.length | factBits.digest;
  await bench.store('up/a@2.txt', 'second', { classification: 'Public', storedAtMs: 2, unverified });
  await uploadOver('newVersion');
  expect(await classificationOf('up/a@3.txt')).toEqual(both('Secret'));
});

test('keeps the service’s default of the newest version', async () => {
  await bench.store('up/a@2.txt', 'second', { classification: null, storedAtMs: 2 });
  await uploadOver('newVersion');
  expect(await classificationOf('up/a@3.txt')).toEqual(both(null));
});

test('keeps no classification of an object that was not stored through Coffer', async () => {
  await bench.store('up/a.txt', 'by somebody else', null);
  await bench.upload([
    await bench.makeFile('a.txt', 'mine', { ifExists: 'replace', classification: 'Internal' }),
  ]);
  await bench.settled();
  expect(await classificationOf('up/a.txt')).toEqual(both('Internal'));
});

test('Undo restores the object with its own classification', async () => {
  await uploadOver('replace', { classification: 'Internal', classificationChosen: true });
  const [version] = await bench.undoCopies.ofObject(serviceId, 'up/a.txt');
  if (!version) throw new Error('nothing is kept');
  await bench.engine.enqueue.undo(version);
  await bench.settled();
  expect(await classificationOf('up/a.txt')).toEqual(both('Secret'));
});

test('the prompt says which classification each answer keeps', async () => {
  await uploadOver('ask');
  const prompt = await bench.engine.conflictPrompt(null);
  expect(prompt).toMatchObject({ keeps: { replace: 'Secret', newVersion: 'Secret' } });
});

test('the prompt says what a chosen classification changes', async () => {
  await bench.store('up/a@2.txt', 'second', { classification: null, storedAtMs: 2 });
  await uploadOver('ask', { classification: 'Internal', classificationChosen: true });
  const prompt = await bench.engine.conflictPrompt(null);
  expect(prompt).not.toHaveProperty('keeps');
  expect(prompt?.changes).toEqual({ replace: 'Secret', newVersion: null });
});

test('the prompt mentions no change if the chosen classification is the present one', async () => {
  await uploadOver('ask', { classification: 'Secret', classificationChosen: true });
  expect((await bench.engine.conflictPrompt(null))?.changes).toEqual({});
});

test('a deferred new version keeps it too', async () => {
  const world = await World.begin();
  try {
    await world.upload('a/1', { classification: 'Secret' });
    await world.finish();
    await world.upload('a/1', { ifExists: 'newVersion', route: 'deferred' });
    await world.end();
    expect(world.service.classificationOf('a/1@2')).toBe('Secret');
  } finally {
    await world.leave();
  }
});

describe('an object in the list that is no longer stored', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.begin();
    await world.upload('a/1', { classification: 'Secret' });
    await world.finish();
  });
  afterEach(() => world.leave());

  const stored = () => world.service.classificationOf('a/1');

  describe.each(ifExistsSchema.options)('%s', (ifExists) => {
    test.each(['direct', 'deferred'] as const)('%s: a new upload keeps its classification', async (route) => {
      world.service.remove('a/1', 'stranger');
      await world.upload('a/1', { ifExists, route });
      await world.end();
      expect([stored(), (await world.rowOf('a/1'))?.classification]).toEqual(['Secret', 'Secret']);
    });

    test('also after a Replace that failed half-way', async () => {
      world.service.refuses = ({ what, identifier }) =>
        what === 'POST' && identifier === 'a/1' ? { code: 'forbidden', status: 403 } : null;
      await world.upload('a/1', { ifExists: 'replace' });
      await world.finish();
      expect(world.service.get('a/1')).toBeUndefined();
      world.service.refuses = () => null;
      await world.upload('a/1', { ifExists });
      await world.end();
      expect(stored()).toBe('Secret');
    });
  });

  test('the parts of a large file get it too', async () => {
    world.service.remove('a/1', 'stranger');
    await world.upload('a/1', { sizeBytes: 6_000 });
    await world.end();
    const parts = [...world.service.versions.keys()].filter((identifier) => identifier.includes('~p-'));
    expect(parts.length).toBeGreaterThan(1);
    expect(['a/1', ...parts].map((identifier) => world.service.classificationOf(identifier))).toEqual(
      ['a/1', ...parts].map(() => 'Secret'),
    );
  });

  test('stores with the classification that a person chose', async () => {
    world.service.remove('a/1', 'stranger');
    await world.upload('a/1', { classification: null });
    await world.end();
    expect(stored()).toBeNull();
  });

  test('keeps nothing from a row that may never have been stored', async () => {
    const patch = { state: 'unknown', classification: 'Secret' } as const;
    await world.database.catalogue.add(serviceId, [{ kind: 'data', identifier: 'b/1', patch }]);
    await world.upload('b/1');
    await world.end();
    expect(world.service.classificationOf('b/1')).toBeNull();
  });

  test('keeps nothing from an object that a person deleted', async () => {
    await world.delete('a/1');
    await world.finish();
    await world.upload('a/1');
    await world.end();
    expect(stored()).toBeNull();
  });
});
