import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestKind } from '../../../shared/domain/service.ts';
import {
  besides,
  failuresOf,
  newText,
  oldText,
  replacedId as id,
  someMishaps,
  textAt,
  untilOver,
} from '../../../../test-support/main/transfers/replace-world.ts';
import { serviceId } from '../../../../test-support/main/transfers/world-acts.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

async function begin(): Promise<World> {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  return world;
}

async function replace(
  world: World,
  ifExists: 'replace' | 'ask' = 'replace',
  route: RequestKind = 'direct',
): Promise<void> {
  world.service.put(id, Buffer.from(oldText), 'stranger');
  await world.know(id);
  await world.upload(id, { ifExists, route, text: newText });
}

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

test('replaces an object and keeps the old one', async () => {
  const world = await begin();
  await replace(world);
  await untilOver(world);
  await world.look();
  expect(await world.transfers()).toMatchObject([
    { state: 'done', outcome: { kind: 'stored', verifiedBy: 'digest', replaced: { beside: null } } },
  ]);
  expect(textAt(world)).toBe(newText);
  expect(besides(world)).toEqual([]);
  expect(await world.rowOf(id)).toMatchObject({
    state: 'stored',
    lengthBytes: newText.length,
    sha256: sha256Of(newText),
  });
  const [version, ...others] = await world.undoCopies.ofObject(serviceId, id);
  expect(others).toEqual([]);
  expect(version).toMatchObject({ lengthBytes: oldText.length, replacedBy: { lengthBytes: newText.length } });
  expect(await readdir(join(world.folder, 'kept'))).toEqual([version?.file]);
});

/** Steps of the longest Replace; `npm run soak -- --replace` runs all mishaps. */
const steps = 150;
const requests = 17;
const parts = 3;

const failuresOfPart = (part: number) =>
  failuresOf([...someMishaps(steps, requests)].filter((_, index) => index % parts === part));

// Kills at other steps and requests than reclassify.test.ts, whose changes take most of the same steps.
test('killed at requests and durable writes, in every weather and with strangers, it holds its invariants', async () => {
  expect(await failuresOfPart(1)).toEqual([]);
});

test.each([0, 2])(
  'killed at other requests and durable writes, in every weather and with strangers, it holds its invariants (%i)',
  { tags: 'all' },
  async (part) => {
    expect(await failuresOfPart(part)).toEqual([]);
  },
);

test('an answer replaces the object that the prompt described', async () => {
  const world = await begin();
  await replace(world, 'ask');
  await untilOver(world);
  await world.answer('replace', false);
  await untilOver(world);
  expect(textAt(world)).toBe(newText);
  expect(await world.undoCopies.ofObject(serviceId, id)).toHaveLength(1);
});

test('a Replace that waits for its last check does not delay the announcement of what is done', async () => {
  const world = await begin();
  await replace(world);
  await world.clock.advance(30_000);
  expect(await world.seen(() => world.transfers())).toMatchObject([{ replacing: { step: 'check' } }]);
  const { summary } = await world.settle(world.engine.page({ tab: 'transfers', offset: 0, limit: 1 }));
  expect(summary.transfers).toMatchObject({
    counts: { moving: 1 },
    byDirection: { upload: { done: 0, moving: 0, waiting: 0 } },
  });
});

test('held up by its service, shows for how long and at which step', async () => {
  const world = await begin();
  world.service.weatherOf = (what) =>
    what === 'DELETE' ? { kind: 'unavailable', retryAfterMs: 600_000 } : null;
  await replace(world);
  await world.clock.advance(30_000);
  expect(await world.seen(() => world.transfers())).toMatchObject([
    {
      state: 'verifying',
      waitingFor: 'retry',
      error: { code: 'serverError', status: 503 },
      replacing: { step: 'delete', isOut: true },
    },
  ]);
  const { summary } = await world.settle(world.engine.page({ tab: 'transfers', offset: 0, limit: 1 }));
  expect({ ...summary.transfers.counts, verifying: summary.verifying }).toMatchObject({
    waiting: 1,
    moving: 0,
    verifying: 0,
  });
});

