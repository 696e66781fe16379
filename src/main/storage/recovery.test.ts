import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { objectStateSchema } from '../../shared/domain/object.ts';
import { listCopies } from '../database/backups.ts';
import { copyDatabase, openFile } from './database-file.ts';
import { newDownload, newUpload } from '../../../test-support/main/transfers/store/record-factory.ts';
import { migrate, migrations } from '../database/migrations.ts';
import { makeFolder } from '../../../test-support/main/database/folder.ts';
import { makeDatabaseFile } from '../../../test-support/main/database/make-file.ts';
import { eventually } from '../../../test-support/eventually.ts';

const nowMs = 1_800_000_000_000;
const dayMs = 86_400_000;

const copyName = (atMs: number) => `coffer-${new Date(atMs).toISOString().replaceAll(':', '-')}.db`;

/** Puts a copy of an earlier day into a folder, changed by SQL or in its bytes. */
async function plant(
  folder: string,
  name: string,
  damage: { sql?: string; bytes?: [number, number][] } = {},
) {
  const path = join(folder, name);
  await mkdir(join(folder, 'copies'), { recursive: true });
  await makeDatabaseFile(path);
  if (damage.sql !== undefined) {
    const db = new DatabaseSync(path);
    db.exec(damage.sql);
    db.close();
  }
  const bytes = await readFile(path);
  for (const [at, value] of damage.bytes ?? []) bytes[at] = value;
  await writeFile(path, bytes);
}

describe('a recovered copy', () => {
  it('continues no work: sends no row, deletes none, and has no transfer left', async () => {
    await using folder = await makeFolder();
    const first = await folder.open();
    await first.catalogue.add(
      'p',
      objectStateSchema.options.map((state) => ({ kind: 'data', identifier: state, patch: { state } })),
    );
    await first.documents.put('services', 'p', { name: 'kept' });
    const batch = { id: await first.transfers.newBatch(), action: 'download' } as const;
    await first.transfers.enqueue('p', [newDownload('stored', 1), newUpload('new')], batch);
    await first.close();
    const path = join(folder.path, 'coffer.db');
    await copyDatabase(folder.path, nowMs);
    await writeFile(path, 'no database');

    const opened = await folder.openAny();
    if (opened.state !== 'broken') throw new Error('not noticed');
    const copyId = opened.copies[0]?.id ?? '';
    const database = folder.keep(await opened.recover(copyId));
    const { catalogue, documents } = database;
    const ids = await catalogue.idsInStates('p', objectStateSchema.options);
    const states = (await catalogue.getMany(ids)).map(({ identifier, state }) => [identifier, state]);
    expect(Object.fromEntries(states)).toEqual({
      ...Object.fromEntries(objectStateSchema.options.map((state) => [state, state])),
      new: 'unknown',
      uploading: 'unknown',
      deleting: 'unknown',
    });
    expect(await documents.get('services', 'p')).toEqual({ name: 'kept' });
    await database.close();
    const after = new DatabaseSync(path, { readOnly: true });
    for (const table of ['transfer', 'batch', 'sweep'])
      expect(after.prepare(`SELECT * FROM ${table}`).all()).toEqual([]);
    expect(after.prepare('SELECT * FROM object WHERE writer IS NOT NULL').all()).toEqual([]);
    after.close();
    // The copy itself is unchanged.
    const copy = new DatabaseSync(join(folder.path, 'copies', copyId), { readOnly: true });
    expect(copy.prepare('SELECT * FROM transfer').all()).toHaveLength(2);
    copy.close();
  });
});

describe('a recovered copy with watched folders', () => {
  const file = (path: string, transferId: number | null) => ({ path, sizeBytes: 1, mtimeMs: 1, transferId });
  const done = { state: { name: 'done', outcome: null, savedPath: null } } as const;

  it('switches them off, and keeps only files that need no upload', async () => {
    await using folder = await makeFolder();
    const first = await folder.open();
    await first.documents.put('watchedFolders', 'w', { folder: '/scans', isOn: true });
    await first.documents.put('services', 'p1', { name: 'kept', isOn: true });
    const sent = await first.transfers.enqueue('p1', [newUpload('done'), newUpload('open')]);
    const [doneId = 0, openId = 0] = sent.map(({ id }) => id);
    await first.transfers.apply([{ id: doneId, change: done }]);
    const known = [file('before', null), file('cleared', 999), file('done', doneId)];
    await first.watched.remember('w', [...known, file('open', openId)]);
    await first.close();
    const path = join(folder.path, 'coffer.db');
    await copyDatabase(folder.path, nowMs);
    await writeFile(path, 'no database');

    const opened = await folder.openAny();
    if (opened.state !== 'broken') throw new Error('not noticed');
    const { documents, watched } = folder.keep(await opened.recover(opened.copies[0]?.id ?? ''));
    expect(await documents.get('watchedFolders', 'w')).toEqual({ folder: '/scans', isOn: false });
    expect(await documents.get('services', 'p1')).toEqual({ name: 'kept', isOn: true });
    expect(await watched.of('w')).toEqual(known);
  });

  it('may be of a version without them', async () => {
    await using folder = await makeFolder();
    const copies = join(folder.path, 'copies');
    await mkdir(copies);
    const db = new DatabaseSync(join(copies, copyName(nowMs - dayMs)));
    await migrate(db, migrations.slice(0, 1), () => Promise.resolve());
    db.close();
    await plant(folder.path, 'coffer.db', { sql: 'PRAGMA user_version = -1' });
    const opened = await folder.openAny();
    if (opened.state !== 'broken') throw new Error('not noticed');
    const { watched } = folder.keep(await opened.recover(opened.copies[0]?.id ?? ''));
    expect(await watched.of('w')).toEqual([]);
  });
});

