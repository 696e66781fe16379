import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  serviceId,
  startEditBench,
  until,
  type EditBench,
} from '../../../test-support/main/edits/edit-bench.ts';

/*
 * Which files are marked as come from elsewhere, as on Windows. There the mark is a stream of the file, and here a file whose name is the
 * one that the file had when it was made.
 */

const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
let bench: EditBench;
beforeEach(async () => {
  bench = await startEditBench();
  Object.defineProperty(process, 'platform', { value: 'win32' });
});
afterEach(async () => {
  Object.defineProperty(process, 'platform', platform);
  await bench.close();
});

/** Names of the marked files in a folder, without the tag of a temporary file. */
function markedIn(folder: string): string[] {
  const marks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes(':'),
  );
  for (const mark of marks)
    expect(readFileSync(join(folder, mark), 'utf8')).toBe('[ZoneTransfer]\r\nZoneId=3\r\n');
  return marks.map((mark) =>
    mark.replace(/^.*\//, '').replace(/(\.[0-9a-f]{8}\.part)?:Zone\.Identifier$/, ''),
  );
}

const large = Buffer.alloc(3_000_000, 'abc');

test('downloads of the window, small and large, in folders and under a chosen name', async () => {
  const { downloads } = bench.bench;
  const small = await bench.bench.store('2026/small.pdf', 'small');
  const whole = await bench.bench.store('2026/large.pdf', large);
  await bench.bench.download([small, whole], null, '');
  await bench.bench.download([small], join(downloads, 'chosen.pdf'));
  await bench.bench.settled();
  expect(markedIn(downloads).toSorted()).toEqual(['chosen.pdf', 'large.pdf', 'small.pdf']);
});

test('no download of a command, as with curl', async () => {
  const ids = [await bench.bench.store('small.sh', 'small'), await bench.bench.store('large.sh', large)];
  const options = { saveAsPath: null, route: 'direct', isByCommand: true } as const;
  await bench.bench.engine.enqueue.downloads(serviceId, ids, options);
  await bench.bench.settled();
  expect(readdirSync(bench.bench.downloads).toSorted()).toEqual(['large.sh', 'small.sh']);
});

test('copies that are opened, edited and given to other programs, and the two of a comparison', async () => {
  const { copies, handlers } = bench.edits;
  const opened = await bench.bench.store('opened.pdf', 'opened');
  await handlers['edits.open']({ objectId: opened });
  await bench.bench.store('edited.txt', 'edited');
  const { id, copy } = await bench.begin('edited.txt');
  await bench.bench.store('fetched.lnk', 'fetched');
  const fetched = await bench.bench.rowOf('fetched.lnk');
  await bench.bench.store('local.exe', 'local');
  const local = await bench.bench.rowOf('local.exe');
  if (!fetched || !local) throw new Error('not stored');
  await copies.take(fetched, 'fetched.lnk', true);
  bench.local = () => Buffer.from('local');
  await copies.take(local, 'local.exe', false);
  expect(markedIn(bench.userData).toSorted()).toEqual([
    'edited.txt',
    'fetched.lnk',
    'local.exe',
    'opened.pdf',
  ]);
  bench.local = () => null;
  const theirs = Buffer.from('theirs, and longer');
  bench.bench.server.objects.set('edited.txt', { bytes: theirs, classification: null });
  writeFileSync(copy, 'mine');
  await until(async () => (await bench.one())?.state).toBe('changed');
  // A save is Coffer's own file, which is uploaded.
  expect(markedIn(bench.userData)).toHaveLength(4);
  await handlers['edits.compare']({ id });
  await until(() => markedIn(bench.userData)).toHaveLength(6);
});
