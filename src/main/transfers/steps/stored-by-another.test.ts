import { hash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';

test('an object that another upload stores before the verification keeps its row, even with the same length', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.weatherOf = (what) => (what === 'HEAD' ? { kind: 'unreachable' } : null);
  await world.upload('a/1', { ifExists: 'skip', text: 'mine' });
  await world.clock.advance(1_000);
  expect(world.service.versions.get('a/1')).toMatchObject([{ text: 'mine' }]);

  const other = {
    state: 'stored',
    lengthBytes: 4,
    sha256: hash('sha256', 'else'),
    classification: 'Secret',
  } as const;
  world.service.remove('a/1', 'stranger');
  world.service.put('a/1', Buffer.from('else'), 'stranger', 'Secret');
  const { id } = (await world.rowOf('a/1')) ?? { id: 0 };
  await world.database.catalogue.update([{ id, patch: other }]);

  world.service.weatherOf = () => null;
  await world.clock.advance(600_000);
  expect(await world.unfinished()).toBe(0);
  expect(await world.rowOf('a/1')).toMatchObject(other);
  expect(await world.transfers()).toMatchObject([{ outcome: { kind: 'skipped' } }]);
});

describe.each(['keepBoth', 'skip'] as const)(
  '%s, after an upload that may have arrived but did not',
  (ifExists) => {
    test('after a lost answer, the other object gets nothing from that upload', async () => {
      const world = await World.begin();
      onTestFinished(() => world.leave());
      world.service.put('a', Buffer.from('theirs'), 'stranger');
      world.service.weatherOf = (what) => (what === 'POST' ? { kind: 'lossy' } : null);
      await world.upload('a', { ifExists, classification: 'Secret' });
      await world.clock.advance(200);
      world.service.weatherOf = () => null;
      expect(await replacedAfter(world)).toEqual(theirs);
    });

    test('nor after a deferred request whose token has expired', async () => {
      const world = await World.begin();
      onTestFinished(() => world.leave());
      world.service.processingMs = 3_600_000;
      await world.upload('a', { ifExists, classification: 'Secret', route: 'deferred' });
      await world.clock.advance(1_000);
      world.service.put('a', Buffer.from('theirs'), 'stranger');
      world.setWeather({ kind: 'unreachable' });
      await world.clock.advance(1_900_000);
      world.setWeather({ kind: 'fine' });
      expect(await replacedAfter(world)).toEqual(theirs);
    });
  },
);

const theirs = { state: 'stored', lengthBytes: 6, sourceName: null, classification: null, replacedAs: null };

/** What the list says of `a`, and the classification that a Replace without a choice takes over. */
async function replacedAfter(world: World) {
  await world.finish();
  const { state, lengthBytes, sourceName, classification } = (await world.rowOf('a')) ?? {};
  await world.upload('a', { ifExists: 'replace' });
  await world.end();
  const replacedAs = world.service.classificationOf('a');
  return { state, lengthBytes, sourceName, classification, replacedAs };
}
