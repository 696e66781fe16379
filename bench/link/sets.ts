import { randomBytes } from 'node:crypto';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Numbers of files and their sizes. */
const sets = {
  '300': [[300, 8000]],
  '1500': [[1500, 8000]],
  '60': [[60, 1_000_000]],
  '6': [[6, 40_000_000]],
  // In the order of their names: the large ones are queued first.
  mixed: [
    [6, 40_000_000],
    [300, 8000],
  ],
} as const;

export type SetName = keyof typeof sets;
export const setNames = Object.keys(sets) as SetName[];

export interface FileSet {
  readonly name: SetName;
  readonly folder: string;
  /** Names the identifiers, one a line. */
  readonly list: string;
  readonly files: readonly { readonly path: string; readonly fileName: string }[];
}

/** Creates the files of a set in a folder of its own. */
export async function makeSet(within: string, name: SetName): Promise<FileSet> {
  const folder = join(within, name);
  await mkdir(folder);
  const files: { path: string; fileName: string }[] = [];
  for (const [number, sizeBytes] of sets[name]) {
    for (let index = 0; index < number; index += 1) {
      const fileName = `f${String(files.length).padStart(4, '0')}`;
      const path = join(folder, fileName);
      await writeRandom(path, sizeBytes);
      files.push({ path, fileName });
    }
  }
  const list = join(within, `${name}.txt`);
  await writeFile(list, files.map(({ fileName }) => `${fileName}\n`).join(''));
  return { name, folder, list, files };
}

async function writeRandom(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, 'w');
  for (let left = sizeBytes; left > 0; left -= 1_000_000)
    await file.write(randomBytes(Math.min(left, 1_000_000)));
  await file.close();
}
