import { describe, expect, onTestFinished, test } from 'vitest';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { ObjectState } from '../../../shared/domain/object.ts';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** A service that answers with success where it has stored nothing. */

const minuteMs = 60_000;

async function begin(): Promise<World> {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  world.service.put('a', Buffer.from('their'), 'stranger');
  return world;
}

const requests = (world: World, wanted: string) =>
  world.service.requests.filter(({ what }) => what === wanted).length;

describe('a direct upload to an identifier of the list, where bytes of the same length are', () => {
  test.each(['stored', 'unknown', 'missing', 'failed', 'gone'] satisfies ObjectState[])(
    'does not end it because a success was answered: the list says %s',
    async (state) => {
      const world = await begin();
      world.service.lostUploads = 1;
      const patch = { state, lengthBytes: state === 'stored' ? 5 : null } as const;
      await world.database.catalogue.add(serviceId, [{ kind: 'data', identifier: 'a', patch }]);
      await world.upload('a', { ifExists: 'skip', text: 'mine!' });
      await world.clock.advance(minuteMs);
      expect(await world.transfers()).toMatchObject([{ state: 'done', outcome: { kind: 'skipped' } }]);
      // Nor were bytes sent in vain.
      expect(requests(world, 'POST')).toBe(0);
    },
  );
});

test('asks for a new identifier once, after its bytes', async () => {
  const world = await begin();
  await world.upload('b', { text: 'mine!' });
  await world.clock.advance(minuteMs);
  expect(world.service.requests.map(({ what }) => what)).toEqual(['POST', 'HEAD']);
  expect(await world.transfers()).toMatchObject([{ outcome: { kind: 'stored', verifiedBy: 'length' } }]);
});

describe('a deferred upload whose completed check cannot be read', () => {
  async function upload(isStored: boolean): Promise<World> {
    const world = await begin();
    world.service.remove('a', 'stranger');
    const make = world.service.client.bind(world.service);
    world.service.client = (...args) => ({
      ...make(...args),
      checkDataDeferred: async () => {
        throw new AppFailure({ code: 'unexpectedAnswer', status: 200, problem: 'body' });
      },
    });
    await world.kill(0);
    if (!isStored) world.service.processingMs = 60 * minuteMs;
    await world.upload('a', { ifExists: 'skip', text: 'mine!', route: 'deferred' });
    if (!isStored) world.service.put('a', Buffer.from('their'), 'stranger');
    await world.clock.advance(5 * minuteMs);
    return world;
  }

  test('ends it where its bytes are', async () => {
    const world = await upload(true);
    expect(await world.jobs()).toMatchObject([{ state: 'done', outcome: { kind: 'stored' } }]);
  });

  test('does not end it where others of the same length are', async () => {
    const world = await upload(false);
    expect(await world.jobs()).toMatchObject([{ state: 'done', outcome: { kind: 'skipped' } }]);
  });
});
