import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/**
 * Removes a test's folder, if it exists. Synchronously, since `rm` of promises takes ten times as long; falls back to that one where
 * something still writes, because `rmSync` does not wait between its tries.
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    await rm(path, { recursive: true, force: true, maxRetries: 10 });
  }
}
