import { execFile } from 'node:child_process';
import {
  cpSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip } from 'node:zlib';

const root = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/**
 * Packs the command alone, for servers and containers: a folder with its program, what belongs beside it, and the licences.
 * @param from the output of `makeProgram`
 * @param name of its system and processor in file names, as electron-builder writes them: `linux-x64`
 * @param level of gzip: the archive is made once and downloaded often
 * @returns the archive, in `output`
 */
export async function makeArchive(
  from: string,
  name: string,
  output: string,
  level = constants.Z_BEST_COMPRESSION,
): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'coffer-archive-'));
  try {
    const folder = `coffer-${version}`;
    cpSync(from, join(work, folder), { recursive: true });
    cpSync(join(root, 'licences.txt'), join(work, folder, 'licences.txt'));
    mkdirSync(output, { recursive: true });
    const archive = join(output, `coffer-command-${version}-${name}.tar.gz`);
    // Otherwise tar on macOS adds files for extended attributes.
    const env = { ...process.env, COPYFILE_DISABLE: '1' };
    await promisify(execFile)('tar', ['-cf', 'archive.tar', folder], { cwd: work, env });
    await pipeline(
      createReadStream(join(work, 'archive.tar')),
      createGzip({ level }),
      createWriteStream(archive),
    );
    return archive;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
