import { expect, test } from 'vitest';
import { createRandom } from '../../../test-support/random.ts';
import type { FolderPlace } from '../../main/upload-plan/read-files.ts';
import { Absences, type Scan, type Verdict } from './absences.ts';

const settleMs = 5000;
const isWanted = (path: string) => !path.endsWith('.DS_Store');
const disk: FolderPlace = { device: 1, bornMs: 0 };

interface Seen {
  /** Devices of folders other than those of files; `unread`: the listing broke off. */
  readonly folders?: Readonly<Record<string, FolderPlace | 'unread'>>;
}

function scanAt(atMs: number, files: readonly string[], { folders = {} }: Seen = {}): Scan {
  const above = files.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/')));
  const places = new Map<string, FolderPlace>([
    ['', disk],
    ...above.map((folder) => [folder, disk] as const),
  ]);
  const unread = new Set<string>();
  for (const [folder, place] of Object.entries(folders)) {
    if (place !== 'unread') places.set(folder, place);
    else {
      unread.add(folder);
      places.delete(folder);
    }
  }
  return {
    files: new Map(files.map((path) => [path, null])),
    folders: places,
    unread,
    begunMs: atMs,
    endedMs: atMs,
  };
}

/** Scans five seconds apart. */
function watch(...seen: (readonly [readonly string[], Seen?])[]): (path: string) => Verdict {
  const absences = new Absences({ settleMs, minScans: 3, isWanted });
  seen.forEach(([files, more], at) => absences.add(scanAt(at * settleMs, files, more)));
  return (path) => absences.judge(path);
}

test('a file is gone once it was missing in three scans and for the settle time', () => {
  const [all, left] = [['a', 'b'], ['b']];
  expect(watch([all], [left])('a')).toBe('missing');
  expect(watch([all], [left], [left])('a')).toBe('missing');
  expect(watch([all], [left], [left], [left])('a')).toBe('gone');
  expect(watch([all], [left], [all], [left], [left])('a')).toBe('missing');
  // It was never there, as after a start.
  expect(watch([left], [left], [left])('a')).toBe('gone');
  expect(watch([left], [left])('a')).toBe('missing');
  expect(watch([all], [left], [left], [left])('b')).toBe('present');
});

test('many scans in a short time are not enough', () => {
  const absences = new Absences({ settleMs, minScans: 3, isWanted });
  absences.add(scanAt(0, ['a', 'b']));
  for (let atMs = 1; atMs <= settleMs; atMs += 100) absences.add(scanAt(atMs, ['b']));
  expect(absences.judge('a')).toBe('missing');
  absences.add(scanAt(settleMs + 1, ['b']));
  expect(absences.judge('a')).toBe('gone');
});

test('a folder that is empty, missing, unread or on another disk proves nothing', () => {
  const before = ['top', 'disk/a', 'disk/b', 'disk/in/c'];
  const other = { folders: { disk: { device: 2, bornMs: 0 } } };
  for (const [after, more, why] of [
    [['top'], {}, 'empty'],
    [['top'], { folders: { disk } }, 'empty'],
    [['top', 'disk/.DS_Store'], {}, 'empty'],
    [['top', 'disk/b'], other, 'otherDisk'],
    [['top', 'disk/b'], { folders: { disk: 'unread' } }, 'unread'],
  ] as const) {
    const judge = watch([before], [after, more], [after, more], [after, more]);
    for (const path of ['disk/a', 'disk/in/c']) expect(judge(path)).toEqual({ why, folder: 'disk' });
    expect(judge('other')).toBe('gone');
  }
  expect(watch([['a']], [[]], [[]], [[]])('a')).toEqual({ why: 'empty', folder: '' });
});

test('after a folder is back its files have to be missing for as long again', () => {
  const [before, away, back] = [['top', 'disk/a', 'disk/b'], ['top'], ['top', 'disk/b']];
  expect(watch([before], [away], [away], [away], [back])('disk/a')).toBe('missing');
  expect(watch([before], [away], [away], [away], [back], [back], [back])('disk/a')).toBe('gone');
});

test('a disk that is mounted again under another number is the same', () => {
  const place = (device: number, bornMs: number) => ({ folders: { disk: { device, bornMs } } });
  const judge = (bornMs: number) =>
    watch(
      [['top', 'disk/a', 'disk/b'], place(2, 7)],
      ...Array.from({ length: 3 }, () => [['top', 'disk/b'], place(3, bornMs)] as const),
    )('disk/a');
  expect(judge(7)).toBe('gone');
  expect(judge(8)).toEqual({ why: 'otherDisk', folder: 'disk' });
});

