import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files of random bytes to `folder`. Answers their absolute paths by name. */
export function writeFiles(
  folder: string,
  lengths: Readonly<Record<string, number>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(lengths).map(([name, lengthBytes]) => {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, randomBytes(lengthBytes));
      return [name, path];
    }),
  );
}

export function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
