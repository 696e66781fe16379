import { expect, onTestFinished, test } from 'vitest';
import type { AppError } from '../../../shared/errors.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

const page: AppError = {
  code: 'unexpectedAnswer',
  status: 200,
  problem: 'a web page',
  notService: 'page',
  host: 'one',
};
const badGateway: AppError = { code: 'serverError', status: 502, retryAfterMs: null };

// Without a wait of its own it was tried more than once a second, and each time the whole service was held.
test.each([
  ['POST', page],
  ['POST', badGateway],
  ['start', page],
  ['GET', page],
  ['GET', badGateway],
] as const)(
  'tries %s of one object that a gateway alone refuses once a minute at last: %#',
  async (kind, error) => {
    const world = await World.begin();
    onTestFinished(() => world.leave());
    const isRefused = ({ what, identifier }: { what: string; identifier: string }) =>
      what === kind && identifier === 'a/b';
    world.service.refuses = (request) => (isRefused(request) ? error : null);
    if (kind === 'GET') {
      world.service.put('a/b', Buffer.from('there'), 'stranger');
      await world.know('a/b');
      await world.download('a/b');
    } else {
      await world.upload('a/b', { route: kind === 'POST' ? 'direct' : 'deferred', text: 'new' });
    }
    await world.upload('a/c', { text: 'another' });
    await world.clock.advance(3_600_000);
    expect(world.service.requests.filter(isRefused).length).toBeLessThan(100);
    world.service.refuses = () => null;
    await world.clock.advance(61_000);
    const states = (await world.transfers()).map(({ identifier, state }) => `${identifier} ${state}`);
    expect(states.toSorted()).toEqual(kind === 'start' ? ['a/c done'] : ['a/b done', 'a/c done']);
    const text = kind === 'GET' ? 'there' : 'new';
    expect(world.service.versions.get('a/b')?.at(-1)?.text).toBe(text);
  },
);
