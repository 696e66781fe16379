import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../test-support/main/test-ports.ts';
import { makeArchive } from './make-archive.ts';

async function makeCommand(): Promise<{ from: string; output: string }> {
  const folder = await makeTestFolder();
  const from = join(folder, 'command');
  mkdirSync(join(from, 'completions'), { recursive: true });
  writeFileSync(join(from, 'coffer.exe'), 'program');
  writeFileSync(join(from, 'completions', 'coffer.ps1'), 'completion');
  return { from, output: join(folder, 'dist') };
}

test('packs the command for Windows as a zip too, with the same files', async () => {
  const { from, output } = await makeCommand();
  const [tar = '', zip = '', ...others] = await makeArchive(from, 'win-arm64', output, 1);
  expect(others).toEqual([]);
  expect(basename(zip)).toMatch(/^coffer-command-[\d.]+-win-arm64\.zip$/);
  const unpacked = unzipSync(readFileSync(zip));
  const inTar = execFileSync('tar', ['-tzf', basename(tar)], { cwd: output, encoding: 'utf8' }).split('\n');
  const files = inTar.map((line) => line.trim()).filter((path) => path !== '' && !path.endsWith('/'));
  expect(Object.keys(unpacked).sort()).toEqual(files.sort());
  const [program = ''] = files.filter((path) => path.endsWith('/coffer.exe'));
  expect(Buffer.from(unpacked[program] ?? []).toString()).toBe('program');
});

test('for other systems there is one archive', async () => {
  const { from, output } = await makeCommand();
  const archives = await makeArchive(from, 'linux-x64', output, 1);
  expect(archives.map((path) => basename(path))).toEqual([
    expect.stringMatching(/^coffer-command-[\d.]+-linux-x64\.tar\.gz$/),
  ]);
});
