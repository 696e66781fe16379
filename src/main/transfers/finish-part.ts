import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { numberedFileName } from '../../shared/domain/file-name.ts';
import type { Whole } from './download.ts';
import { giveName } from './target-file.ts';

/**
 * A download that was whole when everything ended: gives the part its name, or finds the file under the one it got.
 * @returns the path; null when neither is there
 */
export async function finishPart(whole: Whole): Promise<string | null> {
  const folder = dirname(whole.partPath);
  const part = await identityOf(whole.partPath);
  const isWhole = part !== null && (await holds(whole.partPath, whole));
  for (let number = 0; ; number += 1) {
    const path = join(folder, number === 0 ? whole.fileName : numberedFileName(whole.fileName, number));
    const found = await identityOf(path);
    if (found === null) break;
    // With the part still there only another name of the same file is meant, else any file that holds these bytes.
    if (isWhole ? found === part : await holds(path, whole)) {
      if (isWhole) await rm(whole.partPath, { force: true });
      return path;
    }
  }
  if (isWhole) return giveName(whole.partPath, folder, whole.fileName);
  // What a power cut left of it.
  await rm(whole.partPath, { force: true });
  return null;
}

async function identityOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found && `${found.dev} ${found.ino}`;
}

async function holds(path: string, { lengthBytes, sha256 }: Whole): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size !== lengthBytes) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === sha256;
}
