import { hash } from 'node:crypto';
import { chmodSync, copyFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import type { ListedObject } from '../../shared/contract.ts';
import { factBits } from '../../shared/domain/unverified.ts';
import { findFilesIn } from '../files/find-files.ts';
import {
  compareWithList,
  identifiersBelow,
  isWithoutFile,
  type CompareOptions,
  type KnownDigests,
} from './compare.ts';

const { signal } = new AbortController();
const naming = { separator: '/', versionMark: '@{number}' };
const options: CompareOptions = {
  naming,
  ifExists: 'newVersion',
  identifierOf: identifiersBelow('to', '/'),
  signal,
};

const row = (identifier: string, text: string, state: ListedObject['state'] = 'stored'): ListedObject => ({
  id: 1,
  identifier,
  kind: 'data',
  state,
  lengthBytes: text.length,
  sha256: hash('sha256', text, 'hex'),
  classification: null,
  storedAtMs: 0,
  checkedAtMs: null,
  note: '',
});

function seen(known: KnownDigests, path: string) {
  const before = known.get(path);
  if (!before) throw new Error(`${path} was not read`);
  return before.file;
}

async function filesOf(contents: Readonly<Record<string, string>>) {
  const folder = await makeTestFolder();
  for (const [name, text] of Object.entries(contents)) {
    writeFileSync(join(folder, name), text);
    utimesSync(join(folder, name), 1000, 1000);
  }
  return { folder, files: (await findFilesIn({ resolve: () => folder }, '.', {}, signal)).files };
}

async function differences(
  contents: Readonly<Record<string, string>>,
  rows: readonly ListedObject[],
  more: Partial<CompareOptions> = {},
) {
  const { files } = await filesOf(contents);
  const { changed, unchanged } = await compareWithList(files, rows, { ...options, ...more });
  return { unchanged, changed: changed.map(({ identifier, why }) => `${identifier} ${why}`) };
}

test('compares a file with the newest version, or with the object of its name', async () => {
  const rows = [row('to/a', 'old'), row('to/a@2', 'mid'), row('to/a@10', 'new')];
  expect(await differences({ a: 'new' }, rows)).toEqual({ unchanged: 1, changed: [] });
  expect(await differences({ a: 'old' }, rows)).toEqual({ unchanged: 0, changed: ['to/a differs'] });
  const ifExists = 'replace';
  expect(await differences({ a: 'old' }, rows, { ifExists })).toEqual({ unchanged: 1, changed: [] });
  expect(await differences({ a: 'new' }, rows, { ifExists })).toMatchObject({ changed: ['to/a differs'] });
});

test('a version that only an imported list names hides none that was seen', async () => {
  const told = { ...row('to/a@99', ''), sha256: null, unverified: factBits.presence };
  expect(await differences({ a: 'old' }, [row('to/a', 'old'), told])).toEqual({ unchanged: 1, changed: [] });
  expect(await differences({ a: 'old' }, [told])).toEqual({ unchanged: 0, changed: ['to/a differs'] });
});

test('what the list does not know for certain counts as changed', async () => {
  const contents = { a: '1', b: '22', c: '3', d: '4', e: '5', f: '6' };
  const rows = [
    row('to/a', '1', 'gone'),
    row('to/b', '2'),
    { ...row('to/c', '3'), sha256: null },
    row('to/d', '4', 'missing'),
    row('to/e', '5', 'unknown'),
  ];
  expect(await differences(contents, rows)).toEqual({
    unchanged: 0,
    changed: ['to/a absent', 'to/b differs', 'to/c unknown', 'to/d absent', 'to/e unknown', 'to/f absent'],
  });
});

test('does not skip a file because an imported list claims its object', async () => {
  const ifExists = 'skip';
  const told = { ...row('to/a', 'same'), unverified: factBits.presence | factBits.length | factBits.digest };
  expect(await differences({ a: 'same' }, [told], { ifExists })).toEqual({
    unchanged: 0,
    changed: ['to/a unknown'],
  });
  expect(
    await differences({ a: 'same' }, [{ ...told, unverified: factBits.digest }], { ifExists }),
  ).toMatchObject({
    unchanged: 1,
  });
});

test('reads a file again only if somebody may have touched it', async () => {
  const known: KnownDigests = new Map();
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3600_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const { folder, files } = await filesOf({ a: 'same', b: 'same' });
  const rows = [row('to/a', 'same'), row('to/b', 'same')];
  expect(await compareWithList(files, rows, { ...options, known })).toMatchObject({ unchanged: 2 });
  const [a, b] = ['a', 'b'].map((name) => join(folder, name)) as [string, string];
  const compare = async () => {
    const now = (await findFilesIn({ resolve: () => folder }, '.', {}, signal)).files;
    const { changed, unchanged } = await compareWithList(now, rows, { ...options, known });
    return { unchanged, changed: changed.map(({ path }) => path) };
  };
  // Shows that neither is read.
  for (const path of [a, b]) known.set(path, { file: seen(known, path), sha256: 'of the last reading' });
  expect(await compare()).toEqual({ unchanged: 0, changed: [a, b] });
  // The one change of the mode that Windows knows, and back, because it replaces no read-only file.
  for (const mode of [0o400, 0o600]) chmodSync(a, mode);
  expect(await compare()).toEqual({ unchanged: 1, changed: [b] });
  // Replaced and written to, with the length and the time of before.
  for (const path of [a, b]) {
    writeFileSync(`${path}.new`, 'diff');
    known.set(path, { file: seen(known, path), sha256: hash('sha256', 'same', 'hex') });
  }
  renameSync(`${a}.new`, a);
  copyFileSync(`${b}.new`, b);
  rmSync(`${b}.new`);
  for (const path of [a, b]) utimesSync(path, 1000, 1000);
  expect(await compare()).toEqual({ unchanged: 0, changed: [a, b] });
  // It was changed just now, so another change might not change its time.
  vi.restoreAllMocks();
  writeFileSync(b, 'same');
  known.clear();
  await compare();
  expect(known.size).toBe(0);
});

test('a version counts as having a file if its base does', () => {
  const files = new Set(['to/a', 'to/b@2']);
  const without = (identifier: string, state?: ListedObject['state']) =>
    isWithoutFile(row(identifier, '', state), files, naming, 'to', (path) => path !== 'kept');
  expect(['to/a', 'to/a@3', 'to/b@2'].filter((each) => without(each))).toEqual([]);
  expect(['to/b', 'to/b@3', 'to/c'].filter((each) => without(each))).toEqual(['to/b', 'to/b@3', 'to/c']);
  expect([without('to/kept'), without('to/c', 'missing'), without('to/c', 'uploading')]).toEqual([
    false,
    false,
    false,
  ]);
});
