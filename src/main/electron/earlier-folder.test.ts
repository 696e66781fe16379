import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { takeLease } from '../catalogue/lease.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { takeOverEarlierFolder } from './earlier-folder.ts';

let appData: string;
beforeEach(async () => {
  appData = await makeTestFolder();
});

function makeEarlier(): void {
  mkdirSync(join(appData, 'coffer', 'logs'), { recursive: true });
  writeFileSync(join(appData, 'coffer', 'coffer.db'), 'list');
}

test.each([
  ['is not there', () => undefined],
  ['is empty, as Electron makes it', () => mkdirSync(join(appData, 'Coffer'))],
])('the earlier folder is taken over when the new one %s', (_how, prepare) => {
  makeEarlier();
  prepare();
  expect(takeOverEarlierFolder(appData)).toBe(true);
  expect(readdirSync(appData)).toEqual(['Coffer']);
  expect(readFileSync(join(appData, 'Coffer', 'coffer.db'), 'utf8')).toBe('list');
  expect(takeOverEarlierFolder(appData)).toBe(false);
});

test('a new folder that holds something is neither merged nor overwritten', () => {
  makeEarlier();
  mkdirSync(join(appData, 'Coffer'));
  writeFileSync(join(appData, 'Coffer', 'coffer.db'), 'new list');
  expect(takeOverEarlierFolder(appData)).toBe(false);
  expect(readFileSync(join(appData, 'Coffer', 'coffer.db'), 'utf8')).toBe('new list');
  expect(readFileSync(join(appData, 'coffer', 'coffer.db'), 'utf8')).toBe('list');
});

test("another program's folder of that name is left alone", () => {
  mkdirSync(join(appData, 'coffer'));
  writeFileSync(join(appData, 'coffer', 'coffee.json'), '');
  expect(takeOverEarlierFolder(appData)).toBe(false);
  expect(existsSync(join(appData, 'Coffer'))).toBe(false);
});

test('where both names lead to one folder, as on Windows and macOS, nothing is done', () => {
  makeEarlier();
  symlinkSync(join(appData, 'coffer'), join(appData, 'Coffer'));
  expect(takeOverEarlierFolder(appData)).toBe(false);
  expect(readdirSync(join(appData, 'coffer')).sort()).toEqual(['coffer.db', 'logs']);
});

test('a folder that an earlier version works in is not moved away under it', () => {
  makeEarlier();
  const lease = takeLease(join(appData, 'coffer'));
  expect(() => takeOverEarlierFolder(appData)).toThrow('An earlier version of Coffer is running');
  expect(existsSync(join(appData, 'Coffer'))).toBe(false);
  lease.release();
  expect(takeOverEarlierFolder(appData)).toBe(true);
});
