import { link, mkdir, open, readdir, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modeHere, modeOf } from '../../../test-support/file-mode.ts';
import {
  serviceId,
  startEditBench,
  textOf,
  until,
  type EditBench,
} from '../../../test-support/main/edits/edit-bench.ts';

/** Known faults of editing in place, with real files and the real watcher. */

let bench: EditBench;
beforeEach(async () => {
  bench = await startEditBench();
  await bench.bench.store('reports/minutes.txt', 'as it was');
});
afterEach(() => bench.close());

const name = 'reports/minutes.txt';
const posts = () => bench.bench.server.requests.filter(({ method }) => method === 'POST').length;
const state = async () => (await bench.one())?.state;

test('opens a private copy, stores a save, and removes the copy on finishing', async () => {
  const { id, copy } = await bench.begin(name);
  expect(copy.startsWith(join(bench.userData, 'edits', id))).toBe(true);
  expect(await textOf(copy)).toBe('as it was');
  expect(modeOf(copy)).toBe(modeHere(0o600));
  expect(modeOf(dirname(copy))).toBe(modeHere(0o700));
  writeFileSync(copy, 'as it is now');
  await until(() => bench.stored('as it is now')).toBe(1);
  await until(async () => (await bench.one())?.storedAtMs).not.toBe(null);
  expect(await bench.one()).toMatchObject({ state: 'editing', mine: null, saveAs: 'newVersion' });
  expect(bench.edits.open()).toMatchObject([{ isSaved: true }]);
  await bench.edits.handlers['edits.finish']({ id });
  await until(() => bench.list()).toEqual([]);
  await until(() => bench.files()).toEqual([]);
  expect(bench.stored('as it was')).toBe(1);
});

test('sends nothing unless the bytes change: opened, touched, rewritten with the same bytes', async () => {
  const { copy } = await bench.begin(name);
  await bench.untilLooked();
  await utimes(copy, new Date(), new Date());
  await bench.untilLooked();
  writeFileSync(copy, 'as it was');
  await bench.untilLooked();
  expect(posts()).toBe(0);
  expect(await bench.one()).toMatchObject({ state: 'editing', savedAtMs: null });
});

test('a desktop that does not respond blocks nothing', async () => {
  bench.hasProgram = new Promise(() => undefined);
  const { id, copy } = await bench.begin(name);
  const row = await bench.bench.rowOf(name);
  expect(await bench.edits.handlers['edits.begin']({ objectId: row?.id ?? 0 })).toEqual({ id, isNew: false });
  expect(bench.opened).toEqual([copy, copy]);
  writeFileSync(copy, 'as it is now');
  await until(() => bench.stored('as it is now')).toBe(1);
  await bench.edits.handlers['edits.finish']({ id });
  await until(() => bench.list()).toEqual([]);
});

test('an edit is being opened until the desktop answers, or the editor on the terminal is closed', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  bench.hasProgram = promise;
  const { copy } = await bench.begin(name);
  writeFileSync(copy, 'as it is now');
  await until(() => bench.stored('as it is now')).toBe(1);
  expect(await state()).toBe('opening');
  resolve(true);
  await until(state).toBe('editing');
});

test('stores a second and a third save too', async () => {
  const { copy } = await bench.begin(name);
  for (const text of ['second', 'third', 'fourth']) {
    writeFileSync(copy, text);
    await until(() => bench.stored(text)).toBe(1);
  }
  expect(bench.texts().toSorted()).toEqual(['as it was', 'fourth', 'second', 'third']);
});

test('stores a save that renames a new file over the old one', async () => {
  const { copy } = await bench.begin(name);
  for (const text of ['renamed', 'renamed again']) {
    await writeFile(`${copy}.tmp`, text);
    await rename(`${copy}.tmp`, copy);
    await until(() => bench.stored(text)).toBe(1);
  }
  expect(bench.texts()).toHaveLength(3);
});

test('stores a save that deletes the file and recreates it later', async () => {
  const { copy } = await bench.begin(name);
  for (const text of ['created anew', 'and once more']) {
    await unlink(copy);
    await bench.untilLooked();
    expect(await state()).toBe('editing');
    writeFileSync(copy, text);
    await until(() => bench.stored(text)).toBe(1);
    await until(state).toBe('editing');
  }
});

