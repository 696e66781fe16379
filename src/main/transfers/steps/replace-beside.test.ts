import { expect, onTestFinished, test } from 'vitest';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import {
  besides,
  newText,
  oldText,
  replacedId as id,
  textAt,
  untilOver,
} from '../../../../test-support/main/transfers/replace-world.ts';
import { World } from '../../../../test-support/main/transfers/world.ts';

/** What a Replace leaves beside the object and in the undo store, and what Undo restores it as. */

async function begin(): Promise<World> {
  const world = await World.begin();
  onTestFinished(() => world.leave());
  return world;
}

/** An object that we stored as Restricted, replaced by one that is Public. */
async function replaceRestricted(world: World): Promise<void> {
  await world.upload(id, { text: oldText, classification: 'Restricted' });
  await untilOver(world);
  await world.upload(id, { text: newText, classification: 'Public', ifExists: 'replace' });
  await untilOver(world);
}

const newest = async (world: World) => (await world.transfers()).toSorted((a, b) => a.id - b.id).at(-1);

test('Undo restores the old bytes with their own classification and name', async () => {
  const world = await begin();
  await replaceRestricted(world);
  expect(world.service.classificationOf(id)).toBe('Public');
  await world.undo(id);
  await untilOver(world);
  expect(textAt(world)).toBe(oldText);
  expect(world.service.classificationOf(id)).toBe('Restricted');
  expect(await world.rowOf(id)).toMatchObject({ classification: 'Restricted', sourceName: 'f1' });
  await world.undo(id);
  await untilOver(world);
  expect(world.service.classificationOf(id)).toBe('Public');
  expect(await world.rowOf(id)).toMatchObject({ classification: 'Public', sourceName: 'f2' });
});

test('an object without a classification does not inherit that of its replacement', async () => {
  const world = await begin();
  await world.upload(id, { text: oldText });
  await untilOver(world);
  await world.upload(id, { text: newText, classification: 'Public', ifExists: 'replace' });
  await untilOver(world);
  await world.undo(id);
  await untilOver(world);
  expect(world.service.classificationOf(id)).toBeNull();
});

test('the copy on the service keeps its own classification, there and in the list', async () => {
  const world = await begin();
  world.freeBytes = 1_000;
  await replaceRestricted(world);
  await world.keepOnService((await newest(world))?.id ?? 0);
  await untilOver(world);
  const [beside = ''] = besides(world);
  expect(textAt(world, beside)).toBe(oldText);
  expect(world.service.classificationOf(beside)).toBe('Restricted');
  expect((await world.rowOf(beside))?.classification).toBe('Restricted');
});

test.each([
  ['a file in parts', 'x'.repeat(5_000), 'y'.repeat(9_000)],
  ['a whole file', 'small', 'y'.repeat(9_000)],
])('Undo of a Replace by a file in parts does not prompt: %s', async (_, before, after) => {
  const world = await begin();
  await world.upload(id, { text: before });
  await untilOver(world);
  await world.upload(id, { text: after, ifExists: 'replace' });
  await untilOver(world);
  expect(await world.rowOf(id)).toMatchObject({ state: 'stored', lengthBytes: after.length });
  await world.undo(id);
  await untilOver(world);
  expect(await newest(world)).toMatchObject({ state: 'done' });
  expect(await world.rowOf(id)).toMatchObject({ state: 'stored', lengthBytes: before.length });
});

test.each([
  ['x'.repeat(5_000), 'partsShared', null],
  ['small', null, 'Restricted'],
])('a refused Undo can be reclassified only if the file is not chunked: %#', async (before, code, is) => {
  const world = await begin();
  await world.upload(id, { text: before });
  await untilOver(world);
  await world.upload(id, { text: newText, ifExists: 'replace' });
  await untilOver(world);
  world.service.beforeRequest = (what) => {
    if (what === 'POST') throw new AppFailure({ code: 'forbidden', status: 403 });
  };
  await world.undo(id);
  await untilOver(world);
  const { id: undo = 0 } = (await newest(world)) ?? {};
  world.service.beforeRequest = () => undefined;
  const { actions } = world.engine;
  const refusal = await actions.editAndRetry({ id: undo, identifier: id, classification: 'Restricted' }).then(
    () => null,
    (cause: unknown) => toAppError(cause)?.code,
  );
  expect(refusal).toBe(code);
  await actions.retry({ kind: 'ids', ids: [undo] });
  await untilOver(world);
  expect(await newest(world)).toMatchObject({ state: 'done' });
  expect(await world.rowOf(id)).toMatchObject({ lengthBytes: before.length, classification: is });
  expect(world.service.classificationOf(id)).toBe(is);
});

/** Calls `onPost` with the name beside the object that a POST is sent to. */
function watchStaged(world: World, onPost: (name: string, count: number) => void): void {
  let count = 0;
  world.service.beforeRequest = (what, identifier) => {
    if (what === 'POST' && identifier.includes('~r-')) onPost(identifier, (count += 1));
  };
}

const lost = { code: 'connectionLost', doneBytes: 0, expectedBytes: null, outcomeUnknown: true } as const;
const isStaging = ({ what, identifier }: { what: string; identifier: string }) =>
  what === 'POST' && identifier.includes('~r-');

test('cancelled while the copy beside is being sent: removes it although it arrives late', async () => {
  const world = await begin();
  const { promise, resolve } = Promise.withResolvers<void>();
  let staged = '';
  watchStaged(world, (name) => {
    staged = name;
    resolve(world.engine.actions.cancel({ kind: 'all' }));
  });
  world.service.refuses = (request) => (isStaging(request) ? lost : null);
  world.service.put(id, Buffer.from(oldText), 'stranger');
  await world.know(id);
  await world.upload(id, { text: newText, ifExists: 'replace' });
  await world.clock.advance(1_000);
  await world.settle(promise);
  await world.clock.advance(20_000);
  world.service.put(staged, Buffer.from(newText), 'us');
  await untilOver(world);
  expect((await newest(world))?.state).toBe('cancelled');
  expect(textAt(world)).toBe(oldText);
  expect(besides(world)).toEqual([]);
});

test('continues with a copy beside that shows late, and stores no second one', async () => {
  const world = await begin();
  const names = new Set<string>();
  let posts = 0;
  watchStaged(world, (name, count) => {
    names.add(name);
    posts = count;
  });
  world.service.refuses = (request) => {
    if (!isStaging(request) || posts > 2) return null;
    return posts === 1 ? lost : { code: 'exists', status: 409, message: '' };
  };
  world.service.onRequest = (what, identifier) => {
    if (what === 'GET' && names.has(identifier) && world.service.get(identifier) === undefined)
      world.service.put(identifier, Buffer.from(newText), 'us');
  };
  world.service.put(id, Buffer.from(oldText), 'stranger');
  await world.know(id);
  await world.upload(id, { text: newText, ifExists: 'replace' });
  await untilOver(world);
  expect((await newest(world))?.state).toBe('done');
  expect(names.size).toBe(1);
  expect(textAt(world)).toBe(newText);
  expect(besides(world)).toEqual([]);
});