test('held up after a deferred request, shows the same in the jobs tab, and continues after a retry', async () => {
  const world = await begin();
  let isDown = true;
  world.service.weatherOf = (what) =>
    what === 'DELETE' && isDown ? { kind: 'unavailable', retryAfterMs: 600_000 } : null;
  await replace(world, 'replace', 'deferred');
  await world.clock.advance(60_000);
  const [job] = await world.seen(() => world.jobs());
  expect(job).toMatchObject({
    state: 'verifying',
    waitingFor: 'retry',
    retryAtMs: expect.any(Number),
    error: { code: 'serverError', status: 503 },
    replacing: { step: 'delete', isOut: true },
  });
  const { summary } = await world.settle(world.engine.page({ tab: 'jobs', offset: 0, limit: 1 }));
  expect(summary.jobs.counts).toMatchObject({ moving: 0, waiting: 1 });
  isDown = false;
  await world.settle(world.engine.actions.retry({ kind: 'ids', ids: [job?.id ?? 0] }));
  await untilOver(world);
  expect(await world.jobs()).toMatchObject([{ state: 'done', waitingFor: null, error: null }]);
  expect(textAt(world)).toBe(newText);
});

test('prompts again without touching anything when the object is not the one of the prompt', async () => {
  const world = await begin();
  await replace(world, 'ask');
  await untilOver(world);
  world.service.remove(id, 'stranger');
  world.service.put(id, Buffer.from('another one of another length'), 'stranger');
  await world.answer('replace', false);
  await untilOver(world);
  expect(textAt(world)).toBe('another one of another length');
  expect((await world.transfers())[0]).toMatchObject({ waitingFor: 'answer' });
  expect(await readdir(join(world.folder, 'kept')).catch(() => [])).toEqual([]);
  expect(besides(world)).toEqual([]);
  expect((await world.rowOf(id))?.state).toBe('stored');
  await world.answer('replace', false);
  await untilOver(world);
  expect(textAt(world)).toBe(newText);
});

test('prompts when the object is not the one that the list knows by its digest', async () => {
  const world = await begin();
  world.service.put(id, Buffer.from(oldText), 'stranger');
  const row = { state: 'stored', lengthBytes: oldText.length, sha256: sha256Of('something else') } as const;
  await world.database.catalogue.add(serviceId, [{ kind: 'data', identifier: id, patch: row }]);
  await world.upload(id, { ifExists: 'replace', text: newText });
  await untilOver(world);
  expect((await world.transfers())[0]).toMatchObject({ waitingFor: 'answer' });
  expect(textAt(world)).toBe(oldText);
  // The prompt compares with the object itself, not with the list.
  expect(await world.settle(world.engine.conflictPrompt(null))).toMatchObject({
    replacing: 'changed',
    stored: { lengthBytes: oldText.length, sha256: sha256Of(oldText), storedAtMs: null, known: false },
  });
});

test('does nothing when the bytes are the same', async () => {
  const world = await begin();
  world.service.put(id, Buffer.from(newText), 'stranger');
  await world.know(id);
  await world.upload(id, { ifExists: 'replace', text: newText });
  await untilOver(world);
  expect(await world.transfers()).toMatchObject([
    { state: 'done', outcome: { kind: 'skipped', isIdentical: true } },
  ]);
  expect(world.service.deletions).toEqual([]);
  expect(await readdir(join(world.folder, 'kept'))).toEqual([]);
});

test('reports a disk without room for both versions before touching anything, and can keep them on the service', async () => {
  const world = await begin();
  world.freeBytes = 1000;
  await replace(world);
  await untilOver(world);
  const [failed] = await world.transfers();
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'noRoomToKeep', freeBytes: 1000 } });
  expect(world.service.requests.map(({ what }) => what)).not.toContain('POST');
  expect(textAt(world)).toBe(oldText);
  await world.engine.actions.keepOnService(failed?.id ?? 0);
  await untilOver(world);
  await world.look();
  const [beside = ''] = besides(world);
  expect([textAt(world), textAt(world, beside)]).toEqual([newText, oldText]);
  expect(beside).toMatch(/^a\/report\.txt~o-[0-9a-f]{16}$/);
  expect(await world.transfers()).toMatchObject([
    { state: 'done', outcome: { replaced: { kept: null, beside } } },
  ]);
  expect(await world.rowOf(beside)).toMatchObject({ state: 'stored', lengthBytes: oldText.length });
  expect(await readdir(join(world.folder, 'kept')).catch(() => [])).toEqual([]);
});

