import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, unlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  serviceId,
  startEditBench,
  textOf,
  until,
  type EditBench,
} from '../../../test-support/main/edits/edit-bench.ts';
import { editRecordSchema } from './edit-record.ts';

/**
 * Removes copies whose content may have changed. Saves are not visible in ctime here, as on FAT and some
 * network drives.
 */
vi.mock(import('../local-files/file-state.ts'), async (original) => {
  const real = await original();
  return { ...real, isUntouched: real.isSameState };
});

let bench: EditBench;
beforeEach(async () => {
  bench = await startEditBench();
  await bench.bench.store(name, 'as it was');
});
afterEach(() => bench.close());

const name = 'reports/minutes.txt';
const past = new Date(1_600_000_000_000);
const state = async () => (await bench.one())?.state;
const objectId = async () => (await bench.bench.rowOf(name))?.id ?? 0;

/** Unknown files listed for one of our folders. */
async function unknown(name: 'edits' | 'opened'): Promise<readonly string[]> {
  const own = bench.edits.folders.find(({ folder }) => basename(folder) === name);
  return (await own?.unknownOf(await readdir(own.folder))) ?? [];
}

/** Begins an edit whose copy was last checked with a modification time that a program can restore. */
async function begin() {
  const begun = await bench.begin(name);
  await utimes(begun.copy, past, past);
  await bench.untilLooked();
  return begun;
}

/** Synchronously, so that no check sees the intermediate modification time. */
function savePast(copy: string, text: string): void {
  writeFileSync(copy, text);
  utimesSync(copy, past, past);
}

function saveUnnoticed(copy: string, text: string): void {
  const { size } = statSync(copy);
  savePast(copy, text);
  expect(statSync(copy).size).toBe(size);
}

async function open(): Promise<string> {
  await bench.edits.handlers['edits.open']({ objectId: await objectId() });
  return bench.opened.at(-1) ?? '';
}

