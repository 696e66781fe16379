import { execFile } from 'node:child_process';
import {
  cpSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip } from 'node:zlib';
import { zipSync, type ZipOptions } from 'fflate';

const root = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/**
 * Packs the command alone, for servers and containers: a folder with its program, what belongs beside it, and the licences.
 * @param from the output of `makeProgram`
 * @param name of its system and processor in file names, as electron-builder writes them: `linux-x64`
 * @param level of the compression: an archive is made once and downloaded often
 * @returns the archives, in `output`: for Windows a zip too, as winget wants it
 */
export async function makeArchive(
  from: string,
  name: string,
  output: string,
  level = constants.Z_BEST_COMPRESSION,
): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), 'coffer-archive-'));
  try {
    const folder = `coffer-${version}`;
    cpSync(from, join(work, folder), { recursive: true });
    cpSync(join(root, 'licences.txt'), join(work, folder, 'licences.txt'));
    mkdirSync(output, { recursive: true });
    const archive = join(output, `coffer-command-${version}-${name}`);
    // Otherwise tar on macOS adds files for extended attributes.
    const env = { ...process.env, COPYFILE_DISABLE: '1' };
    await promisify(execFile)('tar', ['-cf', 'archive.tar', folder], { cwd: work, env });
    await pipeline(
      createReadStream(join(work, 'archive.tar')),
      createGzip({ level }),
      createWriteStream(`${archive}.tar.gz`),
    );
    if (!name.startsWith('win')) return [`${archive}.tar.gz`];
    writeFileSync(`${archive}.zip`, zip(work, folder, level));
    return [`${archive}.tar.gz`, `${archive}.zip`];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns a zip of a folder in `work`. Synchronous: threads would each hold a copy of the program. */
function zip(work: string, folder: string, level: number): Uint8Array {
  const files = readdirSync(join(work, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [relative(work, path).replaceAll(sep, '/'), readFileSync(path)] as const);
  return zipSync(Object.fromEntries(files), { level: level as ZipOptions['level'] & number });
}
