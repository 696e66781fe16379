import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { getRawHeader } from '@electron/asar';
import { digestOf } from '../../e2e/files.ts';
import { expect, packEnvironment, root, test } from './fixtures.ts';

const run = promisify(execFile);

test('a list of components and checksums lie beside the packages', async ({ packages: [linux] }) => {
  const folder = dirname(dirname(linux?.program ?? ''));
  const names = readdirSync(folder);
  const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
  };
  const text = readFileSync(join(folder, `coffer-${version}.cdx.json`), 'utf8');
  const bom = JSON.parse(text) as { bomFormat: string; components: { purl: string }[] };
  expect(bom.bomFormat).toBe('CycloneDX');
  const purls = bom.components.map(({ purl }) => purl);
  for (const [name, wanted] of Object.entries(dependencies)) {
    const [, alias = name, exact = wanted] = /^npm:(.+)@(.+)$/.exec(wanted) ?? [];
    expect(purls).toContain(`pkg:npm/${alias.replace('@', '%40')}@${exact}`);
  }
  expect(purls.filter((purl) => /npm\/electron@|generic\/node@/.test(purl))).toHaveLength(2);
  expect(text).not.toContain(root);
  const checksums = names.filter((name) => name.endsWith('.sha256'));
  expect(checksums).toContain(`coffer-command-${version}-linux-x64.tar.gz.sha256`);
  for (const name of checksums) {
    const [digest, of = ''] = readFileSync(join(folder, name), 'utf8').trim().split('  ');
    expect(`${of}.sha256`).toBe(name);
    expect(digestOf(join(folder, of))).toBe(digest);
  }
});

/** The SHA-256 of each file, by its path below the folder. */
function digestsBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), digestOf(path)]));
}

test('the same sources give the same archive @all', async ({ packages: [linux] }) => {
  const headerOf = (asar: string) =>
    createHash('sha256').update(getRawHeader(asar).headerString).digest('hex');
  const before = headerOf(linux?.asar ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'coffer-again-'));
  try {
    const builder = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
    // In another folder: other tests start what is in `out` meanwhile.
    const again = join(folder, 'out');
    await run(process.execPath, [builder, 'build', '--logLevel', 'warn', '--outDir', again], { cwd: root });
    expect(digestsBelow(again)).toEqual(digestsBelow(join(root, 'out')));
    const pack = join(import.meta.dirname, 'pack.ts');
    // Another time zone and umask.
    const env = { ...packEnvironment, TZ: 'Asia/Tokyo' };
    await run('sh', ['-c', 'umask 077; exec "$0" "$@"', process.execPath, pack, folder, 'archive'], { env });
    expect(headerOf(join(folder, 'made', 'linux-unpacked', 'resources', 'app.asar'))).toBe(before);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