test('says nothing of an object that it found in its place and could not replace', async () => {
  const world = await begin();
  world.service.put('b', Buffer.from(oldText), 'stranger');
  world.freeBytes = 1000;
  await world.upload('b', { ifExists: 'replace', classification: 'Internal' });
  await untilOver(world);
  expect(await world.transfers()).toMatchObject([{ state: 'failed', error: { code: 'noRoomToKeep' } }]);
  expect(await world.rowOf('b')).toMatchObject({
    state: 'unknown',
    classification: null,
    lengthBytes: null,
    sourceName: null,
  });
});

test('somebody replaces the object before its copy on the service is made: what is there now is copied', async () => {
  const world = await begin();
  world.freeBytes = 1000;
  await replace(world);
  await untilOver(world);
  const [failed] = await world.transfers();
  const from = world.service.requests.length;
  world.service.onRequest = (what, identifier) => {
    if (what !== 'GET' || identifier !== id) return;
    world.service.onRequest = () => undefined;
    world.service.put(id, Buffer.from('somebody else’s'), 'stranger');
  };
  await world.engine.actions.keepOnService(failed?.id ?? 0);
  await world.clock.advance(10_000);
  expect(world.service.requests.length - from).toBeLessThan(50);
  await untilOver(world);
  const [beside = ''] = besides(world);
  expect([textAt(world), textAt(world, beside)]).toEqual([newText, 'somebody else’s']);
  expect(await world.transfers()).toMatchObject([{ state: 'done' }]);
});

test('cancelled before the deletion, restores everything; after it, continues', async () => {
  for (const isLate of [false, true]) {
    const world = await begin();
    world.service.deletionMs = 3_000;
    const { promise, resolve } = Promise.withResolvers<void>();
    world.service.onRequest = (what, identifier) => {
      const isIt = isLate ? what === 'DELETE' && identifier === id : what === 'POST';
      if (isIt) resolve(world.engine.actions.cancel({ kind: 'all' }));
    };
    await replace(world);
    await world.clock.advance(1_000);
    await world.settle(promise);
    await untilOver(world);
    await world.look();
    expect((await world.transfers())[0]?.state).toBe(isLate ? 'done' : 'cancelled');
    expect(textAt(world)).toBe(isLate ? newText : oldText);
    expect(besides(world)).toEqual([]);
    expect(await readdir(join(world.folder, 'kept'))).toHaveLength(isLate ? 1 : 0);
    expect((await world.rowOf(id))?.state).toBe('stored');
  }
});

test.each([400, 403, 413] as const)('a refusal with %i comes before anything is touched', async (status) => {
  const world = await begin();
  const code = { 400: 'badRequest', 403: 'forbidden', 413: 'tooLarge' } as const;
  world.service.refuses = ({ what, identifier }) =>
    what === 'POST' && identifier !== id ? { code: code[status], status } : null;
  await replace(world);
  await untilOver(world);
  await world.look();
  expect((await world.transfers())[0]).toMatchObject({ state: 'failed', error: { code: code[status] } });
  expect(textAt(world)).toBe(oldText);
  expect(world.service.deletions).toEqual([]);
  expect(await readdir(join(world.folder, 'kept'))).toEqual([]);
  expect((await world.rowOf(id))?.state).toBe('stored');
});

