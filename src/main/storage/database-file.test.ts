import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, open, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Catalogue } from '../objects/catalogue.ts';
import { copyPath, listCopies } from '../database/backups.ts';
import { openFile } from './database-file.ts';
import { migrate, migrations, type MigrationStep } from '../database/migrations.ts';
import { makeFolder } from '../../../test-support/main/database/folder.ts';
import { createSchema } from '../../../test-support/main/database/local-database.ts';
import { programFile } from '../../../test-support/main/program.ts';
import { makeDatabaseFile } from '../../../test-support/main/database/make-file.ts';
import { eventually } from '../../../test-support/eventually.ts';

const nowMs = 1_800_000_000_000;

async function fill(catalogue: Catalogue, count: number): Promise<void> {
  await catalogue.add(
    'p1',
    Array.from({ length: count }, (_, n) => ({
      kind: 'data' as const,
      identifier: `f/${String(n)}`,
      patch: { note: 'x'.repeat(50) },
      history: { action: 'added' as const },
    })),
  );
}

describe('migrations', () => {
  const data = 'reports/2026/Prüfung 😀.pdf';
  /** A possible next version: one more step, of SQL or of a function. */
  const nextStep: [string, MigrationStep][] = [
    ['SQL', "ALTER TABLE object ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"],
    ['a function', (db) => db.exec("ALTER TABLE object ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'")],
  ];

  function contentsOf(db: DatabaseSync, columns: string) {
    const { user_version: version } = db.prepare('PRAGMA user_version').get() ?? {};
    return { version, rows: db.prepare(`SELECT ${columns} FROM object`).all() };
  }

  it('create a new file without a copy, identical to an upgraded earlier file', async () => {
    await using fresh = await makeFolder();
    const made = await openFile(fresh.path, migrations, nowMs);
    await using folder = await makeFolder();
    const first = await openFile(folder.path, migrations.slice(0, 1), nowMs);
    if (first.state !== 'ready' || made.state !== 'ready') throw new Error('broken');
    first.db.close();
    const brought = await openFile(folder.path, migrations, nowMs);
    if (brought.state !== 'ready') throw new Error('broken');
    const schemas = [made.db, brought.db].map((db) =>
      db.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all(),
    );
    made.db.close();
    brought.db.close();
    expect(schemas[1]).toEqual(schemas[0]);
    expect(listCopies(fresh.path)).toEqual([]);
    expect(listCopies(folder.path)).toHaveLength(1);
  });

  it('wait only once for the disk where the file is new', async () => {
    const db = new DatabaseSync(':memory:');
    const run = vi.spyOn(db, 'exec');
    await migrate(db, migrations, async () => undefined);
    expect(run.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1);
    db.close();
  });

  it('create the schema that tests open without them', async () => {
    const [made, opened] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')];
    await migrate(made, migrations, async () => undefined);
    await createSchema(opened);
    const contents = [made, opened].map((db) => {
      const schema = db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
      const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => String(name));
      return {
        schema,
        pragmas: ['application_id', 'user_version'].map((name) => db.prepare(`PRAGMA ${name}`).get()),
        rows: tables.map((name) => db.prepare(`SELECT * FROM ${name}`).all()),
      };
    });
    expect(contents[1]).toEqual(contents[0]);
    made.close();
    opened.close();
  });

  it.each(nextStep)('a step of %s upgrades a file after backing it up', async (_, step) => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'coffer.db');
    await makeDatabaseFile(path);
    const opening = await openFile(folder.path, [...migrations, step], nowMs);
    if (opening.state !== 'ready') throw new Error('broken');
    expect(contentsOf(opening.db, 'identifier, colour')).toEqual({
      version: migrations.length + 1,
      rows: [
        { identifier: data, colour: 'red' },
        { identifier: '=key', colour: 'red' },
      ],
    });
    opening.db.close();
    const copies = listCopies(folder.path);
    expect(copies).toHaveLength(1);
    const before = new DatabaseSync(join(folder.path, 'copies', copies[0]?.id ?? ''), { readOnly: true });
    expect(contentsOf(before, 'identifier')).toEqual({
      version: migrations.length,
      rows: [{ identifier: data }, { identifier: '=key' }],
    });
    expect(
      before
        .prepare('PRAGMA table_info(object)')
        .all()
        .map(({ name }) => name),
    ).not.toContain('colour');
    before.close();
    // This version, which has no such step, refuses the new file and leaves it.
    const bytes = await readFile(path);
    await expect(folder.openAny()).rejects.toMatchObject({ error: { code: 'catalogueTooNew' } });
    expect((await readFile(path)).equals(bytes)).toBe(true);
    // Nothing is migrated twice.
    const again = await openFile(folder.path, [...migrations, step], nowMs + 1);
    if (again.state !== 'ready') throw new Error('broken');
    again.db.close();
    expect(listCopies(folder.path)).toEqual(copies);
  });

  const bad: [string, MigrationStep][] = [
    ['SQL', 'DELETE FROM object; ALTER TABLE object ADD COLUMN colour TEXT; SELECT * FROM nowhere'],
    [
      'a function',
      (db) => {
        db.exec('DELETE FROM object; DROP TABLE document');
        throw new Error('nowhere');
      },
    ],
  ];

  it.each(bad)('leave the file as it was when a step of %s fails', async (_, step) => {
    await using folder = await makeFolder();
    await makeDatabaseFile(join(folder.path, 'coffer.db'));
    await expect(openFile(folder.path, [...migrations, step], nowMs)).rejects.toThrow('nowhere');
    expect(listCopies(folder.path)).toHaveLength(1);
    const { catalogue, documents } = await folder.open();
    const found = await catalogue.findByIdentifiers('p1', 'data', [data]);
    expect([...found.values()]).toEqual([
      expect.objectContaining({
        state: 'stored',
        lengthBytes: 42,
        classification: 'Public',
        note: 'first\nsecond',
      }),
    ]);
    expect((await catalogue.collections('p1')).all).toBe(1);
    expect(await documents.list('services')).toEqual([{ key: 'p1', value: { name: 'Archive' } }]);
  });

  it('refuse the file of a newer version and leave it untouched', async () => {
    await using folder = await makeFolder();
    const first = await folder.open();
    await fill(first.catalogue, 3);
    await first.close();
    const path = join(folder.path, 'coffer.db');
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99; PRAGMA journal_mode = DELETE');
    db.close();
    const before = await readFile(path);
    await expect(folder.openAny()).rejects.toMatchObject({ error: { code: 'catalogueTooNew' } });
    expect((await readFile(path)).equals(before)).toBe(true);
    expect((await readdir(folder.path)).filter((name) => name.includes('broken'))).toEqual([]);
  });
});

