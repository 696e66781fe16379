import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** A service that answers 404 for what a token may not see: the object exists all the same, and a POST gets 409. */

const minuteMs = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.begin();
});
afterEach(() => world.leave());

const hide = (...identifiers: string[]) => {
  world.service.refuses = ({ what, identifier }) =>
    ['HEAD', 'GET', 'DELETE'].includes(what) && identifiers.includes(identifier)
      ? { code: 'missing', status: 404 }
      : null;
};
const show = () => (world.service.refuses = () => null);
const textOf = (identifier: string) => Buffer.from(world.service.get(identifier) ?? '').toString();
const posts = () => world.service.requests.filter(({ what }) => what === 'POST').length;
const last = async () => (await world.transfers()).toSorted((a, b) => b.id - a.id)[0];

async function stored(identifier: string): Promise<void> {
  await world.upload(identifier, { text: 'old', classification: 'Internal' });
  await world.clock.advance(minuteMs);
}

describe('the list', () => {
  test('keeps what it knows of an object that a download does not find', async () => {
    await stored('a');
    const before = await world.rowOf('a');
    hide('a');
    await world.engine.enqueue.downloads('p', [before?.id ?? 0], { saveAsPath: null, route: 'direct' });
    await world.clock.advance(minuteMs);
    const { sha256, classification, storedAtMs, lengthBytes } = before ?? {};
    const known = { sha256, classification, storedAtMs, lengthBytes };
    expect(await world.rowOf('a')).toMatchObject({ state: 'missing', ...known });
    show();
    await world.engine.enqueue.downloads('p', [before?.id ?? 0], { saveAsPath: null, route: 'direct' });
    await world.clock.advance(minuteMs);
    expect(await world.rowOf('a')).toMatchObject({ state: 'stored', ...known });
  });

  test('keeps what it knows of an object whose deletion met a 404', async () => {
    await stored('a');
    hide('a');
    await world.delete('a');
    await world.clock.advance(minuteMs);
    expect(await world.rowOf('a')).toMatchObject({ state: 'gone', classification: 'Internal' });
    expect(textOf('a')).toBe('old');
  });
});

describe('an upload to an identifier that exists but cannot be seen', () => {
  test.each(['ask', 'replace'] as const)('prompts (%s), and sends its bytes once', async (ifExists) => {
    for (const route of ['direct', 'deferred'] as const) {
      const identifier = `${route}/x`;
      world.service.put(identifier, Buffer.from('theirs'), 'stranger');
      hide('direct/x', 'deferred/x');
      await world.upload(identifier, { ifExists, route });
      await world.clock.advance(30 * minuteMs);
      expect(textOf(identifier)).toBe('theirs');
    }
    const rows = [...(await world.transfers()), ...(await world.jobs())];
    expect(rows.map(({ waitingFor }) => waitingFor)).toEqual(['answer', 'answer']);
    expect(posts()).toBe(1);
    // The person chooses Replace once more, now that the object can be seen.
    show();
    await world.answer('replace', true);
    await world.clock.advance(5 * minuteMs);
    for (const route of ['direct', 'deferred']) expect(textOf(`${route}/x`)).toMatch(/^upload/);
  });

  test('skips it, or continues under another identifier', async () => {
    for (const [identifier, ifExists] of [
      ['s', 'skip'],
      ['k', 'keepBoth'],
    ] as const) {
      world.service.put(identifier, Buffer.from('theirs'), 'stranger');
      hide('s', 'k');
      await world.upload(identifier, { ifExists });
      await world.clock.advance(5 * minuteMs);
      expect(textOf(identifier)).toBe('theirs');
    }
    const kinds = (await world.transfers()).map(({ outcome }) => String(outcome?.kind));
    expect(kinds.toSorted()).toEqual(['skipped', 'stored']);
    expect(textOf('k-2')).toMatch(/^upload/);
  });

  test.each(['direct', 'deferred'] as const)('prompts after a lost answer too (%s)', async (route) => {
    world.service.put('x', Buffer.from('theirs'), 'stranger');
    hide('x');
    const isBody = (what: string) => what === 'POST' || what === 'start';
    world.service.weatherOf = (what) => (isBody(what) ? { kind: 'lossy' } : null);
    await world.upload('x', { route });
    await world.clock.advance(3000);
    world.service.weatherOf = () => null;
    await world.clock.advance(30 * minuteMs);
    const rows = [...(await world.transfers()), ...(await world.jobs())];
    expect(rows).toMatchObject([{ waitingFor: 'answer' }]);
    expect(world.service.requests.filter(({ what }) => isBody(what)).length).toBeLessThan(6);
    expect(textOf('x')).toBe('theirs');
  });
});

describe('a Replace whose token sees less from some request on', () => {
  /** HEAD, HEAD, GET, the copy beside, HEAD, HEAD, GET, DELETE, HEAD, HEAD, POST, HEAD, GET. */
  async function replace(hiddenAfter: number): Promise<number> {
    await stored('a');
    let requests = 0;
    world.service.onRequest = () => (requests += 1) === hiddenAfter && hide('a');
    const before = posts();
    await world.upload('a', { ifExists: 'replace', text: 'new' });
    await world.clock.advance(5 * minuteMs);
    return posts() - before;
  }

  test.each([1, 2])('prompts before anything is kept (%i)', async (hiddenAfter) => {
    expect(await replace(hiddenAfter)).toBe(1);
    expect(await last()).toMatchObject({ waitingFor: 'answer' });
    expect(textOf('a')).toBe('old');
  });

  test.each([3, 7, 8, 11, 13])('does not send its bytes for ever (%i)', async (hiddenAfter) => {
    expect(await replace(hiddenAfter)).toBeLessThan(20);
  });
});

test('a deletion removes no parts of a version that the token may not see', async () => {
  const large = Array.from({ length: 900 }, (_, index) => `line ${index}\n`).join('');
  await world.upload('a', { text: large });
  await world.clock.advance(minuteMs);
  await world.upload('a', { text: `${large}more`, ifExists: 'newVersion' });
  await world.clock.advance(5 * minuteMs);
  const { parts } = JSON.parse(textOf('a@2')) as { parts: { id: string }[] };
  hide('a@2');
  await world.delete('a');
  await world.clock.advance(30 * minuteMs);
  expect(await world.rowOf('a@2')).toMatchObject({ state: 'stored' });
  expect(parts.filter(({ id }) => world.service.get(id) === undefined)).toEqual([]);
});