test('stores a save that keeps the length and restores the time of change', async () => {
  const { copy } = await bench.begin(name);
  const past = new Date(1_600_000_000_000);
  await utimes(copy, past, past);
  await bench.untilLooked();
  const before = await stat(copy, { bigint: true });
  await writeFile(copy, 'AS IT WAS');
  await utimes(copy, past, past);
  const { size, mtimeNs, ino } = await stat(copy, { bigint: true });
  expect({ size, mtimeNs, ino }).toEqual({ size: before.size, mtimeNs: before.mtimeNs, ino: before.ino });
  await until(() => bench.stored('AS IT WAS')).toBe(1);
});

test('does not send files that a program creates beside the copy', async () => {
  const { copy } = await bench.begin(name);
  await writeFile(join(dirname(copy), '~$minutes.txt'), 'owner');
  await writeFile(join(dirname(copy), '.minutes.txt.swp'), 'swap');
  await mkdir(join(dirname(copy), 'backup'));
  await bench.untilLooked();
  expect(posts()).toBe(0);
  expect(await bench.one()).toMatchObject({ state: 'editing', savedAtMs: null });
});

test('opening the object while it is edited never writes the copy', async () => {
  const { copy } = await bench.begin(name);
  writeFileSync(copy, 'mine');
  const row = await bench.bench.rowOf(name);
  await bench.edits.handlers['edits.open']({ objectId: row?.id ?? 0 });
  const shown = bench.opened.at(-1) ?? '';
  expect(shown).not.toBe(copy);
  expect(await textOf(shown)).toBe('as it was');
  expect(modeOf(shown)).toBe(modeHere(0o400));
  expect(await textOf(copy)).toBe('mine');
  await until(() => bench.stored('mine')).toBe(1);
});

test('after an upload, stores only the newest of the saves made meanwhile', async () => {
  const { copy } = await bench.begin(name);
  let isHeld = true;
  bench.bench.server.plan = ({ method }) =>
    method === 'POST' && isHeld ? { holdRequest: () => !isHeld } : null;
  writeFileSync(copy, 'first');
  await until(posts).toBeGreaterThan(0);
  for (const text of ['second', 'third']) {
    const before = (await bench.one())?.savedAtMs;
    writeFileSync(copy, text);
    await until(async () => (await bench.one())?.savedAtMs).not.toBe(before);
  }
  isHeld = false;
  await until(() => bench.stored('third')).toBe(1);
  await until(state).toBe('editing');
  expect(bench.stored('first')).toBe(1);
  expect(bench.stored('second')).toBe(0);
});

test('stores the saves of a program that keeps the file open', async () => {
  const { copy } = await bench.begin(name);
  const file = await open(copy, 'w');
  for (const text of ['one', 'one and two', 'one and two and three']) {
    await file.truncate();
    await file.write(text, 0);
    await until(() => bench.stored(text)).toBe(1);
  }
  expect(bench.texts()).toHaveLength(4);
  await file.close();
});

test('beginning to edit an object again returns the running edit', async () => {
  const { id, copy } = await bench.begin(name);
  const row = await bench.bench.rowOf(name);
  const again = await bench.edits.handlers['edits.begin']({ objectId: row?.id ?? 0 });
  expect(again).toEqual({ id, isNew: false });
  expect(bench.opened).toEqual([copy, copy]);
  expect(await bench.list()).toHaveLength(1);
});

test('two clicks at once begin one edit', async () => {
  const objectId = (await bench.bench.rowOf(name))?.id ?? 0;
  const [one, two] = await Promise.all([
    bench.edits.handlers['edits.begin']({ objectId }),
    bench.edits.handlers['edits.begin']({ objectId }),
  ]);
  expect(one?.id).toBe(two?.id);
  expect(await bench.list()).toHaveLength(1);
});