describe('a damaged header', () => {
  const damages: [string, Parameters<typeof plant>[2]][] = [
    ['a version below zero', { sql: 'PRAGMA user_version = -1' }],
    ['the least of all versions', { sql: `PRAGMA user_version = ${String(-(2 ** 31))}` }],
    ['version 0 with tables', { sql: 'PRAGMA user_version = 0' }],
    ['a version that nobody writes', { sql: 'PRAGMA user_version = 16843009' }],
    ['no table of objects', { sql: 'DROP TABLE history; DROP TABLE object' }],
    ['a format that is only read', { bytes: [[18, 3]] }],
    ['a format of the schema that is not known', { bytes: [[47, 5]] }],
  ];

  it.each(damages)('sets it aside (%s), and offers a copy', async (_, damage) => {
    await using folder = await makeFolder();
    await plant(folder.path, 'coffer.db', damage);
    await plant(folder.path, join('copies', copyName(nowMs - dayMs)));
    const opened = await folder.openAny();
    if (opened.state !== 'broken') throw new Error('not noticed');
    expect(opened.copies).toMatchObject([{ madeAtMs: nowMs - dayMs, objects: 2 }]);
    const { catalogue } = folder.keep(await opened.recover(opened.copies[0]?.id ?? ''));
    expect((await catalogue.collections('p1')).all).toBe(1);
  });

  it('does not report it for a file without content', async () => {
    await using folder = await makeFolder();
    const db = new DatabaseSync(join(folder.path, 'coffer.db'));
    db.exec('PRAGMA journal_mode = WAL');
    db.close();
    const { catalogue } = await folder.open();
    expect((await catalogue.collections('p1')).all).toBe(0);
  });
});

describe('copies dated in the future', () => {
  it('neither prevent a new copy nor displace it', async () => {
    await using folder = await makeFolder();
    for (let day = 1; day <= 3; day += 1) {
      await plant(folder.path, join('copies', copyName(nowMs + day * dayMs)));
    }
    const { catalogue } = await folder.open({ firstCopyAfterMs: 0 });
    const dates = () => listCopies(folder.path).map(({ madeAtMs }) => madeAtMs);
    await eventually(() => {
      expect(dates()).toContain(nowMs);
    });
    expect((await catalogue.collections('p1')).all).toBe(0);
    // The copier removes surplus copies after the new one has its name.
    await eventually(() => {
      expect(dates()).toEqual([nowMs + 3 * dayMs, nowMs + 2 * dayMs, nowMs]);
    });
  });
});

describe.runIf(process.platform !== 'win32')('the database', () => {
  it('keeps its copies in a folder that is private from the first run', async () => {
    await using folder = await makeFolder();
    const opening = await openFile(folder.path, migrations, nowMs);
    if (opening.state !== 'ready') throw new Error('broken');
    opening.db.close();
    expect(((await stat(join(folder.path, 'copies'))).mode & 0o777).toString(8)).toBe('700');
  });

  it('is private, with its companions, copies, and files that were set aside', async () => {
    await using folder = await makeFolder();
    await plant(folder.path, 'coffer.db.broken-2026-01-01T00-00-00.000Z');
    await plant(folder.path, 'coffer.db');
    await plant(folder.path, join('copies', copyName(nowMs - dayMs)));
    const opening = await openFile(
      folder.path,
      [...migrations, 'CREATE TABLE another (a INTEGER) STRICT'],
      nowMs,
    );
    if (opening.state !== 'ready') throw new Error('broken');
    const names = await readdir(folder.path, { recursive: true });
    const modes = names.map(async (name) => [
      name,
      ((await stat(join(folder.path, name))).mode & 0o777).toString(8),
    ]);
    const files = (await Promise.all(modes)).filter(([name]) => name !== 'copies');
    opening.db.close();
    expect(Object.fromEntries(files)).toEqual({
      'coffer.db': '600',
      'coffer.db-shm': '600',
      'coffer.db-wal': '600',
      'coffer.db.broken-2026-01-01T00-00-00.000Z': '600',
      [join('copies', copyName(nowMs))]: '600',
      [join('copies', copyName(nowMs - dayMs))]: '600',
    });
  });
});