describe('a broken file', () => {
  const damages: [string, (path: string) => Promise<void>][] = [
    [
      'overwritten in the middle',
      async (path) => {
        const bytes = await readFile(path);
        bytes.fill(0x5a, 4096, bytes.length - 4096);
        await writeFile(path, bytes);
      },
    ],
    ['cut', async (path) => truncate(path, Math.floor(((await stat(path)).size * 2) / 3))],
    ['no database', async (path) => writeFile(path, 'something else entirely '.repeat(500))],
    [
      'the database of another program',
      async (path) => {
        await rm(path);
        const db = new DatabaseSync(path);
        db.exec('CREATE TABLE other (a)');
        db.close();
      },
    ],
  ];

  /** Has 500 objects and two copies, the newer with the objects. Shared by all damages, because a thread makes each copy. */
  let whole: Awaited<ReturnType<typeof makeFolder>>;
  beforeAll(async () => {
    whole = await makeFolder();
    const copied = (count: number) =>
      eventually(() => {
        if (listCopies(whole.path).length !== count) throw new Error(`no ${String(count)} copies`);
      });
    const first = await whole.open({ firstCopyAfterMs: 0 });
    await fill(first.catalogue, 500);
    await first.documents.put('services', 'p1', { name: 'kept' });
    await copied(1);
    await first.close();
    // The first copy may precede the rows; a day later there is another.
    const second = await whole.open({ firstCopyAfterMs: 0, nowMs: () => nowMs + 86_400_000 });
    await copied(2);
    await second.close();
  });
  afterAll(() => whole[Symbol.asyncDispose]());

  for (const [what, damage] of damages)
    it(
      `(${what}) is set aside unchanged, stays broken until answered, and is replaced by a copy`,
      { tags: what === 'cut' ? 'all' : [] },
      async () => {
        await using folder = await makeFolder();
        await cp(whole.path, folder.path, { recursive: true });
        const path = join(folder.path, 'coffer.db');
        await damage(path);
        const damaged = await readFile(path);

        const opened = await folder.openAny();
        if (opened.state !== 'broken') throw new Error('not noticed');
        expect((await readFile(join(folder.path, opened.setAsideName))).equals(damaged)).toBe(true);
        expect(existsSync(path)).toBe(false);
        expect(opened.copies[0]).toMatchObject({ objects: 500, madeAtMs: nowMs + 86_400_000 });

        const again = await folder.openAny();
        if (again.state !== 'broken') throw new Error('forgotten');
        expect(again.setAsideName).toBe(opened.setAsideName);
        await expect(again.recover('../coffer.db')).rejects.toMatchObject({
          error: { code: 'invalidInput' },
        });
        const database = folder.keep(await again.recover(again.copies[0]?.id ?? ''));
        expect((await database.catalogue.collections('p1')).all).toBe(500);
        expect(await database.documents.get('services', 'p1')).toEqual({ name: 'kept' });
        expect((await readFile(join(folder.path, opened.setAsideName))).equals(damaged)).toBe(true);
      },
    );

  it('can be replaced by an empty one', async () => {
    await using folder = await makeFolder();
    await writeFile(join(folder.path, 'coffer.db'), 'no database');
    const opened = await folder.openAny();
    if (opened.state !== 'broken') throw new Error('not noticed');
    expect(opened.copies).toEqual([]);
    const database = folder.keep(await opened.recover(null));
    expect((await database.catalogue.collections('p1')).all).toBe(0);
    await fill(database.catalogue, 1);
    await database.close();
    const { catalogue } = await folder.open();
    expect((await catalogue.collections('p1')).all).toBe(1);
  });
});

