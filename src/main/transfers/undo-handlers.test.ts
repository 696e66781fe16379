import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalDatabase } from '../../../test-support/main/database/local-database.ts';
import { openTestUndoCopies } from '../../../test-support/main/transfers/undo-copies.ts';
import { createTestLog, makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { createUndoHandlers } from './undo-handlers.ts';
import { createUnknownFiles } from './undo/unknown-files.ts';
import { createVault } from './undo/vault.ts';

const serviceId = 'p';
const of = { serviceId, origin: 'o', identifier: 'a', classification: null, sourceName: null };

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Starts over this folder with an empty database. */
async function begin(folder: string) {
  const database = await openLocalDatabase(new DatabaseSync(':memory:'), Date.now);
  onTestFinished(() => database.close());
  await database.documents.put('services', serviceId, {});
  const log = createTestLog();
  const undoCopies = await openTestUndoCopies({ store: database.undoStore, folder, log });
  const dialogs = {
    saveFile: async (): Promise<string | null> => null,
    openFolders: async (): Promise<string[]> => [],
  };
  const shown: string[] = [];
  const restored: (string | null)[] = [];
  const inParts = { isIt: false };
  const handlers = createUndoHandlers({
    undoCopies,
    catalogue: database.catalogue,
    engine: {
      undoManifestOf: () => (inParts.isIt ? ({} as never) : null),
      enqueue: {
        undo: async ({ classification }) => {
          restored.push(classification);
          return 0;
        },
      },
    },
    connections: { originOf: () => 'o' },
    dialogs,
    desktop: { showInFolder: (path) => void shown.push(path) },
    unknown: createUnknownFiles([undoCopies.own], log),
    onUnknownRemoved: () => undefined,
  });
  return { database, undoCopies, handlers, dialogs, shown, restored, inParts };
}

test('lists and saves undo copies unknown to the database, and removes any only for the user', async () => {
  const folder = await makeTestFolder();
  const vault = join(folder, 'kept');
  const before = await begin(folder);
  const old = await before.undoCopies.keep({ ...of, id: 1 }, 'old', bytes('the only old bytes'));
  const cut = await before.undoCopies.keep({ ...of, id: 2 }, 'old', bytes('not written to its end'));
  await truncate(join(vault, cut.file), 70);
  const otherKey = 'f'.repeat(32);
  await createVault(vault, async () => Buffer.alloc(32, 9)).write(otherKey, bytes('of another data folder'));

  const { undoCopies, handlers, dialogs, shown } = await begin(folder);
  const mine = await undoCopies.keep({ ...of, id: 1 }, 'old', bytes('known'));
  const { files } = await handlers['undo.unknown'](undefined);
  const names = files.map(({ name }) => name);
  expect(names.toSorted()).toEqual(
    [old.file, cut.file, otherKey].map((name) => join('kept', name)).toSorted(),
  );
  expect(JSON.stringify(files)).not.toContain(folder);
  expect(files.every(({ isSealed }) => isSealed)).toBe(true);

  expect(await handlers['undo.saveUnknown']({ names })).toBeNull();
  const target = await makeTestFolder();
  dialogs.openFolders = async () => [target];
  const [date = ''] = new Date().toISOString().split('T');
  await writeFile(join(target, `Recovered file ${date}`), 'somebody’s');
  const answer = await handlers['undo.saveUnknown']({ names });
  expect(answer).toMatchObject({ savedCount: 1, unreadableCount: 2 });
  const saved = (await readdir(target)).toSorted();
  const texts = await Promise.all(saved.map((name) => readFile(join(target, name), 'utf8')));
  expect(texts.toSorted()).toEqual(['somebody’s', 'the only old bytes']);

  await handlers['undo.showUnknown']({ name: join('kept', old.file) });
  expect(shown).toEqual([join(vault, old.file)]);
  for (const name of [join('kept', mine.file), join(vault, old.file), `kept/../kept/${old.file}`]) {
    const refused = handlers['undo.showUnknown']({ name });
    await expect(refused).rejects.toMatchObject({ error: { code: 'notFound' } });
  }
  await handlers['undo.removeUnknown']({ names: [...names, join('kept', mine.file), '/etc/hostname'] });
  expect(await readdir(vault)).toEqual([mine.file]);
});

test('Undo asks when the object has another classification than the undo copy had', async () => {
  const world = await begin(await makeTestFolder());
  const { database, undoCopies, handlers, restored } = world;
  const object = { ...of, classification: 'Public' };
  const old = await undoCopies.keep({ ...object, id: 1 }, 'old', bytes('old'));
  await undoCopies.finish(1, old, { ...old, sha256: 'another' });
  const id = old.file;
  const restore = (classification: 'ask' | 'kept' | 'present') =>
    handlers['undo.restore']({ id, classification });
  // The list does not know the object.
  expect(await restore('ask')).toEqual({ transferId: 0 });
  const stored = { state: 'stored', storedAtMs: 1 } as const;
  await database.catalogue.add(serviceId, [
    { kind: 'data', identifier: 'a', patch: { ...stored, classification: 'Public' } },
  ]);
  expect(await restore('ask')).toEqual({ transferId: 0 });
  const row = (await database.catalogue.findByIdentifiers(serviceId, 'data', ['a'])).get('a');
  await database.catalogue.update([{ id: row?.id ?? 0, patch: { classification: 'Secret' } }]);
  const question = { identifier: 'a', kept: 'Public', present: 'Secret', isInParts: false };
  expect(await restore('ask')).toEqual(question);
  expect(restored).toEqual(['Public', 'Public']);
  await restore('present');
  await restore('kept');
  expect(restored.slice(2)).toEqual(['Secret', 'Public']);
  world.inParts.isIt = true;
  expect(await restore('ask')).toEqual({ ...question, isInParts: true });
  await expect(restore('present')).rejects.toMatchObject({ error: { code: 'partsShared' } });
  expect(restored).toHaveLength(4);
});

test('marks what is saved of an undo copy as come from elsewhere', async () => {
  const folder = await makeTestFolder();
  const { undoCopies, handlers, dialogs } = await begin(folder);
  const old = await undoCopies.keep({ ...of, id: 1 }, 'old', bytes('old bytes'));
  await undoCopies.finish(1, old, { ...old, sha256: 'another' });
  const target = await makeTestFolder();
  dialogs.saveFile = async () => join(target, 'old.exe');
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', { value: 'win32' });
  onTestFinished(() => void Object.defineProperty(process, 'platform', platform));
  expect(await handlers['undo.saveAs']({ id: old.file })).toEqual({ fileName: 'old.exe' });
  // The stream of NTFS is a file here.
  expect((await readdir(target)).toSorted()).toEqual([
    'old.exe',
    expect.stringMatching(/^old\.exe\.[0-9a-f]{8}\.part:Zone\.Identifier$/),
  ]);
});
