import { afterEach, beforeEach, expect, test } from 'vitest';
import { World } from '../../../test-support/main/transfers/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.begin();
  for (const text of ['first', 'second']) {
    await world.upload('a/1', { ifExists: 'newVersion', text });
    await world.clock.advance(10_000);
  }
});
afterEach(() => world.leave());

test.each([false, true])(
  'the service gets another address: no copy goes there (killed: %s)',
  async (isKilled) => {
    await world.makeCurrent('a/1');
    const copy = async () => (await world.records()).find(({ work }) => work.kind === 'download');
    // The copy is here, and not handed on yet.
    while ((await copy())?.state.name !== 'done') await world.clock.advance(1);
    await world.move(isKilled);
    await world.clock.advance(60_000);
    expect([...world.service.versions.keys()]).toEqual([]);
    await world.end();
  },
);