/** Like an editor that writes a new file and renames it, which permissions of the old file do not prevent. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.tmp`, text);
  await rename(`${path}.tmp`, path);
}

describe('an edit', () => {
  test('finishing stores an unnoticed save before it removes the copy', async () => {
    const { id, copy } = await begin();
    saveUnnoticed(copy, 'AS IT WAS');
    await bench.untilLooked();
    expect(bench.stored('AS IT WAS')).toBe(0);
    bench.bench.server.plan = ({ method }) => (method === 'POST' ? { status: 503 } : null);
    await bench.edits.handlers['edits.finish']({ id });
    await until(async () => (await bench.one())?.mine?.lengthBytes).toBe(9);
    expect(await textOf(copy)).toBe('AS IT WAS');
    bench.bench.server.plan = () => null;
    await until(() => bench.stored('AS IT WAS')).toBe(1);
    await until(() => bench.list()).toEqual([]);
    await until(() => bench.files()).toEqual([]);
  });

  test.each(['before', 'in'])('stores a save made after a kill %s the removal', async (when) => {
    const { id, copy } = await begin();
    await bench.restart(async () => {
      saveUnnoticed(copy, 'AS IT WAS');
      const record = editRecordSchema.parse(await bench.bench.documents.get('edits', id));
      await bench.bench.documents.put('edits', id, { ...record, isFinishing: true, isEnding: true });
      if (when === 'in') await rename(dirname(copy), `${dirname(copy)}.removing`);
    });
    await until(() => bench.stored('AS IT WAS')).toBe(1);
    await until(() => bench.list()).toEqual([]);
    await until(() => bench.files()).toEqual([]);
    await expect.poll(() => readdir(join(bench.userData, 'edits'))).toEqual([]);
  });

  test('discarding gives up the saves that were shown, but not a newer one', async () => {
    const { id, copy } = await begin();
    bench.bench.server.plan = ({ method }) => (method === 'POST' ? { status: 403 } : null);
    savePast(copy, 'refused');
    await until(state).toBe('failed');
    saveUnnoticed(copy, 'NEWER..');
    bench.bench.server.plan = () => null;
    await bench.edits.handlers['edits.answer']({ id, answer: 'discard' });
    await until(() => bench.stored('NEWER..')).toBe(1);
    expect(bench.stored('refused')).toBe(0);
  });

  test('removing the service keeps an unnoticed save and reports where it is', async () => {
    const { copy } = await begin();
    saveUnnoticed(copy, 'AS IT WAS');
    await bench.edits.removeService(serviceId);
    expect(await bench.list()).toEqual([]);
    expect(await textOf(copy)).toBe('AS IT WAS');
    expect(bench.left).toEqual([dirname(copy)]);
    await bench.restart();
    expect(await textOf(copy)).toBe('AS IT WAS');
    expect(await unknown('edits')).toEqual([basename(dirname(copy))]);
  });

  test('removes nothing if the service is not set up at the start', async () => {
    const { id, copy } = await begin();
    await bench.restart(async () => {
      await writeFile(copy, 'not stored yet');
      const record = editRecordSchema.parse(await bench.bench.documents.get('edits', id));
      await bench.bench.documents.put('edits', id, { ...record, serviceId: 'another' });
    });
    expect(await bench.list()).toEqual([]);
    expect(await textOf(copy)).toBe('not stored yet');
    expect(await bench.bench.documents.get('edits', id)).toMatchObject({ serviceId: 'another' });
    expect(await unknown('edits')).toContain(id);
  });

  test('other files beside the copy block finishing until they are gone', async () => {
    const { id, copy } = await begin();
    const lock = join(dirname(copy), '~$minutes.txt');
    await writeFile(lock, 'a program has it open');
    await bench.edits.handlers['edits.finish']({ id });
    const error = { code: 'editNotFinished', problem: 'filesBeside', fileNames: ['~$minutes.txt'] };
    await until(async () => (await bench.one())?.error).toEqual(error);
    expect(await bench.one()).toMatchObject({ state: 'editing', isFinishing: false });
    // Still being edited.
    await replace(copy, 'a later save');
    await until(() => bench.stored('a later save')).toBe(1);
    await unlink(lock);
    await bench.edits.handlers['edits.finish']({ id });
    await until(() => bench.list()).toEqual([]);
    await until(() => bench.files()).toEqual([]);
  });

  test('deletes the named files beside the copy on request', async () => {
    const { id, copy } = await begin();
    await writeFile(`${copy}~`, 'a backup');
    await bench.edits.handlers['edits.finish']({ id });
    await until(async () => (await bench.one())?.error?.code).toBe('editNotFinished');
    await writeFile(join(dirname(copy), 'saved as.txt'), 'another');
    await bench.edits.handlers['edits.answer']({ id, answer: 'deleteBeside' });
    await until(async () => (await bench.one())?.error).toMatchObject({ fileNames: ['saved as.txt'] });
    expect(existsSync(`${copy}~`)).toBe(false);
    await bench.edits.handlers['edits.answer']({ id, answer: 'deleteBeside' });
    await until(() => bench.list()).toEqual([]);
    await until(() => bench.files()).toEqual([]);
  });

  test('giving up a save keeps other files beside the copy and reports their location', async () => {
    const { id, copy } = await begin();
    bench.bench.server.plan = ({ method }) => (method === 'POST' ? { status: 403 } : null);
    await writeFile(join(dirname(copy), 'saved as.txt'), 'another');
    await writeFile(copy, 'unwanted');
    await until(state).toBe('failed');
    await bench.edits.handlers['edits.answer']({ id, answer: 'discard' });
    await until(() => bench.left).toEqual([dirname(copy)]);
    expect(await readdir(dirname(copy))).toEqual(['saved as.txt']);
    expect(await bench.list()).toEqual([]);
  });

  test('a copy that cannot be read stays', async () => {
    const { id, copy } = await begin();
    await unlink(copy);
    await mkdir(copy);
    await bench.edits.handlers['edits.finish']({ id });
    await until(async () => (await bench.one())?.error).toMatchObject({ problem: 'inUse' });
    expect(existsSync(copy)).toBe(true);
  });

  test('a late download never replaces a save', async () => {
    let isHeld = true;
    bench.bench.server.plan = ({ method }) =>
      method === 'GET' && isHeld ? { holdRequest: () => !isHeld } : null;
    const { id } = await bench.edits.handlers['edits.begin']({ objectId: await objectId() });
    const copy = join(bench.userData, 'edits', id, 'minutes.txt');
    await writeFile(copy, 'saved before the database was restored');
    isHeld = false;
    await until(() => bench.stored('saved before the database was restored')).toBe(1);
    expect(await readdir(dirname(copy))).toEqual(['minutes.txt']);
  });
});

describe('a copy opened for viewing', () => {
  test('keeps a modified copy at the next start, and reports its location', async () => {
    const [copy, other] = [await open(), await bench.bench.store('b.txt', 'the other')];
    await bench.edits.handlers['edits.open']({ objectId: other });
    await replace(copy, 'mine');
    for (const times of [1, 2]) {
      await bench.restart();
      await until(() => bench.left).toHaveLength(times);
      await until(() => bench.files()).toEqual([expect.stringContaining('minutes.txt')]);
      expect(await textOf(copy)).toBe('mine');
    }
    expect(bench.left[0]).toBe(join(bench.userData, 'opened'));
    await replace(copy, 'as it was');
    await bench.restart();
    await until(() => bench.files()).toEqual([]);
  });

  test('a copy modified with the same length and mtime stays when its row is removed', async () => {
    const copy = await open();
    await chmod(copy, 0o600);
    await utimes(copy, past, past);
    saveUnnoticed(copy, 'AS IT WAS');
    await bench.bench.catalogue.remove([await objectId()]);
    bench.rowsChanged();
    await until(() => bench.left).toEqual([dirname(copy)]);
    expect(await textOf(copy)).toBe('AS IT WAS');
  });

  test('a modified copy stays when its service is removed', async () => {
    const copy = await open();
    await replace(copy, 'mine');
    await bench.edits.removeService(serviceId);
    expect(await textOf(copy)).toBe('mine');
    expect(bench.left).toEqual([dirname(copy)]);
  });

  test('files beside a copy, and unknown files, stay', async () => {
    const copy = await open();
    await writeFile(join(dirname(copy), 'saved as.txt'), 'another');
    const stranger = join(bench.userData, 'opened', 'stranger', 'old.txt');
    await mkdir(dirname(stranger));
    await mkdir(join(bench.userData, 'opened', 'empty'));
    await writeFile(stranger, 'nobody knows');
    await bench.restart();
    // The copy's folder has another name during the removal.
    await until(async () => (await bench.files()).toSorted()).toEqual([
      expect.stringMatching(/^opened.[^.]+.saved as\.txt$/),
      join('opened', 'stranger', 'old.txt'),
    ]);
    expect(existsSync(copy)).toBe(false);
    await until(() => bench.left).toEqual([join(bench.userData, 'opened')]);
    expect(await unknown('opened')).toEqual(['stranger']);
    expect(existsSync(join(bench.userData, 'opened', 'empty'))).toBe(false);
  });

  test('a modified copy of a save stays after a comparison', async () => {
    const { id, copy } = await begin();
    bench.bench.server.objects.set(name, { bytes: Buffer.from('theirs, and longer'), classification: null });
    await writeFile(copy, 'mine');
    await until(state).toBe('changed');
    await bench.edits.handlers['edits.compare']({ id });
    const [mine = '', theirs = ''] = bench.opened.slice(1);
    await replace(mine, 'merged');
    await bench.restart();
    await until(() => existsSync(theirs)).toBe(false);
    // Reported once all copies have been read.
    await until(() => bench.left).toEqual([join(bench.userData, 'opened')]);
    expect(await textOf(mine)).toBe('merged');
  });
});