test('a failed Replace of an object that the list did not know does not say that nothing is there', async () => {
  const world = await begin();
  world.service.refuses = ({ what, identifier }) =>
    what === 'POST' && identifier !== id ? { code: 'forbidden', status: 403 } : null;
  world.service.put(id, Buffer.from(oldText), 'stranger');
  await world.upload(id, { ifExists: 'replace', text: newText });
  await untilOver(world);
  expect((await world.transfers())[0]).toMatchObject({ state: 'failed', error: { code: 'forbidden' } });
  expect((await world.rowOf(id))?.state).toBe('unknown');
});

test('a service that deletes nothing keeps the old object, and so does the undo store; a retry continues', async () => {
  const world = await begin();
  world.service.deletionKind = 'lost';
  await replace(world);
  await untilOver(world);
  await world.look();
  const [failed] = await world.transfers();
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'stillThere' } });
  expect(textAt(world)).toBe(oldText);
  expect(await readdir(join(world.folder, 'kept'))).toHaveLength(2);
  expect((await world.rowOf(id))?.state).toBe('unknown');
  world.service.deletionKind = 'usual';
  await world.retry(failed?.id ?? 0);
  await untilOver(world);
  await world.look();
  expect(textAt(world)).toBe(newText);
  expect(besides(world)).toEqual([]);
  expect(await readdir(join(world.folder, 'kept'))).toHaveLength(1);
});

test('where HEAD gives no length, the copy beside the object is compared before the object is deleted', async () => {
  const world = await begin();
  world.service.headLength = false;
  world.service.onRequest = (what, identifier) => {
    if (what !== 'POST' || !identifier.startsWith(`${id}~r-`)) return;
    world.service.remove(identifier, 'stranger');
    world.service.put(identifier, Buffer.from(newText.slice(1)), 'stranger');
  };
  await replace(world);
  await untilOver(world);
  await world.look();
  expect((await world.transfers())[0]).toMatchObject({
    state: 'failed',
    error: { code: 'storedLengthDiffers', storedBytes: null },
  });
  expect(textAt(world)).toBe(oldText);
  expect(world.service.deletions.filter(({ identifier }) => identifier === id)).toEqual([]);
});

const noSuccess = { code: 'unexpectedAnswer', status: 200, problem: 'success: false, status: 500' } as const;

test('a DELETE that is answered with something else than a success fails soon, and a retry sends it again', async () => {
  const world = await begin();
  world.service.refuses = ({ what, identifier }) =>
    what === 'DELETE' && identifier === id ? noSuccess : null;
  const sent = () =>
    world.service.requests.filter(({ what, identifier }) => `${what} ${identifier}` === `DELETE ${id}`);
  await replace(world);
  await world.clock.advance(60_000);
  const [failed] = await world.transfers();
  expect(failed).toMatchObject({ state: 'failed', error: noSuccess });
  expect(sent()).toHaveLength(1);
  expect(textAt(world)).toBe(oldText);
  expect(await readdir(join(world.folder, 'kept'))).toHaveLength(2);
  expect((await world.rowOf(id))?.state).toBe('unknown');
  world.service.refuses = () => null;
  await world.retry(failed?.id ?? 0);
  await untilOver(world);
  await world.look();
  expect(textAt(world)).toBe(newText);
  expect(sent()).toHaveLength(2);
  expect(besides(world)).toEqual([]);
});

test('sends a DELETE that a gateway answers with its page again', async () => {
  const world = await begin();
  const deletions = () =>
    world.service.requests.filter(({ what, identifier }) => what === 'DELETE' && identifier === id);
  world.service.refuses = ({ what, identifier }) => {
    const isFirst = what === 'DELETE' && identifier === id && deletions().length === 1;
    return isFirst ? { ...noSuccess, problem: 'a web page', notService: 'page', host: 'one' } : null;
  };
  await replace(world);
  // Without end: it read the object again and again, with no time between.
  await untilOver(world);
  await world.look();
  expect((await world.transfers())[0]).toMatchObject({ state: 'done' });
  expect(deletions()).toHaveLength(2);
  expect(textAt(world)).toBe(newText);
  expect(besides(world)).toEqual([]);
});

