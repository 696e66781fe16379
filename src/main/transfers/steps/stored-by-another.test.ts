import { hash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';

test('what another upload has stored before the verification stays as in the list, even with the same length', async () => {
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
