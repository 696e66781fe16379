import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { createWebMarker, webMarkOf } from './web-mark.ts';

test('Windows and macOS have a mark, Linux has none', () => {
  const systems = ['win32', 'darwin', 'linux', 'freebsd'] as const;
  expect(systems.map((system) => webMarkOf(system))).toEqual(['zone', 'quarantine', undefined, undefined]);
});

// Where there are no streams, a file of that name stands in for the stream.
test('on NTFS the zone of the internet is in the stream Zone.Identifier, without an address', async () => {
  const path = join(await makeTestFolder(), 'größe & 1.pdf');
  writeFileSync(path, 'bytes');
  await createWebMarker()(path, 'zone');
  expect(readFileSync(`${path}:Zone.Identifier`, 'utf8')).toBe('[ZoneTransfer]\r\nZoneId=3\r\n');
  expect(readFileSync(path, 'utf8')).toBe('bytes');
});

test('a file system that takes no mark fails no download', async () => {
  const folder = await makeTestFolder();
  await createWebMarker()(join(folder, 'missing', 'a.pdf'), 'zone');
  await createWebMarker(() => Promise.reject(new Error('exit 1')))(join(folder, 'a.pdf'), 'quarantine');
  expect(readdirSync(folder)).toEqual([]);
});

test('on macOS, files that come while xattr runs are marked by one process', async () => {
  const calls: (readonly string[])[] = [];
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  const mark = createWebMarker(
    async (args) => {
      calls.push(args);
      await go;
    },
    () => 1_700_000_000_000,
  );
  const marking = ['/a', '/b c'].map((path) => mark(path, 'quarantine'));
  await expect.poll(() => calls.length).toBe(1);
  marking.push(...Array.from({ length: 250 }, (_, at) => mark(`/${at}`, 'quarantine')));
  release();
  await Promise.all(marking);
  const value = '0081;6553f100;Coffer;';
  expect(calls[0]).toEqual(['-w', 'com.apple.quarantine', value, '/a', '/b c']);
  expect(calls.map((args) => args.length - 3)).toEqual([2, 200, 50]);
  expect(calls.slice(1).flatMap((args) => args.slice(3))).toEqual(
    Array.from({ length: 250 }, (_, at) => `/${at}`),
  );
});