describe('copies', () => {
  it('makes one a day and checks it, and keeps three', async () => {
    await using folder = await makeFolder();
    for (let day = 0; day < 4; day += 1) {
      const atMs = nowMs + day * 86_400_000;
      const made = Promise.withResolvers<number>();
      const database = await folder.open({
        firstCopyAfterMs: 0,
        nowMs: () => atMs,
        onCopyMade: (_elapsedMs, bytes) => made.resolve(bytes),
      });
      await fill(database.catalogue, day + 1);
      const bytes = await made.promise;
      const copies = listCopies(folder.path);
      expect(copies[0]?.madeAtMs).toBe(atMs);
      expect(copies.length).toBe(Math.min(day + 1, 3));
      expect((await stat(copyPath(folder.path, copies[0]?.id ?? ''))).size).toBe(bytes);
      await database.close();
    }
    expect(listCopies(folder.path)).toHaveLength(3);
    expect((await readdir(join(folder.path, 'copies'))).filter((name) => !name.endsWith('Z.db'))).toEqual([]);
  });
});

describe('a process killed while it writes', () => {
  it('loses nothing that was reported as durable, and leaves no partial change', async () => {
    await using folder = await makeFolder();
    for (const rounds of [3, 20]) {
      const child = spawn(
        process.execPath,
        ['--no-warnings', programFile('test-support/main/database/writer.ts'), folder.path],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      const exited = once(child, 'exit');
      let promised = -1;
      for await (const line of createInterface(child.stdout)) {
        promised = Math.max(promised, Number(line));
        if (promised === rounds) child.kill('SIGKILL');
      }
      await exited;
      expect(promised).toBeGreaterThanOrEqual(rounds);
      const database = await folder.open();
      expect(await database.documents.get('c', 'last')).toBeGreaterThanOrEqual(promised);
      const identifiers = Array.from(
        { length: (promised + 1) * 5 },
        (_, n) => `f/${String(Math.floor(n / 5))}-${String(n % 5)}`,
      );
      const found = await database.catalogue.findByIdentifiers('p1', 'data', identifiers);
      expect(found.size).toBe(identifiers.length);
      for (const { state, id } of found.values()) {
        expect(state).toBe('stored');
        expect(await database.catalogue.history(id, 5)).toHaveLength(1);
      }
      expect((await database.catalogue.collections('p1')).all % 5).toBe(0);
      await database.catalogue.removeService('p1');
      await database.close();
    }
  });

  it('leaves whole batches of an import', async () => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'in.jsonl');
    const lines = Array.from({ length: 20_000 }, (_, n) => `{"identifier":"f/${String(n)}"}\n`);
    await writeFile(path, `{"cofferCatalogue":1}\n${lines.join('')}`);
    const importer = programFile('test-support/main/objects/importer.ts');
    const child = spawn(process.execPath, ['--no-warnings', importer, folder.path, path], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    const { catalogue } = await folder.open();
    const { all } = await catalogue.collections('p1');
    expect(all).toBeGreaterThan(0);
    expect(all).toBeLessThan(20_000);
    // A repeated import completes it.
    expect(await catalogue.importFrom('p1', path, 'import')).toMatchObject({
      added: 20_000 - all,
      unchanged: all,
    });
  });
});

