import { existsSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { makeMemoryFolder } from './memory-folder.js';

const memory = '/dev/shm';
const gib = 1024 ** 3;

/** Well more than required: other processes take and release some meanwhile. */
function hasRoom() {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 3 * gib && freemem() > 6 * gib;
}

test.skipIf(!hasRoom())('a folder in memory is new and empty', () => {
  const folder = makeMemoryFolder() ?? '';
  try {
    expect(dirname(folder)).toBe(memory);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.skipIf(process.platform !== 'linux')('returns null where there is no memory, or not enough', () => {
  expect(makeMemoryFolder('/nowhere')).toBeNull();
  expect(makeMemoryFolder('/proc')).toBeNull();
});
