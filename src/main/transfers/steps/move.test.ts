import { hash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppFailure } from '../../../shared/app-failure.ts';
import { changeAfterHead } from '../../bulk-operations/check-objects.ts';
import { startBench, serviceId, type Bench } from '../../../../test-support/main/transfers/bench.ts';
import type { Place } from '../../../shared/domain/object.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** Another identifier: a verified copy, then the deletion of what was copied. */

const minuteMs = 60_000;

describe('an object under another identifier', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench({ maxObjectBytes: 8_000 });
  });
  afterEach(() => bench.close());

  async function move(from: string, to: string): Promise<number> {
    const row = await bench.rowOf(from);
    return (await bench.engine.enqueue.move(serviceId, new Map([[row?.id ?? 0, to]]))).length;
  }
  const textOf = (identifier: string) => bench.server.objects.get(identifier)?.bytes.toString();

  test('keeps its bytes, classification, note and file name', async () => {
    await bench.store('a/old.txt', 'as it was', {
      classification: 'Secret',
      sourceName: 'mine.txt',
      note: 'mine',
    });
    expect(await move('a/old.txt', 'b/new.txt')).toBe(1);
    await expect.poll(() => bench.rowOf('a/old.txt')).toMatchObject({ state: 'gone', movedTo: 'b/new.txt' });
    expect([textOf('a/old.txt'), textOf('b/new.txt')]).toEqual([undefined, 'as it was']);
    expect(await bench.rowOf('b/new.txt')).toMatchObject({
      state: 'stored',
      classification: 'Secret',
      sourceName: 'mine.txt',
      note: 'mine',
      lengthBytes: 9,
    });
  });

  const idOf = async (identifier: string) => (await bench.rowOf(identifier))?.id ?? 0;
  const gone = (identifier: string) =>
    expect.poll(() => bench.rowOf(identifier)).toMatchObject({ state: 'gone' });
  /** Identifiers of a place, in the order of the dates stored, the newest first. */
  async function listed(place: Place): Promise<string[]> {
    const sort = { column: 'stored', direction: 'descending' } as const;
    const query = { serviceId, kind: 'data', place, search: '', sort } as const;
    return (await bench.catalogue.page(query, 0, 10)).rows.map(({ identifier }) => identifier);
  }
  const oldMs = Date.UTC(2020, 0, 1);

  test('keeps its history, which says where it was, and is not called deleted', async () => {
    await bench.store('old.txt', 'as it was', { classification: 'Secret' });
    const id = await idOf('old.txt');
    await bench.catalogue.update([{ id, patch: {}, history: { action: 'noteChanged' } }]);
    await move('old.txt', 'new.txt');
    await gone('old.txt');
    const history = await bench.catalogue.history(await idOf('new.txt'), 9);
    expect(history.map(({ action, detail }) => `${action} ${String(detail)}`).toSorted()).toEqual([
      'moved old.txt',
      'noteChanged null',
    ]);
    expect(await bench.catalogue.history(id, 9)).toEqual([]);
    expect(await listed({ kind: 'gone' })).toEqual([]);
    expect(await bench.catalogue.collections(serviceId)).toMatchObject({ gone: 0, all: 1 });
  });

  test('keeps the date when it was first stored, also when it is renamed back, until other bytes are stored', async () => {
    await bench.store('old.txt', 'as it was', { classification: 'Secret', storedAtMs: oldMs });
    await bench.store('between.txt', 'another', { storedAtMs: oldMs + 1 });
    await move('old.txt', 'new.txt');
    await gone('old.txt');
    expect(await bench.rowOf('new.txt')).toMatchObject({ firstStoredAtMs: oldMs });
    // What the engine and a team go by.
    expect((await bench.rowOf('new.txt'))?.storedAtMs).toBeGreaterThan(oldMs);
    expect(await listed({ kind: 'all' })).toEqual(['between.txt', 'new.txt']);
    await move('new.txt', 'old.txt');
    await gone('new.txt');
    expect(await bench.rowOf('old.txt')).toMatchObject({ state: 'stored', firstStoredAtMs: oldMs });
    expect(await listed({ kind: 'all' })).toEqual(['between.txt', 'old.txt']);
    await bench.engine.enqueue.deletions(serviceId, [await idOf('old.txt')]);
    await gone('old.txt');
    expect(await listed({ kind: 'gone' })).toEqual(['old.txt']);
    const file = await bench.makeFile('old.txt', 'others');
    await bench.upload([{ ...file, identifier: 'old.txt' }]);
    await bench.settled();
    expect(await bench.rowOf('old.txt')).not.toHaveProperty('firstStoredAtMs');
  });

  test('is listed once while it is on its way, under its new name, and under the old one if that is cancelled', async () => {
    await bench.store('old.txt', 'as it was', { classification: 'Secret', storedAtMs: oldMs, note: 'mine' });
    await bench.store('between.txt', 'another', { storedAtMs: oldMs + 1 });
    expect(await listed({ kind: 'all' })).toEqual(['between.txt', 'old.txt']);
    await bench.engine.actions.pause('all', true);
    await move('old.txt', 'new.txt');
    // In its place by the date.
    expect(await listed({ kind: 'all' })).toEqual(['between.txt', 'new.txt']);
    const id = await idOf('new.txt');
    expect((await bench.engine.overlay([id])).get(id)).toMatchObject({
      transfer: { moving: 'rename' },
      state: 'uploading',
      storedAtMs: oldMs,
      note: 'mine',
    });
    await bench.engine.actions.cancel({ kind: 'all' });
    await bench.settled();
    expect(await listed({ kind: 'all' })).toEqual(['between.txt', 'old.txt']);
    await bench.engine.actions.pause('all', false);
    await move('old.txt', 'new.txt');
    await gone('old.txt');
    await bench.engine.actions.pause('all', true);
    await move('new.txt', 'old.txt');
    expect(await listed({ kind: 'all' })).toEqual(['between.txt', 'old.txt']);
    await bench.engine.actions.cancel({ kind: 'all' });
    await bench.settled();
    expect(await listed({ kind: 'all' })).toEqual(['between.txt', 'new.txt']);
  });

  test('stays listed under its name if the new one turns out to be taken', async () => {
    await bench.store('old.txt', 'as it was', { classification: 'Secret' });
    await bench.store('new.txt', 'of a stranger', null);
    await move('old.txt', 'new.txt');
    await bench.settled();
    expect(await listed({ kind: 'all' })).toContain('old.txt');
  });

  test('an object stored again under the former identifier counts as not moved', async () => {
    await bench.store('a', 'as it was', { classification: 'Secret' });
    await move('a', 'b');
    await expect.poll(() => bench.rowOf('a')).toMatchObject({ state: 'gone', movedTo: 'b' });
    const file = await bench.makeFile('a', 'another');
    await bench.upload([{ ...file, identifier: 'a' }]);
    await bench.settled();
    const row = await bench.rowOf('a');
    expect([row?.state, row?.movedTo]).toEqual(['stored', undefined]);
    await bench.engine.enqueue.deletions(serviceId, [row?.id ?? 0]);
    await expect.poll(() => bench.rowOf('a')).toMatchObject({ state: 'gone' });
    expect((await bench.rowOf('a'))?.movedTo).toBe(undefined);
  });

  test('still finds it in the file it was uploaded from, however often it was moved', async () => {
    const file = await bench.makeFile('mine.txt', 'as it was');
    await bench.upload([{ ...file, identifier: 'a.txt' }]);
    await bench.settled();
    for (const [from, to] of [
      ['a.txt', 'b.txt'],
      ['b.txt', 'c.txt'],
    ] as const) {
      await move(from, to);
      await expect.poll(() => bench.rowOf(from)).toMatchObject({ state: 'gone' });
    }
    const row = await bench.rowOf('c.txt');
    expect(await bench.engine.localFilesOf(row?.id ?? 0)).toEqual([join(bench.folder, 'mine.txt')]);
  });
});

