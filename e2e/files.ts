import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync, type Dirent } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files of random bytes to `folder`. Returns their absolute paths by name. */
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

/** The bytes of each file below a folder, by path. Chromium may still be removing its own files there on exit. */
export function readBelow(folder: string): Map<string, Buffer> {
  const files = entriesBelow(folder).filter((entry) => entry.isFile());
  return new Map(
    files.flatMap(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const bytes = unlessGone(() => readFileSync(path));
      return bytes === null ? [] : [[path, bytes] as const];
    }),
  );
}

function entriesBelow(folder: string): Dirent[] {
  // A folder that is removed during the scan would hide the others.
  for (;;) {
    const entries = unlessGone(() => readdirSync(folder, { recursive: true, withFileTypes: true }));
    if (entries !== null) return entries;
    if (!existsSync(folder)) throw new Error(`${folder} is not there`);
  }
}

function unlessGone<T>(read: () => T): T | null {
  try {
    return read();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw cause;
  }
}