test.each([
  ['of another length', 'theirs, and longer'],
  ['of the same length', 'as it isn'],
])(
  'the object was changed meanwhile, %s: sends nothing, and keeps mine as a new version',
  async (_, theirs) => {
    const { id, copy } = await bench.begin(name);
    bench.bench.server.objects.set(name, { bytes: Buffer.from(theirs), classification: null });
    writeFileSync(copy, 'mine');
    await until(state).toBe('changed');
    expect(posts()).toBe(0);
    expect(await bench.one()).toMatchObject({
      mine: { lengthBytes: 4 },
      theirs: { lengthBytes: theirs.length },
    });
    expect(bench.edits.open()).toMatchObject([{ isSaved: false }]);
    // Saves from now on are the person's own.
    writeFileSync(copy, 'mine, newer');
    await until(async () => (await bench.one())?.mine?.lengthBytes).toBe(11);
    await bench.edits.handlers['edits.answer']({ id, answer: 'keepMine' });
    await until(() => bench.stored('mine, newer')).toBe(1);
    expect(bench.stored(theirs)).toBe(1);
    await until(state).toBe('editing');
  },
);

test.each([
  ['the list does not know', null],
  ['the list has', {}],
])('a save with the bytes of a newer version, which %s: the edit goes on from that one', async (_, known) => {
  await bench.bench.store('reports/minutes@2.txt', 'as they say', known);
  const { copy } = await bench.begin(name);
  writeFileSync(copy, 'as they say');
  await until(async () => (await bench.one())?.storedAtMs).not.toBe(null);
  expect(posts()).toBe(0);
  const row = await bench.bench.rowOf('reports/minutes@2.txt');
  expect(row).toMatchObject({ state: 'stored', lengthBytes: 11 });
  expect(await bench.one()).toMatchObject({
    state: 'editing',
    identifier: 'reports/minutes@2.txt',
    objectId: row?.id,
  });
  writeFileSync(copy, 'and as I say');
  await until(() => bench.stored('and as I say')).toBe(1);
  expect(bench.bench.server.objects.has('reports/minutes@3.txt')).toBe(true);
  await until(state).toBe('editing');
});

test('taking theirs opens it in a new copy and discards mine', async () => {
  const { id, copy } = await bench.begin(name);
  bench.bench.server.objects.set(name, { bytes: Buffer.from('theirs, and longer'), classification: null });
  writeFileSync(copy, 'mine');
  await until(state).toBe('changed');
  await bench.edits.handlers['edits.answer']({ id, answer: 'takeTheirs' });
  await until(() => bench.opened.length).toBe(2);
  expect(await textOf(bench.opened.at(-1) ?? '')).toBe('theirs, and longer');
  expect(bench.texts()).toEqual(['theirs, and longer']);
  await until(async () => (await bench.files()).filter((file) => file.includes(id))).toEqual([]);
});

test('comparing opens read-only copies of both', async () => {
  const { id, copy } = await bench.begin(name);
  bench.bench.server.objects.set(name, { bytes: Buffer.from('theirs, and longer'), classification: null });
  writeFileSync(copy, 'mine');
  await until(state).toBe('changed');
  await bench.edits.handlers['edits.compare']({ id });
  const [mine, theirs] = bench.opened.slice(1);
  expect(await textOf(mine ?? '')).toBe('mine');
  expect(await textOf(theirs ?? '')).toBe('theirs, and longer');
  for (const path of [mine, theirs]) expect(modeOf(path ?? '')).toBe(modeHere(0o400));
});

test('if the object was deleted meanwhile, stores mine only on request', async () => {
  const { id, copy } = await bench.begin(name);
  bench.bench.server.objects.delete(name);
  writeFileSync(copy, 'mine');
  await until(state).toBe('deleted');
  expect(posts()).toBe(0);
  await bench.edits.handlers['edits.answer']({ id, answer: 'storeAgain' });
  await until(() => Buffer.from(bench.bench.server.objects.get(name)?.bytes ?? '').toString()).toBe('mine');
  await until(state).toBe('editing');
});

test('first stores a save from a moment before finishing', async () => {
  const { id, copy } = await bench.begin(name);
  await bench.untilLooked();
  writeFileSync(copy, 'the very last');
  await bench.edits.handlers['edits.finish']({ id });
  await until(() => bench.stored('the very last')).toBe(1);
  await until(() => bench.list()).toEqual([]);
  expect(bench.texts()).toHaveLength(2);
  await until(() => bench.files()).toEqual([]);
});

