import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../test-support/main/database/folder.ts';
import { programFile } from '../../../../test-support/main/program.ts';
import { eventually } from '../../../../test-support/eventually.ts';

describe.each(['jsonl', 'csv'] as const)('an export to %s', (format) => {
  it('leaves other files alone, and nothing behind when it fails', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    await catalogue.add('p', [{ kind: 'data', identifier: 'a', patch: {} }]);
    const target = join(folder.path, 'target');
    await mkdir(target);
    const path = join(target, `list.${format}`);
    await writeFile(`${path}.part`, 'mine');
    expect(await catalogue.exportTo('p', format, path)).toBe(1);
    expect((await readdir(target)).toSorted()).toEqual([`list.${format}`, `list.${format}.part`]);
    expect(await readFile(`${path}.part`, 'utf8')).toBe('mine');
    // A folder with this name: the file can be written, but not renamed.
    await mkdir(join(target, 'taken'));
    await expect(catalogue.exportTo('p', format, join(target, 'taken'))).rejects.toThrow('rename');
    expect((await readdir(target)).toSorted()).toEqual([`list.${format}`, `list.${format}.part`, 'taken']);
  });

  it('includes the renewal date, which an import fills in where there is none', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const secret = (identifier: string, renewBy: string | null) =>
      ({ kind: 'secret', identifier, patch: { state: 'stored', renewBy } }) as const;
    await catalogue.add('p', [secret('a', '2026-10-01'), secret('b', '2026-11-01'), secret('c', null)]);
    const path = join(folder.path, `list.${format}`);
    await catalogue.exportTo('p', format, path);
    await catalogue.setNaming('q', { separator: '/', versionMark: '@{number}' });
    await catalogue.add('q', [secret('a', null), secret('b', '2027-01-01')]);
    expect(await catalogue.importFrom('q', path, 'i')).toMatchObject({ added: 1, merged: 1 });
    const found = await catalogue.findByIdentifiers('q', 'secret', ['a', 'b', 'c']);
    expect([...found.values()].map(({ identifier, renewBy = null }) => [identifier, renewBy])).toEqual([
      ['a', '2026-10-01'],
      ['b', '2027-01-01'],
      ['c', null],
    ]);
  });
});

it('exports where an object has moved, but not when it was used on this computer', async () => {
  await using folder = await makeFolder();
  const { catalogue } = await folder.open();
  const [moved, used] = await catalogue.add('p', [
    { kind: 'data', identifier: 'old', patch: { state: 'gone', movedTo: 'new' } },
    { kind: 'data', identifier: 'new', patch: { state: 'stored' } },
  ]);
  await catalogue.noteUse(used?.record.id ?? 0);
  const listed = await catalogue.getMany([moved, used].flatMap((each) => each?.record.id ?? []));
  expect(listed.map(({ movedTo, usedAtMs }) => [movedTo, usedAtMs !== undefined])).toEqual([
    ['new', false],
    [undefined, true],
  ]);
  const path = join(folder.path, 'list.jsonl');
  await catalogue.exportTo('p', 'jsonl', path);
  await catalogue.setNaming('q', { separator: '/', versionMark: '@{number}' });
  await catalogue.importFrom('q', path, 'i');
  const found = await catalogue.findByIdentifiers('q', 'data', ['old', 'new']);
  expect(found.get('old')?.movedTo).toBe('new');
  expect(found.get('new')?.usedAtMs).toBe(undefined);
});

describe('a process killed while it exports', () => {
  it('leaves a temporary file, which the next start removes', async () => {
    await using folder = await makeFolder();
    const first = await folder.open();
    await first.catalogue.add(
      'p',
      Array.from({ length: 20_000 }, (_, n) => ({ kind: 'data', identifier: `f/${String(n)}`, patch: {} })),
    );
    await first.close();
    const target = join(folder.path, 'target');
    await mkdir(target);
    await writeFile(join(target, '.coffer-mine.part'), 'not of this export');
    const exporter = programFile('test-support/main/objects/exporter.ts');
    const parts = async () => (await readdir(target)).filter((name) => /^\.coffer-.{36}\.part$/.test(name));
    // Repeats if it happens to be killed between two exports.
    while ((await parts()).length === 0) {
      const child = spawn(
        process.execPath,
        ['--no-warnings', exporter, folder.path, join(target, 'list.jsonl')],
        { stdio: 'inherit' },
      );
      const exited = once(child, 'exit');
      await eventually(async () => expect(await parts()).toHaveLength(1), 1);
      child.kill('SIGKILL');
      await exited;
    }
    await folder.open();
    await eventually(async () => expect(await parts()).toEqual([]));
    expect(await readdir(target)).toContain('.coffer-mine.part');
  });
});
