import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalDatabase } from '../../../test-support/main/catalogue/local-database.ts';
import { makeTestFolder, createTestLog } from '../../../test-support/main/test-ports.ts';
import { settingsDefault, type Settings } from '../../shared/domain/settings.ts';
import { AppFailure, toAppError } from '../../shared/errors.ts';
import type { KeptRow } from './kept-store.ts';
import { openKept, type Kept } from './kept.ts';
import { createVault } from './vault.ts';

const dayMs = 24 * 3_600_000;
const profileId = 'p';

async function begin(change: Partial<Settings> = {}) {
  const folder = await makeTestFolder();
  let nowMs = 1_800_000_000_000;
  const database = await openLocalDatabase(new DatabaseSync(':memory:'), () => nowMs);
  onTestFinished(() => database.close());
  await database.documents.put('profiles', profileId, {});
  const settings = { ...settingsDefault, ...change };
  const forgotten: KeptRow[] = [];
  const start = (freeBytes: number | null = 1e12) =>
    openKept({
      store: database.kept,
      vault: createVault(join(folder, 'kept'), async () => Buffer.alloc(32, 1)),
      settings: () => settings,
      clock: { nowMs: () => nowMs },
      log: createTestLog(),
      freeBytes: async () => freeBytes,
      requireKey: async () => undefined,
      onForgotten: (versions) => forgotten.push(...versions),
    });
  return {
    database,
    settings,
    forgotten,
    start,
    files: () => readdir(join(folder, 'kept')).catch(() => [] as string[]),
    folder: join(folder, 'kept'),
    pass: (ms: number) => (nowMs += ms),
  };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function keepOne(kept: Kept, id: number, text: string, identifier = 'a') {
  const of = { id, profileId, origin: 'https://one', identifier, classification: null, sourceName: 'a.txt' };
  const old = await kept.keep(of, 'old', bytes(text));
  const mine = await kept.keep(of, 'new', bytes(`what replaced ${text}`));
  return { old, mine };
}

test('what was replaced stays for its days, what replaced it goes when it is stored', async () => {
  const world = await begin();
  const kept = await world.start();
  const { old, mine } = await keepOne(kept, 1, 'x');
  expect(await kept.ofObject(profileId, 'a')).toEqual([]);
  expect(await kept.summary()).toMatchObject({ count: 2, clearableCount: 0 });
  await kept.finish(1, mine, mine);
  await kept.finish(1, mine, mine);
  expect(await kept.ofObject(profileId, 'a')).toMatchObject([
    { file: old.file, lengthBytes: 1, replacedBy: { sha256: mine.sha256, lengthBytes: mine.lengthBytes } },
  ]);
  expect(await world.files()).toEqual([old.file]);
  world.pass(30 * dayMs - 1);
  await kept.trim();
  expect(await world.files()).toHaveLength(1);
  world.pass(1);
  await kept.trim();
  expect(await world.files()).toEqual([]);
  expect(world.forgotten).toMatchObject([{ file: old.file }]);
});

test('beyond the limit the oldest go first, and never those of an unfinished Replace', async () => {
  const world = await begin({ keepReplacedBytes: 100_000_000 });
  const kept = await world.start();
  const finish = async (id: number, text: string) => {
    const { mine } = await keepOne(kept, id, text, `object ${id}`);
    world.pass(1000);
    await kept.finish(id, mine, mine);
  };
  await finish(1, 'first');
  await finish(2, 'second');
  const unfinished = await keepOne(kept, 3, 'third', 'object 3');
  world.settings.keepReplacedBytes = 'second'.length + 'thirdwhat replaced third'.length;
  await kept.trim();
  expect(await kept.ofObject(profileId, 'object 1')).toEqual([]);
  expect(await kept.ofObject(profileId, 'object 2')).toHaveLength(1);
  world.settings.keepReplacedBytes = 1;
  await kept.trim();
  expect((await world.files()).toSorted()).toEqual([unfinished.old.file, unfinished.mine.file].toSorted());
});

test('Clear takes the versions and nothing else', async () => {
  const world = await begin();
  const kept = await world.start();
  const { mine } = await keepOne(kept, 1, 'done');
  await kept.finish(1, mine, mine);
  await keepOne(kept, 2, 'half', 'b');
  let changes = 0;
  kept.onChanged(() => (changes += 1));
  expect(await kept.summary()).toEqual({ bytes: 26, count: 3, clearableBytes: 4, clearableCount: 1 });
  await kept.clear();
  expect(changes).toBeGreaterThan(0);
  expect(await kept.summary()).toMatchObject({ count: 2, clearableCount: 0 });
  expect(await world.files()).toHaveLength(2);
});

test('at a start a file without a row goes, and so does a row without a file', async () => {
  const world = await begin();
  const first = await world.start();
  const { old, mine } = await keepOne(first, 1, 'x');
  await first.finish(1, mine, mine);
  await writeFile(join(world.folder, 'ffffffffffffffffffffffffffffffff'), 'nobody knows it');
  await world.database.kept.add({
    file: 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
    profileId,
    origin: 'https://one',
    identifier: 'a',
    classification: null,
    sourceName: null,
    untilMs: 9e15,
    transferId: 7,
    role: 'old',
  });
  const again = await world.start();
  expect(await world.files()).toEqual([old.file]);
  expect(await again.ofObject(profileId, 'a')).toHaveLength(1);
  expect(await again.summary()).toMatchObject({ count: 1 });
  await createVault(world.folder, async () => Buffer.alloc(32)).remove(old.file);
  expect(await (await world.start()).ofObject(profileId, 'a')).toEqual([]);
});

test('what is of a service goes with it', async () => {
  const world = await begin();
  const kept = await world.start();
  const { mine } = await keepOne(kept, 1, 'x');
  await kept.finish(1, mine, mine);
  await kept.removeProfile(profileId);
  expect(await world.files()).toEqual([]);
  expect(await kept.summary()).toMatchObject({ count: 0 });
});

test('room is asked for before anything is begun; a disk that cannot say is not in the way', async () => {
  const world = await begin();
  const tight = await world.start(1000);
  const error = await tight.requireRoom(5000).catch(toAppError);
  expect(error).toMatchObject({ code: 'noRoomToKeep', freeBytes: 1000 });
  await expect((await world.start(null)).requireRoom(5000)).resolves.toBeUndefined();
  expect(error).not.toBeInstanceOf(AppFailure);
});
