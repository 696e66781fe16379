import { mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLocalDatabase } from '../../../../test-support/main/database/local-database.ts';
import { makeTestFolder, createTestLog } from '../../../../test-support/main/test-ports.ts';
import { settingsDefault, type Settings } from '../../../shared/domain/settings.ts';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import type { UndoCopy } from './undo-store.ts';
import { undoUpload } from '../queue/record-factory.ts';
import { openUndoCopies, type UndoCopies } from './undo-copies.ts';
import { createVault } from './vault.ts';

const dayMs = 24 * 3_600_000;
const serviceId = 'p';

async function begin(change: Partial<Settings> = {}) {
  const folder = await makeTestFolder();
  let nowMs = 1_800_000_000_000;
  const database = await openLocalDatabase(new DatabaseSync(':memory:'), () => nowMs);
  onTestFinished(() => database.close());
  await database.documents.put('services', serviceId, {});
  const settings = { ...settingsDefault, ...change };
  const forgotten: UndoCopy[] = [];
  const start = (freeBytes: number | null | 'asks the disk' = 1e12) =>
    openUndoCopies({
      store: database.undoStore,
      vault: createVault(join(folder, 'kept'), async () => Buffer.alloc(32, 1)),
      settings: () => settings,
      log: createTestLog(),
      ...(freeBytes !== 'asks the disk' && { freeBytes: async () => freeBytes }),
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
    /** Runs Coffer for this many days, with a look every hour. */
    async run(undoCopies: UndoCopies, days: number) {
      for (let hours = 0; hours < days * 24; hours += 1) {
        nowMs += dayMs / 24;
        await undoCopies.trim();
      }
    },
  };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function keepOne(undoCopies: UndoCopies, id: number, text: string, identifier = 'a') {
  const of = { id, serviceId, origin: 'https://one', identifier, classification: null, sourceName: 'a.txt' };
  const old = await undoCopies.keep(of, 'old', bytes(text));
  const mine = await undoCopies.keep(of, 'new', bytes(`what replaced ${text}`));
  return { old, mine };
}

test('keeps the old object for its days, and drops the new bytes when they are stored', async () => {
  const world = await begin();
  const undoCopies = await world.start();
  const { old, mine } = await keepOne(undoCopies, 1, 'x');
  expect(await undoCopies.ofObject(serviceId, 'a')).toEqual([]);
  expect(await undoCopies.summary()).toMatchObject({ count: 2, clearableCount: 0 });
  await undoCopies.finish(1, mine, mine);
  await undoCopies.finish(1, mine, mine);
  expect(await undoCopies.ofObject(serviceId, 'a')).toMatchObject([
    { file: old.file, lengthBytes: 1, replacedBy: { sha256: mine.sha256, lengthBytes: mine.lengthBytes } },
  ]);
  expect(await world.files()).toEqual([old.file]);
  await world.run(undoCopies, 30);
  expect(await world.files()).toHaveLength(1);
  await world.run(undoCopies, 1);
  expect(await world.files()).toEqual([]);
  expect(await world.database.undoStore.files()).toEqual([]);
  expect(world.forgotten).toMatchObject([{ file: old.file }]);
});

test('removes the oldest first beyond the limit, and never those of an unfinished Replace', async () => {
  const world = await begin({ keepReplacedBytes: 100_000_000 });
  const undoCopies = await world.start();
  const finish = async (id: number, text: string) => {
    const { mine } = await keepOne(undoCopies, id, text, `object ${id}`);
    world.pass(1000);
    await undoCopies.finish(id, mine, mine);
  };
  await finish(1, 'first');
  await finish(2, 'second');
  const unfinished = await keepOne(undoCopies, 3, 'third', 'object 3');
  world.settings.keepReplacedBytes = 'second'.length + 'thirdwhat replaced third'.length;
  await undoCopies.trim();
  expect(await undoCopies.ofObject(serviceId, 'object 1')).toEqual([]);
  expect(await undoCopies.ofObject(serviceId, 'object 2')).toHaveLength(1);
  world.settings.keepReplacedBytes = 1;
  await undoCopies.trim();
  expect((await world.files()).toSorted()).toEqual([unfinished.old.file, unfinished.mine.file].toSorted());
});

test('names the objects whose bytes a Replace has taken away and not replaced', async () => {
  const world = await begin();
  const undoCopies = await world.start();
  const { mine } = await keepOne(undoCopies, 1, 'done');
  await undoCopies.finish(1, mine, mine);
  await keepOne(undoCopies, 2, 'half', 'b');
  expect(await undoCopies.onlyHere(serviceId)).toEqual([]);
  await undoCopies.release(2, null);
  expect(await undoCopies.onlyHere(serviceId)).toEqual(['b']);
  expect(await undoCopies.onlyHere('another')).toEqual([]);
});

test('Clear removes the versions and nothing else', async () => {
  const world = await begin();
  const undoCopies = await world.start();
  const { mine } = await keepOne(undoCopies, 1, 'done');
  await undoCopies.finish(1, mine, mine);
  await keepOne(undoCopies, 2, 'half', 'b');
  let changes = 0;
  undoCopies.onChanged(() => (changes += 1));
  expect(await undoCopies.summary()).toEqual({ bytes: 26, count: 3, clearableBytes: 4, clearableCount: 1 });
  await undoCopies.clear();
  expect(changes).toBeGreaterThan(0);
  expect(await undoCopies.summary()).toMatchObject({ count: 2, clearableCount: 0 });
  expect(await world.files()).toHaveLength(2);
});

test('keeps what an unfinished Undo restores, and removes it with the Undo', async () => {
  const world = await begin();
  const undoCopies = await world.start();
  const { old, mine } = await keepOne(undoCopies, 1, 'restored');
  await undoCopies.finish(1, mine, mine);
  const [version] = await undoCopies.ofObject(serviceId, 'a');
  if (!version) throw new Error('nothing was kept');
  const { transfers } = world.database;
  const upload = undoUpload({ serviceId, origin: 'https://one', createdAtMs: 0 }, version);
  const entered = await transfers.enqueue(serviceId, [upload, upload]);
  const [first = 0, second = 0] = entered.map(({ id }) => id);

  world.settings.keepReplacedBytes = 1;
  await undoCopies.trim();
  await undoCopies.clear();
  await world.run(undoCopies, 40);
  expect(await world.files()).toEqual([old.file]);
  expect(await undoCopies.summary()).toMatchObject({ count: 1, clearableCount: 0, clearableBytes: 0 });

  await undoCopies.keep({ ...version, id: second }, 'new', bytes('restored'));
  await undoCopies.finish(second, old, old);
  expect(await world.files()).toEqual([old.file]);
  await transfers.cancel({ kind: 'ids', ids: [first, second] });
  expect(await undoCopies.summary()).toMatchObject({ count: 1, clearableCount: 1 });
  await undoCopies.clear();
  expect(await world.files()).toEqual([]);
});

const notWhole = (file: string) => ({
  file,
  serviceId,
  origin: 'https://one',
  identifier: 'a',
  classification: null,
  sourceName: null,
  keepMs: 9e12,
  transferId: 7,
  role: 'old' as const,
});

test('a clock that is a month ahead for an hour, at a start and while running, removes nothing', async () => {
  const world = await begin();
  const undoCopies = await world.start();
  const { old, mine } = await keepOne(undoCopies, 1, 'x');
  await undoCopies.finish(1, mine, mine);
  const until = async () => (await undoCopies.ofObject(serviceId, 'a')).map(({ untilMs }) => untilMs);
  const before = await until();
  for (let times = 0; times < 5; times += 1) {
    world.pass(40 * dayMs);
    await undoCopies.trim();
    await world.start();
    world.pass(-40 * dayMs);
    await undoCopies.trim();
  }
  expect(await world.files()).toEqual([old.file]);
  expect(await until()).toEqual(before);
  // Nor does a long time in which Coffer did not run; what is shown is the minimum.
  world.pass(100 * dayMs);
  const again = await world.start();
  expect(await world.files()).toEqual([old.file]);
  expect(await until()).toEqual(before.map((atMs) => atMs + 99 * dayMs));
  await world.run(again, 30);
  expect(await world.files()).toEqual([]);
});

test('at a start keeps a file without a row, and a row without its file', async () => {
  const world = await begin();
  const first = await world.start();
  const { old, mine } = await keepOne(first, 1, 'x');
  await first.finish(1, mine, mine);
  const unknown = 'ffffffffffffffffffffffffffffffff';
  await writeFile(join(world.folder, unknown), 'newer than the database');
  await world.start();
  expect((await world.files()).toSorted()).toEqual([old.file, unknown].toSorted());
  // A disk that is not mounted looks the same.
  await rename(world.folder, `${world.folder} away`);
  await world.start();
  await rename(`${world.folder} away`, world.folder);
  expect(await (await world.start()).ofObject(serviceId, 'a')).toMatchObject([{ file: old.file }]);
});

test('at a start removes an unfinished file; a whole one with an older row becomes a version', async () => {
  const world = await begin();
  const [half, whole, gone] = ['d', 'e', 'f'].map((letter) => letter.repeat(32)) as [string, string, string];
  const vault = createVault(world.folder, async () => Buffer.alloc(32, 1));
  for (const file of [half, whole, gone]) await world.database.undoStore.add(notWhole(file));
  await vault.write(whole, bytes('the only old bytes'));
  await vault.write(half, bytes('cut'));
  await truncate(join(world.folder, half), 60);
  const undoCopies = await world.start();
  expect(await world.files()).toEqual([whole]);
  expect(await world.database.undoStore.files()).toEqual([whole, gone]);
  const [version] = await undoCopies.ofObject(serviceId, 'a');
  expect(version).toMatchObject({ file: whole, lengthBytes: 18 });
  // The Replace continues, keeps the same bytes once more, and then one of them is enough.
  const old = await undoCopies.keep({ ...notWhole(''), id: 7 }, 'old', bytes('the only old bytes'));
  await undoCopies.finish(7, old, { sha256: 'new', lengthBytes: 1 });
  expect(await world.files()).toEqual([old.file]);
});

test('removes a file at the next start whose removal was cut short', async () => {
  const world = await begin();
  const undoCopies = await world.start();
  const { old, mine } = await keepOne(undoCopies, 1, 'x');
  await undoCopies.finish(1, mine, mine);
  // The row is marked and the process ends.
  await world.database.undoStore.clear();
  expect(await world.files()).toEqual([old.file]);
  expect(await undoCopies.summary()).toMatchObject({ count: 0, bytes: 0 });
  expect(await undoCopies.has(old.file)).toBe(false);
  await world.start();
  expect(await world.files()).toEqual([]);
  expect(await world.database.undoStore.files()).toEqual([]);
});

describe('a manifest may be deleted on the service as soon as `has` is false', () => {
  async function keepVersion() {
    const world = await begin();
    const undoCopies = await world.start();
    const { old, mine } = await keepOne(undoCopies, 1, 'a list of parts');
    expect(await undoCopies.has(old.file)).toBe(true);
    await undoCopies.finish(1, mine, mine);
    return { world, undoCopies, ...old };
  }

  test('stays true while the file cannot be found, is damaged, or is not whole', async () => {
    const { world, file } = await keepVersion();
    const half = 'd'.repeat(32);
    await world.database.undoStore.add({ ...notWhole(half), keepMs: 30 * dayMs });
    const path = join(world.folder, file);
    await writeFile(path, 'damaged');
    expect(await (await world.start()).has(file)).toBe(true);
    await rename(world.folder, `${world.folder} away`);
    const undoCopies = await world.start();
    await world.run(undoCopies, 29);
    for (const each of [file, half]) expect(await (await world.start()).has(each)).toBe(true);
    await world.run(undoCopies, 3);
    for (const each of [file, half]) expect(await undoCopies.has(each)).toBe(false);
    expect(await world.database.undoStore.files()).toEqual([]);
  });

  test('stays true while an older copy of the database is in use that knows the file', async () => {
    const { world, undoCopies, file } = await keepVersion();
    await undoCopies.clear();
    expect(await undoCopies.has(file)).toBe(false);
    // As in the copy: the version is kept, and its file was removed since.
    await world.database.undoStore.add(notWhole(file));
    await world.database.undoStore.adopt(file, { lengthBytes: 15, sha256: 'digest' });
    expect(await (await world.start()).has(file)).toBe(true);
  });

  test('is false once the row is marked, also while the file cannot be removed', async () => {
    const { world, undoCopies, file } = await keepVersion();
    await rm(join(world.folder, file));
    await mkdir(join(world.folder, file));
    await undoCopies.clear();
    expect(await undoCopies.has(file)).toBe(false);
    expect(await world.database.undoStore.files()).toEqual([file]);
    expect(await (await world.start()).has(file)).toBe(false);
  });
});

test('removes the undo copies of a removed service', async () => {
  const world = await begin();
  const undoCopies = await world.start();
  const { mine } = await keepOne(undoCopies, 1, 'x');
  await undoCopies.finish(1, mine, mine);
  await undoCopies.removeService(serviceId);
  expect(await world.files()).toEqual([]);
  expect(await undoCopies.summary()).toMatchObject({ count: 0 });
});

test('checks for room before anything begins; a disk that cannot tell does not block', async () => {
  const world = await begin();
  const tight = await world.start(1000);
  const error = await tight.requireRoom(5000).catch(toAppError);
  expect(error).toMatchObject({ code: 'noRoomToKeep', freeBytes: 1000 });
  await expect((await world.start(null)).requireRoom(5000)).resolves.toBeUndefined();
  expect(error).not.toBeInstanceOf(AppFailure);
});

test('checks the disk before the first undo copy makes the folder', async () => {
  const world = await begin();
  const undoCopies = await world.start('asks the disk');
  const error = await undoCopies.requireRoom(Number.MAX_SAFE_INTEGER).catch(toAppError);
  expect(error).toMatchObject({ code: 'noRoomToKeep', freeBytes: expect.any(Number) });
});
