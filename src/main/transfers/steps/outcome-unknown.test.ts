import { hash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { lossyFromPost } from '../../../../test-support/main/transfers/weather.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

test.each(['other', 'longer than it'])(
  'a cancelled upload that arrived: the digest of the earlier object is not kept for %j',
  async (text) => {
    const world = await World.begin();
    onTestFinished(() => world.leave());
    await world.upload('a/1', { ifExists: 'skip', text: 'first' });
    await world.clock.advance(10_000);
    await world.delete('a/1');
    await world.clock.advance(60_000);
    expect(await world.rowOf('a/1')).toMatchObject({ state: 'gone' });
    world.service.weatherOf = lossyFromPost();
    await world.upload('a/1', { ifExists: 'skip', text, classification: 'Secret' });
    await world.clock.advance(100);
    const ids = (await world.transfers()).map(({ id }) => id);
    await world.settle(world.engine.actions.cancel({ kind: 'ids', ids }));
    world.service.weatherOf = () => null;
    await world.clock.advance(600_000);
    expect(Buffer.from(world.service.get('a/1') ?? '').toString()).toBe(text);
    expect(await world.rowOf('a/1')).toMatchObject({
      state: 'stored',
      lengthBytes: text.length,
      sha256: null,
      classification: 'Secret',
      sourceName: 'f2',
    });
  },
);

test.each([
  { what: 'another length', text: 'longer than it', classification: 'Secret', known: 'Secret' },
  { what: 'the same length', text: 'other', classification: 'Secret', known: null },
  {
    what: 'the same length and classification',
    text: 'other',
    classification: 'Internal',
    known: 'Internal',
  },
])(
  'a failed upload of unknown outcome, and HEAD finds $what: the list knows the classification $known',
  async ({ text, classification, known }) => {
    const world = await World.begin();
    onTestFinished(() => world.leave());
    await world.upload('a/1', { text: 'first', classification: 'Internal' });
    await world.clock.advance(10_000);
    expect(await world.rowOf('a/1')).toMatchObject({ state: 'stored', classification: 'Internal' });
    world.service.remove('a/1', 'stranger');
    world.setWeather({ kind: 'cutting' });
    await world.upload('a/1', { text, classification });
    await world.clock.advance(600_000);
    expect(await world.transfers()).toMatchObject([{ state: 'failed' }, {}]);
    const { storedAtMs, ...row } = (await world.rowOf('a/1')) ?? {};
    expect(row).toMatchObject({
      state: 'stored',
      lengthBytes: text.length,
      sha256: null,
      classification: known,
    });
    expect(storedAtMs === null).toBe(classification !== 'Internal');
  },
);

test('a cancelled upload of unknown outcome, and HEAD finds the listed object: the row stays as it is', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  await world.upload('a/1', { text: 'first', classification: 'Internal' });
  await world.clock.advance(10_000);
  world.setWeather({ kind: 'lossy' });
  await world.upload('a/1', { text: 'longer than it', classification: 'Secret' });
  await world.clock.advance(100);
  const ids = (await world.transfers()).map(({ id }) => id);
  await world.settle(world.engine.actions.cancel({ kind: 'ids', ids }));
  world.setWeather({ kind: 'fine' });
  await world.clock.advance(600_000);
  expect(await world.rowOf('a/1')).toMatchObject({
    state: 'stored',
    lengthBytes: 5,
    sha256: hash('sha256', 'first'),
    classification: 'Internal',
    sourceName: 'f1',
  });
});

test('a cancelled upload of unknown outcome, and another stores the same length before the first check: the row stays as that one left it', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.weatherOf = (what) => (what === 'POST' ? { kind: 'errors' } : null);
  world.setWeather({ kind: 'unreachable' });
  await world.upload('a/1', { text: 'first', classification: 'Internal' });
  await world.clock.advance(100);
  const ids = (await world.transfers()).map(({ id }) => id);
  await world.settle(world.engine.actions.cancel({ kind: 'ids', ids }));
  world.service.weatherOf = () => null;
  world.setWeather({ kind: 'fine' });
  await world.upload('a/1', { text: 'again', classification: 'Secret' });
  await world.clock.advance(600_000);
  expect((await world.transfers()).map(({ state }) => state)).toEqual(['cancelled', 'done']);
  const known = {
    state: 'stored',
    sha256: hash('sha256', 'again'),
    classification: 'Secret',
    sourceName: 'f2',
  };
  expect(await world.rowOf('a/1')).toMatchObject(known);
});

test('an object that a download sees before its upload is verified still belongs to the upload', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.weatherOf = (what) => ({ kind: what === 'POST' ? 'lossy' : 'unreachable' });
  await world.upload('a/1', { ifExists: 'keepBoth', text: 'mine', classification: 'Secret' });
  await world.clock.advance(1_000);
  expect(Buffer.from(world.service.get('a/1') ?? '').toString()).toBe('mine');
  const { id } = (await world.rowOf('a/1')) ?? { id: 0 };
  const patch = {
    state: 'stored',
    lengthBytes: 4,
    sha256: hash('sha256', 'mine'),
    classification: null,
  } as const;
  await world.database.catalogue.update([{ id, patch }]);
  world.service.weatherOf = () => null;
  await world.clock.advance(600_000);
  expect(await world.transfers()).toMatchObject([{ outcome: { kind: 'stored' } }]);
  expect(await world.rowOf('a/1')).toMatchObject({ state: 'stored', classification: 'Secret' });
});

test('a deferred upload over an object that is gone is cancelled and arrives: a Replace of it keeps its classification', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.processingMs = 20_000;
  await world.upload('a/1', { text: 'first', classification: 'Secret' });
  await world.clock.advance(5_000);
  world.service.remove('a/1', 'stranger');
  await world.upload('a/1', { text: 'longer than it', classification: 'Internal', route: 'deferred' });
  await world.clock.advance(1_000);
  await world.settle(world.engine.actions.cancel({ kind: 'all', tab: 'jobs' }));
  await world.clock.advance(600_000);
  expect(await world.rowOf('a/1')).toMatchObject({
    state: 'stored',
    lengthBytes: 14,
    sha256: null,
    classification: 'Internal',
  });
  await world.upload('a/1', { ifExists: 'replace' });
  await world.end();
  expect(world.service.classificationOf('a/1')).toBe('Internal');
});
