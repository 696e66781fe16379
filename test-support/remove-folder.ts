import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/**
 * Removes a test's folder, if it exists: at once, as `rm` of promises takes ten times as long, and by that one where somebody still writes, as
 * `rmSync` does not wait between its tries.
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    await rm(path, { recursive: true, force: true, maxRetries: 10 });
  }
}
