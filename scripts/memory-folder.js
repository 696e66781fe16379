/*
 * A folder in memory for the tests' files: on a disk, each small durable write takes some milliseconds, thousands of
 * times.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** Several times what all concurrent tests have there; the tests themselves need as much memory again. */
const neededBytes = 2 * 1024 ** 3;

/**
 * A new folder in memory. null: not available on this system, too small (in a container often 64 MB), or mounted noexec, while
 * tests run programs there.
 */
export function makeMemoryFolder(parent = '/dev/shm') {
  try {
    const { bavail, bsize } = statfsSync(parent);
    if (Math.min(bavail * bsize, freemem() / 2) < neededBytes) return null;
    const folder = mkdtempSync(join(parent, 'coffer-'));
    // Tests that drop root need access, as they have to /tmp.
    chmodSync(folder, 0o711);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    const isRun = spawnSync(program).status === 0;
    rmSync(isRun ? program : folder, { recursive: true });
    return isRun ? folder : null;
  } catch {
    return null;
  }
}
