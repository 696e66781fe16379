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
 * A new folder that is kept in memory. null: there is none here (another system), it is too small (in a container often 64 MB),
 * or what lies there may not be run, as tests do.
 */
export function makeMemoryFolder(parent = '/dev/shm') {
  try {
    const { bavail, bsize } = statfsSync(parent);
    if (Math.min(bavail * bsize, freemem() / 2) < neededBytes) return null;
    const folder = mkdtempSync(join(parent, 'coffer-'));
    // Tests that lay down root go through it, as they do through /tmp.
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
