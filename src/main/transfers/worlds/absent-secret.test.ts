import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

test.each(['start', 'check', 'fetch'])(
  'a secret that is not there is said so within seconds by a 404 to the %s',
  async (step) => {
    world.service.refuses = ({ what }) => (what === step ? { code: 'missing', status: 404 } : null);
    world.service.put('s', Buffer.from('value'), 'stranger');
    const [row] = await world.database.catalogue.add(serviceId, [
      { kind: 'secret', identifier: 's', patch: { state: 'stored' } },
    ]);
    const beganMs = world.clock.monotonicMs();
    let tookMs = Infinity;
    const ending = world.engine
      .readSecret(row?.record.id ?? 0, new AbortController().signal)
      .catch((cause: unknown) => cause)
      .finally(() => (tookMs = world.clock.monotonicMs() - beganMs));
    await world.clock.advance(200_000);
    expect(await ending).toMatchObject({ error: { code: 'missing', status: 404 } });
    expect(tookMs).toBeLessThan(10_000);
    expect(world.service.requests.filter(({ what }) => what === 'start')).toHaveLength(2);
  },
);