describe('with another client', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.begin();
    await world.upload('a', { text: 'as it was', classification: 'Secret' });
    await world.clock.advance(minuteMs);
  });
  afterEach(() => world.leave());
  const textOf = (identifier: string) => {
    const bytes = world.service.get(identifier);
    return bytes && Buffer.from(bytes).toString();
  };
  /** Restarts it where it was killed, and gives it time. */
  async function finish(): Promise<void> {
    for (let minutes = 0; minutes < 60; minutes += 1) {
      if (!world.isAlive) await world.kill(1_000);
      await world.clock.advance(minuteMs);
    }
  }

  test('an object it stores under the new identifier stays, and so does the moved one', async () => {
    world.service.put('b', Buffer.from('theirs'), 'stranger');
    await world.rename('a', 'b');
    await world.clock.advance(10 * minuteMs);
    expect([textOf('a'), textOf('b')]).toEqual(['as it was', 'theirs']);
    expect((await world.transfers()).find(({ identifier }) => identifier === 'b')?.error?.code).toBe(
      'exists',
    );
  });

  test('keeps what the list knows of an object in its way, if the process is killed before anything is sent', async () => {
    await world.upload('b', { text: 'as it is!', classification: 'Internal' });
    await world.clock.advance(minuteMs);
    const known = await world.rowOf('b');
    expect(known).toMatchObject({ state: 'stored', lengthBytes: 9, classification: 'Internal' });
    const { beforeRequest } = world.service;
    world.service.beforeRequest = (what, identifier, who) => {
      if (what === 'HEAD' && identifier === 'b') world.stopsAt = world.steps + 1;
      beforeRequest(what, identifier, who);
    };
    await world.rename('a', 'b');
    await world.clock.advance(minuteMs);
    expect(world.isAlive).toBe(false);
    world.service.beforeRequest = beforeRequest;
    await finish();
    expect((await world.transfers()).find(({ identifier }) => identifier === 'b')?.error?.code).toBe(
      'exists',
    );
    const { sha256, storedAtMs, classification } = known ?? {};
    expect(await world.rowOf('b')).toMatchObject({ sha256, storedAtMs, classification });
  });

  test('keeps what the list knows of an object that an upload stores in its way meanwhile', async () => {
    world.service.answerMs = 20;
    let looks = 0;
    let uploaded: Promise<void> | undefined;
    world.service.beforeRequest = (what, identifier) => {
      // The identifier is free, and that is written down.
      if (what === 'HEAD' && identifier === 'b' && (looks += 1) === 2)
        uploaded = world.upload('b', { text: 'as it is!', classification: 'Internal' });
    };
    await world.rename('a', 'b');
    await finish();
    await uploaded;
    expect([textOf('a'), textOf('b')]).toEqual(['as it was', 'as it is!']);
    const [, moved] = await world.database.transfers.getMany([1, 2]);
    expect(moved?.state).toMatchObject({ name: 'failed', error: { code: 'exists' } });
    expect(await world.rowOf('b')).toMatchObject({
      state: 'stored',
      sha256: hash('sha256', 'as it is!'),
      classification: 'Internal',
    });
  });

  test.each([0, 20, 400])(
    'takes a classification along that is being changed, however slow the service is (%i ms an answer)',
    async (answerMs) => {
      world.service.answerMs = answerMs;
      await world.reclassify('a', 'Internal');
      await world.clock.advance(answerMs);
      await world.rename('a', 'b');
      await finish();
      expect([textOf('a'), textOf('b')]).toEqual([undefined, 'as it was']);
      expect(world.service.classificationOf('b')).toBe('Internal');
      expect(await world.rowOf('b')).toMatchObject({ state: 'stored', classification: 'Internal' });
    },
  );

  test.each([
    [0, 0],
    [20, 20],
    [400, 400],
    [400, 1_600],
  ])(
    'an object that gets another classification after it was read stays (%i ms an answer, %i ms later)',
    async (answerMs, laterMs) => {
      world.service.answerMs = answerMs;
      await world.rename('a', 'b');
      await world.clock.advance(laterMs);
      await world.reclassify('a', 'Internal');
      await finish();
      expect([textOf('a'), textOf('b')]).toEqual(['as it was', 'as it was']);
      expect(world.service.classificationOf('a')).toBe('Internal');
      expect(await world.rowOf('a')).toMatchObject({ state: 'stored', classification: 'Internal' });
    },
  );

  test('a copy of the same length with other bytes does not count, and the object stays', async () => {
    world.service.beforeRequest = (what, identifier) => {
      if (what !== 'GET' || identifier !== 'b') return;
      world.service.remove('b', 'stranger');
      world.service.put('b', Buffer.from('theirs...'), 'stranger');
    };
    await world.rename('a', 'b');
    await finish();
    expect([textOf('a'), textOf('b')]).toEqual(['as it was', 'theirs...']);
    expect((await world.transfers()).map(({ state }) => state)).toContain('failed');
    expect((await world.rowOf('a'))?.state).toBe('stored');
  });

  test.each(['after it was compared', 'before'])(
    'a copy that was deleted %s leaves the object',
    async (when) => {
      const deleted = when === 'before' ? 'GET b' : 'GET a';
      let isCopied = false;
      world.service.beforeRequest = (what, identifier) => {
        isCopied ||= what === 'HEAD' && identifier === 'b' && world.service.get('b') !== undefined;
        if (`${what} ${identifier}` === deleted && (isCopied || when === 'before'))
          world.service.remove('b', 'stranger');
        if (what === 'GET' && identifier === 'b' && when !== 'before') isCopied = true;
      };
      await world.rename('a', 'b');
      await finish();
      expect([textOf('a'), textOf('b')]).toEqual(['as it was', undefined]);
    },
  );

  test('a refused deletion leaves both, and the object needs attention', async () => {
    const make = world.service.client.bind(world.service);
    world.service.client = (isAlive) => ({
      ...make(isAlive),
      deleteData: () => Promise.reject(new AppFailure({ code: 'forbidden', status: 403 })),
    });
    await world.kill(0);
    await world.rename('a', 'b');
    await finish();
    expect([textOf('a'), textOf('b')]).toEqual(['as it was', 'as it was']);
    expect((await world.rowOf('a'))?.state).toBe('unknown');
  });

  test('a deletion that is answered with something else than a success leaves both, and says so', async () => {
    const error = { code: 'unexpectedAnswer', status: 202, problem: 'status 202 to DELETE' } as const;
    world.service.refuses = ({ what }) => (what === 'DELETE' ? error : null);
    await world.rename('a', 'b');
    await world.clock.advance(minuteMs);
    expect([textOf('a'), textOf('b')]).toEqual(['as it was', 'as it was']);
    expect((await world.rowOf('a'))?.state).toBe('unknown');
    const [, , deletion] = await world.database.transfers.getMany([1, 2, 3]);
    expect(deletion?.state).toEqual({ name: 'failed', error });
    expect(world.service.requests.filter(({ what }) => what === 'DELETE')).toHaveLength(1);
  });

  test('after a kill, the same bytes that were at the new identifier before are not taken for the copy', async () => {
    world.service.put('b', Buffer.from('as it was'), 'stranger');
    await world.rename('a', 'b');
    world.stopsAt = world.steps + 1;
    await finish();
    expect([textOf('a'), textOf('b')]).toEqual(['as it was', 'as it was']);
    expect((await world.transfers()).find(({ identifier }) => identifier === 'b')?.error?.code).toBe(
      'exists',
    );
  });

  test('does not delete bytes it stores in place of the object after the copy', async () => {
    world.service.beforeRequest = (what, identifier) => {
      if (what !== 'GET' || identifier !== 'b') return;
      world.service.remove('a', 'stranger');
      world.service.put('a', Buffer.from('theirs'), 'stranger');
    };
    await world.rename('a', 'b');
    await world.clock.advance(10 * minuteMs);
    expect([textOf('a'), textOf('b')]).toEqual(['theirs', 'as it was']);
    const [, , deletion] = await world.database.transfers.getMany([1, 2, 3]);
    expect(deletion?.state).toEqual({ name: 'failed', error: { code: 'moveChanged', identifier: 'a' } });
    // The list knows nothing of it.
    const nothing = { lengthBytes: null, sha256: null, classification: null, storedAtMs: null };
    expect(await world.rowOf('a')).toMatchObject({ state: 'unknown', ...nothing });
  });

  test.each([
    ['a file', 'the new one'],
    ['a file in parts', 'the new one'.padEnd(6_000, '.')],
  ])('keeps what the list knows of %s that has replaced the object meanwhile', async (_, text) => {
    let replaced: Promise<void> | undefined;
    world.service.beforeRequest = (what, identifier) => {
      if (what === 'GET' && identifier === 'b') replaced ??= world.upload('a', { ifExists: 'replace', text });
    };
    await world.rename('a', 'b');
    await finish();
    await replaced;
    expect(await world.rowOf('a')).toMatchObject({
      state: 'stored',
      lengthBytes: text.length,
      sha256: hash('sha256', text),
      classification: 'Secret',
      sourceName: 'f2',
    });
    await world.upload('a', { ifExists: 'newVersion' });
    await finish();
    expect(world.service.classificationOf('a@2')).toBe('Secret');
  });

  test('does not move bytes it stores in place of the object before the copy', async () => {
    world.service.remove('a', 'stranger');
    world.service.put('a', Buffer.from('theirs'), 'stranger');
    await world.rename('a', 'b');
    await world.clock.advance(10 * minuteMs);
    expect([textOf('a'), textOf('b')]).toEqual(['theirs', undefined]);
  });

  test('does not copy an object that changes while it is read', async () => {
    let reads = 0;
    world.service.beforeRequest = (what, identifier) => {
      if (what !== 'GET' || identifier !== 'a') return;
      reads += 1;
      if (reads !== 2) return;
      world.service.remove('a', 'stranger');
      world.service.put('a', Buffer.from('theirs...'), 'stranger');
    };
    await world.rename('a', 'b');
    await world.clock.advance(30 * minuteMs);
    expect([textOf('a'), textOf('b')]).toEqual(['theirs...', undefined]);
  });

  const steps = Array.from({ length: 40 }, (_, index) => index + 1);
  const isThird = (step: number) => step % 3 === 1;
  async function renameKilledAt(stopsAt: number) {
    await world.rename('a', 'b');
    world.stopsAt = world.steps + stopsAt;
    await finish();
    await world.look();
    return { texts: [textOf('a'), textOf('b')], row: await world.rowOf('a') };
  }
  const moved = { texts: [undefined, 'as it was'], row: { state: 'gone', movedTo: 'b' } };

  test.each(steps.filter(isThird))(
    'killed at step %i, it ends with the object under one identifier, whole',
    async (stopsAt) => {
      expect(await renameKilledAt(stopsAt)).toMatchObject(moved);
    },
  );

  test.each(steps.filter((step) => !isThird(step)))(
    'killed at step %i, it ends in the same way',
    { tags: 'all' },
    async (stopsAt) => {
      expect(await renameKilledAt(stopsAt)).toMatchObject(moved);
    },
  );

  test('a check that sees the deletion first keeps the new identifier', async () => {
    let checked: Promise<void> | undefined;
    async function check(): Promise<void> {
      const row = await world.rowOf('a');
      const change = row && changeAfterHead(row, { present: false }, world.clock.nowMs());
      if (change) await world.database.catalogue.update([change]);
    }
    world.service.beforeRequest = (what, identifier) => {
      if (what === 'DELETE' && identifier === 'a') checked ??= check();
    };
    await world.rename('a', 'b');
    await finish();
    await checked;
    expect(await world.rowOf('a')).toMatchObject({ state: 'gone', movedTo: 'b' });
  });

  test.each(['lossy', 'unreachable'] as const)(
    'loses nothing in %s weather, and lists what stays',
    async (kind) => {
      await world.rename('a', 'b');
      world.setWeather({ kind });
      await world.clock.advance(minuteMs);
      expect([textOf('a'), textOf('b')]).toContain('as it was');
      world.setWeather({ kind: 'fine' });
      await finish();
      expect(textOf('b')).toBe('as it was');
      expect((await world.rowOf('a'))?.state).toBe(textOf('a') === undefined ? 'gone' : 'unknown');
    },
  );
});