test('a DELETE that is answered like that and carried out counts by HEAD', async () => {
  const world = await begin();
  world.service.refuses = ({ what, identifier }) => {
    if (what !== 'DELETE' || identifier !== id) return null;
    world.service.remove(id, 'us');
    return noSuccess;
  };
  await replace(world);
  await untilOver(world);
  await world.look();
  expect((await world.transfers())[0]).toMatchObject({ state: 'done' });
  expect(textAt(world)).toBe(newText);
});

test('a failed Replace that leaves the list keeps both versions, with the one on the service in the list', async () => {
  const world = await begin();
  world.service.deletionKind = 'lost';
  await replace(world);
  await untilOver(world);
  const [failed] = await world.transfers();
  await world.engine.actions.drop({ kind: 'ids', ids: [failed?.id ?? 0] });
  const versions = await world.undoCopies.ofObject(serviceId, id);
  expect(new Set(versions.map(({ lengthBytes }) => lengthBytes))).toEqual(
    new Set([oldText.length, newText.length]),
  );
  const [staged = ''] = besides(world);
  expect(await world.rowOf(staged)).toMatchObject({ state: 'unknown', lengthBytes: newText.length });
});

test('two at once: the second starts from what the first has stored', async () => {
  const world = await begin();
  await replace(world);
  await world.upload(id, { ifExists: 'replace', text: 'the newest one' });
  await untilOver(world);
  await world.look();
  const texts = world.service.versions.get(id)?.map(({ text }) => text);
  expect(texts).toHaveLength(3);
  expect(new Set([newText, 'the newest one']).has(textAt(world) ?? '')).toBe(true);
  const kept = await world.undoCopies.ofObject(serviceId, id);
  expect(kept).toHaveLength(2);
});

test('a deletion waits for a Replace', async () => {
  const world = await begin();
  world.service.answerMs = 400;
  await replace(world);
  await world.clock.advance(1_000);
  expect((await world.rowOf(id))?.state).toBe('stored');
  await world.delete(id);
  await untilOver(world);
  await world.clock.advance(60_000);
  await world.look();
  expect((await world.transfers())[0]?.state).toBe('done');
  expect(textAt(world)).toBeUndefined();
  expect((await world.rowOf(id))?.state).toBe('gone');
});

test('Undo restores the old bytes, and can itself be undone', async () => {
  const world = await begin();
  await replace(world);
  await untilOver(world);
  await world.undo(id);
  await untilOver(world);
  await world.look();
  expect(textAt(world)).toBe(oldText);
  const versions = await world.undoCopies.ofObject(serviceId, id);
  expect(versions.map(({ sha256 }) => sha256)).toEqual([sha256Of(newText)]);
  await world.undo(id);
  await untilOver(world);
  expect(textAt(world)).toBe(newText);
});

test('Undo prompts when the service holds something else by now', async () => {
  const world = await begin();
  await replace(world);
  await untilOver(world);
  world.service.remove(id, 'stranger');
  world.service.put(id, Buffer.from('changed since'), 'stranger');
  await world.undo(id);
  await untilOver(world);
  expect((await world.transfers())[0]).toMatchObject({ waitingFor: 'answer' });
  expect(textAt(world)).toBe('changed since');
});

test.each([0, 40_000])(
  'a file in parts that is replaced, killed right after its DELETE was carried out: its parts are removed at last, with a deletion that takes %i ms',
  async (deletionMs) => {
    const world = await begin();
    await world.upload(id, { sizeBytes: 9_500 });
    await world.clock.advance(10_000);
    world.service.deletionMs = deletionMs;
    let isFirst = true;
    world.service.weatherOf = (what, identifier) => {
      // One step before the service carries it out, and one after.
      if (what === 'DELETE' && identifier === id && isFirst) world.stopsAt = world.steps + 2;
      if (what === 'DELETE' && identifier === id) isFirst = false;
      return null;
    };
    await world.upload(id, { ifExists: 'replace', text: newText });
    await world.clock.advance(60_000);
    expect(world.isAlive).toBe(false);
    await world.kill(1_000);
    await world.clock.advance(200_000);
    await world.end();
    expect(textAt(world)).toBe(newText);
  },
);