test('after a stop, stores what was saved meanwhile and continues unchanged edits', async () => {
  await bench.bench.store('b.txt', 'the other');
  const { copy } = await bench.begin(name);
  await bench.begin('b.txt');
  await bench.restart(async () => writeFileSync(copy, 'saved while nobody looked'));
  await until(() => bench.stored('saved while nobody looked')).toBe(1);
  await until(async () => (await bench.list()).map((edit) => edit.state)).toEqual(['editing', 'editing']);
  expect(bench.texts()).toHaveLength(3);
  expect(bench.opened).toHaveLength(2);
});

test('after a stop while finishing, ends the edit if nothing was saved since', async () => {
  const { id, copy } = await bench.begin(name);
  bench.bench.server.plan = ({ method }) => (method === 'POST' ? { delayMs: 300 } : null);
  writeFileSync(copy, 'last');
  await until(posts).toBe(1);
  await bench.edits.handlers['edits.finish']({ id });
  await bench.restart();
  await until(() => bench.list()).toEqual([]);
  expect(bench.stored('last')).toBe(1);
  await until(() => bench.files()).toEqual([]);
});

test('offline: keeps a save until the service is back', async () => {
  const { copy } = await bench.begin(name);
  bench.bench.server.plan = () => ({ status: 503 });
  writeFileSync(copy, 'written on a train');
  await until(state).toBe('saved');
  await until(async () => (await bench.one())?.waitingFor).toBe('network');
  await bench.restart();
  await until(state).toBe('saved');
  bench.bench.server.plan = () => null;
  await until(() => bench.stored('written on a train')).toBe(1);
  expect(bench.texts()).toHaveLength(2);
});

test('a refused token: keeps a save, and stores it with a new one', async () => {
  const { copy } = await bench.begin(name);
  const { token } = bench.bench.server;
  bench.bench.setToken('another');
  writeFileSync(copy, 'with an old token');
  await until(async () => (await bench.one())?.waitingFor).toBe('token');
  expect(await state()).toBe('saved');
  bench.bench.setToken(token);
  await until(() => bench.stored('with an old token')).toBe(1);
  expect(bench.texts()).toHaveLength(2);
});

test('reports, keeps and retries a refused save; a newer one supersedes it', async () => {
  const { id, copy } = await bench.begin(name);
  bench.bench.server.plan = ({ method }) => (method === 'POST' ? { status: 403 } : null);
  writeFileSync(copy, 'refused');
  await until(state).toBe('failed');
  expect(await bench.one()).toMatchObject({ error: { code: 'forbidden' }, mine: { lengthBytes: 7 } });
  await bench.edits.handlers['edits.answer']({ id, answer: 'tryAgain' });
  await until(posts).toBe(2);
  await until(state).toBe('failed');
  bench.bench.server.plan = () => null;
  writeFileSync(copy, 'accepted');
  await until(() => bench.stored('accepted')).toBe(1);
  expect(bench.stored('refused')).toBe(0);
  await until(async () => (await bench.bench.all()).filter(({ state: of }) => of === 'failed')).toEqual([]);
});

test('still keeps a save whose transfer somebody cancelled and cleared', async () => {
  const { id, copy } = await bench.begin(name);
  bench.bench.server.plan = ({ method }) => (method === 'POST' ? { status: 403 } : null);
  writeFileSync(copy, 'dropped');
  await until(state).toBe('failed');
  await bench.bench.engine.actions.drop({ kind: 'all' });
  await until(async () => (await bench.one())?.error?.code).toBe('cancelled');
  bench.bench.server.plan = () => null;
  await bench.edits.handlers['edits.answer']({ id, answer: 'tryAgain' });
  await until(() => bench.stored('dropped')).toBe(1);
  expect(bench.texts()).toHaveLength(2);
});

test('giving up a save removes copy, save and transfer', async () => {
  const { id, copy } = await bench.begin(name);
  bench.bench.server.plan = ({ method }) => (method === 'POST' ? { status: 403 } : null);
  writeFileSync(copy, 'unwanted');
  await until(state).toBe('failed');
  await bench.edits.handlers['edits.answer']({ id, answer: 'discard' });
  expect(await bench.list()).toEqual([]);
  await until(() => bench.files()).toEqual([]);
  expect((await bench.bench.all()).filter(({ direction }) => direction === 'upload')).toEqual([]);
  expect(bench.texts()).toEqual(['as it was']);
});

