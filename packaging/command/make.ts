/*
 * `npm run package:command`: the command alone, as archives in `dist`, for this computer or for the given systems:
 * `npm run package:command -- linux-arm64 win32-x64`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeArchive } from './make-archive.ts';
import { makeProgram } from './make-program.ts';
import { hostTarget, targets } from './node-program.ts';

const named = process.argv.slice(2);
const wanted = named.length > 0 ? targets.filter((each) => named.includes(each)) : [hostTarget()];
if (wanted.length < named.length) throw new Error(`Systems are ${targets.join(', ')}.`);
for (const target of wanted) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-command-'));
  try {
    await makeProgram(target, folder);
    const name = target.replace('win32', 'win').replace('darwin', 'mac');
    const archives = await makeArchive(folder, name, join(import.meta.dirname, '..', '..', 'dist'));
    process.stdout.write(`${archives.join('\n')}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