test('a later scan has to confirm it', () => {
  const absences = new Absences({ settleMs, minScans: 2, isWanted });
  absences.add(scanAt(0, ['b']));
  absences.add(scanAt(settleMs, ['b']));
  const again = (files: string[], more?: Seen) => absences.judge('in/a', scanAt(settleMs + 1, files, more));
  expect(absences.judge('a', scanAt(settleMs + 1, ['b']))).toBe('gone');
  expect(absences.judge('a', scanAt(settleMs + 1, ['a', 'b']))).toBe('present');
  expect(absences.judge('a', scanAt(settleMs + 1, []))).toEqual({ why: 'empty', folder: '' });
  expect(again(['b', 'in/b'])).toEqual({ why: 'empty', folder: 'in' });
});

test('says when something may have become due: at first, and for each file that was there', () => {
  const absences = new Absences({ settleMs, minScans: 3, isWanted });
  const due = (at: number, ...files: string[]) => absences.add(scanAt(at * settleMs, files));
  expect([due(0, 'a', 'b'), due(1, 'a', 'b'), due(2, 'a', 'b'), due(3, 'a', 'b')]).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect([due(4, 'b'), due(5, 'b'), due(6, 'b'), due(7, 'b')]).toEqual([false, false, true, false]);
});

const seeds = Array.from(
  { length: Number(process.env['SEEDS'] ?? 50) },
  (_, at) => at + Number(process.env['FROM'] ?? 1),
);

/**
 * A folder whose files come and go, with a disk mounted below it that is unmounted, swapped or listed in part. A file may count
 * as gone exactly when it was missing, from a folder that is what it was, in the last scans, over long enough.
 */
test.each(seeds)('a folder that blinks, from seed %i', (seed) => {
  const random = createRandom(seed);
  const chance = (of: number) => random() < of;
  const mounted: FolderPlace = { device: 2, bornMs: 0 };
  const paths = ['a', 'b', 'c', 'in/a', 'in/b', 'disk/a', 'disk/b', 'disk/in/a', 'disk/in/b'];
  const there = new Set(paths);
  const minScans = chance(0.5) ? 3 : 2;
  const absences = new Absences({ settleMs, minScans, isWanted });
  /** Of each path, when it was missing in the scans up to now. */
  const missing = new Map<string, number[]>(paths.map((path) => [path, []]));
  let atMs = 0;
  for (let step = 0; step < 60; step += 1) {
    atMs += Math.round(random() * settleMs * 1.5);
    if (step > 0) for (const path of paths) if (chance(0.08) && !there.delete(path)) there.add(path);
    const state =
      step === 0 || chance(0.8)
        ? 'whole'
        : ['away', 'stray', 'swapped', 'unread', 'litter'][Math.floor(random() * 5)];
    const isOff = state !== 'whole';
    const files = paths.filter((path) => there.has(path) && !(isOff && path.startsWith('disk/')));
    const folders: Record<string, FolderPlace | 'unread'> = { in: disk, disk: mounted, 'disk/in': mounted };
    if (isOff) delete folders['disk/in'];
    if (state === 'away') delete folders['disk'];
    if (state === 'stray' || state === 'litter') folders['disk'] = disk;
    if (state === 'swapped') folders['disk'] = { device: 3, bornMs: 0 };
    if (state === 'unread') folders['disk'] = 'unread';
    if (state === 'stray' || state === 'swapped' || state === 'unread') files.push('disk/other');
    if (state === 'litter') files.push('disk/.DS_Store');
    const scan = scanAt(atMs, files, { folders });
    for (const [folder, place] of Object.entries(folders))
      if (place !== 'unread') (scan.folders as Map<string, FolderPlace>).set(folder, place);
    absences.add(scan);
    const holdsFile = (folder: string) => files.some((path) => isWanted(path) && path.startsWith(folder));
    for (const path of paths) {
      const trail = path.split('/').map((_, at, parts) =>
        parts
          .slice(0, at)
          .map((part) => `${part}/`)
          .join(''),
      );
      const isProven = trail.every(holdsFile) && !(isOff && path.startsWith('disk/'));
      const times = missing.get(path) ?? [];
      if (!files.includes(path) && isProven) times.push(atMs);
      else times.length = 0;
      // Enough scans back there is one that is long enough ago.
      const isGone =
        times.length >= minScans && times.slice(0, 1 - minScans).some((ms) => atMs - ms >= settleMs);
      expect({ step, path, isGone: absences.judge(path) === 'gone' }).toEqual({ step, path, isGone });
    }
  }
});