test('makes file names of identifiers with odd characters', async () => {
  for (const identifier of ['a/..\\x:y?.txt', 'b/ends with a dot.txt.', `c/${'ü'.repeat(200)}.txt`]) {
    await bench.bench.store(identifier, `bytes of ${identifier}`);
    const { copy } = await bench.begin(identifier);
    expect(dirname(dirname(copy))).toBe(join(bench.userData, 'edits'));
    writeFileSync(copy, `new bytes of ${identifier}`);
    await until(() => bench.stored(`new bytes of ${identifier}`)).toBe(1);
  }
  expect(await bench.list()).toHaveLength(3);
});

test.each(['setup.exe', 'invoice.vsto', 'page.html', 'budget.xls', 'data.unheard-of', 'README'])(
  'does not open %s to be edited, and does not fetch for it',
  async (fileName) => {
    const objectId = await bench.bench.store(`tools/${fileName}`, 'MZ');
    await expect(bench.edits.handlers['edits.begin']({ objectId })).rejects.toMatchObject({
      error: { code: 'fileNotOpened', problem: 'editKind' },
    });
    expect([bench.opened, bench.bench.server.requests]).toEqual([[], []]);
    // The desktop, which decides whether to open it, shows it in its folder.
    await bench.edits.handlers['edits.open']({ objectId });
    expect(bench.opened.map((path) => basename(path))).toEqual([fileName]);
  },
);

test("a person's own editor on the terminal gets any kind, and the desktop still decides", async () => {
  const objectId = await bench.bench.store('page.html', '<p>');
  const { id } = await bench.edits.handlers['edits.begin']({ objectId, isHeld: true });
  await until(state).toBe('editing');
  const { path } = await bench.edits.handlers['edits.copyOf']({ id });
  expect([basename(path), await textOf(path), bench.opened]).toEqual(['page.html', '<p>', []]);
});

test('a classification that forbids editing still allows opening', async () => {
  const objectId = await bench.bench.store('c.txt', 'c', { classification: 'Restricted' });
  const forbid = { serviceId, classification: 'Restricted', isForbidden: true };
  await bench.edits.handlers['edits.forbid'](forbid);
  await expect(bench.edits.handlers['edits.begin']({ objectId })).rejects.toMatchObject({
    error: { code: 'editForbidden', classification: 'Restricted' },
  });
  await bench.edits.handlers['edits.open']({ objectId });
  expect(bench.opened).toHaveLength(1);
  await bench.edits.handlers['edits.forbid']({ ...forbid, isForbidden: false });
  await bench.begin('c.txt');
});

test('removing the service removes its edits and their files', async () => {
  const { copy } = await bench.begin(name);
  bench.bench.server.plan = () => ({ status: 503 });
  writeFileSync(copy, 'never stored');
  await until(state).toBe('saved');
  // Its copy and its save are all there is of it.
  expect(bench.edits.unsavedOf(serviceId)).toEqual([name]);
  expect(bench.edits.unsavedOf('another')).toEqual([]);
  await bench.edits.removeService(serviceId);
  expect(await bench.list()).toEqual([]);
  await until(() => bench.files()).toEqual([]);
});

test('an edit whose copy cannot be fetched reports why, and begins once it can', async () => {
  bench.bench.server.plan = ({ method }) => (method === 'GET' ? { status: 403 } : null);
  const objectId = (await bench.bench.rowOf(name))?.id ?? 0;
  const { id } = await bench.edits.handlers['edits.begin']({ objectId });
  await until(state).toBe('failed');
  expect((await bench.one())?.error?.code).toBe('forbidden');
  bench.bench.server.plan = () => null;
  await bench.edits.handlers['edits.answer']({ id, answer: 'tryAgain' });
  await until(state).toBe('editing');
  expect(bench.opened).toHaveLength(1);
});

test('reports that no program opens the copy, and opens it on the next request', async () => {
  bench.hasProgram = false;
  const { id } = await bench.begin(name);
  await until(async () => (await bench.one())?.error?.code).toBe('fileNotOpened');
  bench.hasProgram = true;
  await bench.edits.handlers['edits.show']({ id });
  await until(async () => (await bench.one())?.error).toBe(null);
  expect(bench.opened).toHaveLength(2);
});