describe('a start', () => {
  /** Damages a page of the rows, as a faulty disk might: only reading that page shows it. */
  async function damage(path: string): Promise<void> {
    const { atime, mtime } = await stat(path);
    const db = new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true });
    const page = db.prepare("SELECT max(pageno) AS number FROM dbstat WHERE name = 'object'").get()?.[
      'number'
    ];
    db.close();
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (Number(page) - 1) * 4096);
    await file.close();
    await utimes(path, atime, mtime);
  }
  const objects = Array.from({ length: 2000 }, (_, n) => ({
    kind: 'data' as const,
    identifier: `folder/${String(n)}`,
    patch: {},
  }));

  it('does not check every page of a file that was closed in order and is unchanged', async () => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'coffer.db');
    const database = await folder.open();
    await database.catalogue.add('p', objects);
    await database.close();
    const whole = new Date(1_700_000_000_000);
    await utimes(path, whole, whole);
    await (await folder.open()).close();
    await utimes(path, whole, whole);
    await writeFile(join(folder.path, 'coffer.closed.json'), await noteOf(path));
    await damage(path);
    await (await folder.open()).close();
    // Without the note of an orderly close, it checks every page.
    await rm(join(folder.path, 'coffer.closed.json'));
    expect((await folder.openAny()).state).toBe('broken');
  });

  it('checks every page after a kill, and if the file was changed since', async () => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'coffer.db');
    const database = await folder.open();
    await database.catalogue.add('p', objects);
    await database.close();
    expect(await readdir(folder.path)).toContain('coffer.closed.json');
    const again = await folder.open();
    expect(await readdir(folder.path)).not.toContain('coffer.closed.json');
    await again.close();
    // Written to by another program.
    await utimes(path, new Date(), new Date());
    await damage(path);
    expect((await folder.openAny()).state).toBe('broken');
  });
});

async function noteOf(path: string): Promise<string> {
  const { size, mtimeNs, ino } = await stat(path, { bigint: true });
  return JSON.stringify({ size: String(size), mtimeNs: String(mtimeNs), ino: String(ino) });
}
