import { expect, onTestFinished, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';

const lost = { code: 'connectionLost', doneBytes: 0, expectedBytes: null, outcomeUnknown: true } as const;

test('an upload goes on when the deletion before it has nothing left to delete', async () => {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.refuses = ({ what }) => (what === 'POST' ? lost : null);
  world.service.answerMs = 1_000;
  await world.upload('a/b', { text: 'cancelled' });
  await world.clock.advance(2_500);
  const [first] = await world.transfers();
  await world.settle(world.engine.actions.cancel({ kind: 'ids', ids: [first?.id ?? 0] }));
  // It waits for the end of the upload, and then finds no row.
  await world.delete('a/b');
  await world.database.catalogue.remove([(await world.rowOf('a/b'))?.id ?? 0]);
  await world.upload('a/b', { text: 'new', ifExists: 'replace' });
  world.service.refuses = () => null;
  await world.clock.advance(600_000);
  expect(await world.unfinished()).toBe(0);
  expect(world.service.versions.get('a/b')?.at(-1)?.text).toBe('new');
});