test('records a use each time an object is opened, even from an existing copy', async () => {
  const row = () => bench.bench.rowOf(name);
  const objectId = (await row())?.id ?? 0;
  await bench.edits.handlers['edits.open']({ objectId });
  const first = (await row())?.usedAtMs ?? 0;
  // The clock of the bench stands still within a millisecond: both uses would have the same moment.
  const openedMs = Date.now();
  await until(() => Date.now()).toBeGreaterThan(openedMs);
  await bench.edits.handlers['edits.open']({ objectId });
  const isLater = async () => ((await row())?.usedAtMs ?? 0) > first;
  await until(isLater).toBe(true);
  expect(bench.opened).toHaveLength(2);
});

test('removes opened copies with their row, and at the next start', async () => {
  const objectId = (await bench.bench.rowOf(name))?.id ?? 0;
  await bench.edits.handlers['edits.open']({ objectId });
  await bench.edits.handlers['edits.open']({ objectId });
  // The second time, the copy was already there.
  expect(bench.opened[0]).toBe(bench.opened[1]);
  expect(await bench.files()).toHaveLength(1);
  const unknown = join(bench.userData, 'opened', 'unknown');
  await bench.restart(async () => {
    await mkdir(unknown);
    writeFileSync(join(unknown, 'a.txt'), 'the database does not know it');
  });
  await until(() => bench.files()).toEqual([join('opened', 'unknown', 'a.txt')]);
  await rm(unknown, { recursive: true });
  await bench.edits.handlers['edits.open']({ objectId });
  expect(await bench.files()).toHaveLength(1);
  await bench.bench.catalogue.remove([objectId]);
  bench.rowsChanged();
  await until(() => bench.files()).toEqual([]);
});

test('an edit whose download an older database does not know ends, and its files stay', async () => {
  const { id, copy } = await bench.begin(name);
  const empty = 'its copy never came';
  await bench.restart(async () => {
    const { documents } = bench.bench;
    const [known] = await documents.list('edits');
    const before = { ...(known?.value as object), base: null };
    await documents.put('edits', id, { ...before, fetch: { transferId: 1_000_000 } });
    await documents.put('edits', empty, { ...before, id: empty, fetch: { transferId: null } });
    await mkdir(join(bench.userData, 'edits', empty));
    writeFileSync(copy, 'saved since');
  });
  await until(() => bench.list()).toEqual([]);
  expect(await textOf(copy)).toBe('saved since');
  await bench.restart();
  const names = await readdir(join(bench.userData, 'edits'));
  expect(names).toEqual([id]);
  expect(await textOf(copy)).toBe('saved since');
  expect(await bench.edits.folders[0]?.unknownOf(names)).toEqual([id]);
});

test('reports a save that does not fit on the disk, and keeps it once it does', async () => {
  const { id, copy } = await bench.begin(name);
  const saves = join(bench.userData, 'edits', `${id}.saves`);
  await rm(saves, { recursive: true });
  writeFileSync(copy, 'no room yet');
  await until(async () => (await bench.one())?.error?.code).toBe('folderGone');
  expect(await textOf(copy)).toBe('no room yet');
  await mkdir(saves);
  await until(() => bench.stored('no room yet')).toBe(1);
  await until(async () => (await bench.one())?.error).toBe(null);
});

test('does not count a copy as a file that the person downloaded', async () => {
  const objectId = (await bench.bench.rowOf(name))?.id ?? 0;
  await bench.begin(name);
  const [transfer] = await bench.bench.all();
  expect(transfer).toMatchObject({ state: 'done', outcome: { kind: 'saved', copyFor: 'edit' } });
  expect(await bench.bench.engine.savedFileOfObject(objectId)).toBe(null);
});

test('a hard link to the copy in its place is not a save', async () => {
  const { copy } = await bench.begin(name);
  await link(copy, `${copy}.bak`);
  await rm(copy);
  await rename(`${copy}.bak`, copy);
  await bench.untilLooked();
  expect(posts()).toBe(0);
  expect(await bench.one()).toMatchObject({ state: 'editing', savedAtMs: null });
});
