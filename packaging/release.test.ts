import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import configuration from '../electron-builder.config.ts';
import { makeTestFolder } from '../test-support/main/test-ports.ts';

const root = join(import.meta.dirname, '..');
const workflow = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8');
const run = promisify(execFile);

/** The shell lines of the steps before the one that has the certificates. */
const [beforeKeys = ''] = workflow.split('- name: Make the packages');
const linesBeforeKeys = [...beforeKeys.matchAll(/^ +(?:- )?run: (.+)$/gm)].map(([, line = '']) => line);
const ofNpm = linesBeforeKeys.filter((line) => /\bnpm (?:ci|i|install|exec)\b/.test(line));

test('beside the certificates are only packages of the lock file, none of which has run a script', () => {
  const installs = ofNpm.filter((line) => !line.includes('npm exec'));
  expect(installs).toEqual(['npm ci --ignore-scripts --no-audit --no-fund']);
});

test.skipIf(process.platform === 'win32')(
  "beside the certificates, no package's script has run, and Node is the workflow's own",
  { tags: 'all' },
  async () => {
    const folder = await makeTestFolder();
    const project = join(folder, 'project');
    const dependency = join(folder, 'node');
    for (const path of [project, dependency]) mkdirSync(path);
    // As the package `node` does it: what it runs is fetched by a script, and no lock file has its digest.
    const fetched = join(folder, 'was-fetched');
    const script = `
      const { mkdirSync, writeFileSync } = require('node:fs');
      mkdirSync('bin', { recursive: true });
      writeFileSync('bin/node', '#!/bin/sh\\necho foreign\\n', { mode: 0o755 });
      writeFileSync(${JSON.stringify(fetched)}, '');`;
    writeFileSync(join(dependency, 'fetch.js'), script);
    const scripts = { preinstall: 'node fetch' };
    writeFileSync(
      join(dependency, 'package.json'),
      JSON.stringify({ name: 'node', version: '1.0.0', bin: { node: 'bin/node' }, scripts }),
    );
    const env: NodeJS.ProcessEnv = { ...process.env, npm_config_cache: join(folder, 'cache') };
    // Those of the npm that runs the tests; and its commands come before the computer's.
    for (const name of Object.keys(env)) if (/^npm_(?!config_cache$)/.test(name)) delete env[name];
    env['PATH'] = (env['PATH'] ?? '')
      .split(':')
      .filter((each) => !each.includes('node_modules'))
      .join(':');
    await run('npm', ['pack', dependency, '--silent'], { cwd: project, env });
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ name: 'project', version: '1.0.0', devDependencies: { node: 'file:node-1.0.0.tgz' } }),
    );
    await run('npm', ['install', '--package-lock-only', '--offline', '--silent'], { cwd: project, env });
    expect(existsSync(fetched)).toBe(false);

    expect(ofNpm.length).toBeGreaterThan(0);
    for (const line of ofNpm) await run('bash', ['-ec', line], { cwd: project, env });
    expect(existsSync(fetched)).toBe(false);

    // The workflow notices it itself, too.
    const check = ofNpm.find((line) => line.includes('process.execPath')) ?? '';
    rmSync(join(project, 'node_modules'), { recursive: true });
    await run('npm', ['ci', '--silent'], { cwd: project, env });
    expect(existsSync(fetched)).toBe(true);
    await expect(run('bash', ['-ec', check], { cwd: project, env })).rejects.toMatchObject({ code: 1 });
  },
);

test("Electron's binaries are compared with the digests of its package, not with those of the server they come from", () => {
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'),
  ) as { version: string };
  const { electronDownload } = configuration;
  const checksums = (electronDownload && 'checksums' in electronDownload && electronDownload.checksums) || {};
  for (const target of ['linux-x64', 'linux-arm64', 'win32-x64', 'win32-arm64', 'darwin-x64', 'darwin-arm64'])
    expect(checksums[`electron-v${version}-${target}.zip`]).toMatch(/^[0-9a-f]{64}$/);
});

/** The lines of the step with this name. */
function linesOf(name: string): string {
  const [, step = ''] = workflow.split(`- name: ${name}\n`);
  const [, block = ''] = /^ +run: \|\n((?: {10}.*\n)+)/m.exec(step) ?? [];
  return block.replaceAll(/^ {10}/gm, '');
}

describe.skipIf(process.platform !== 'linux')(
  'a draft has the packages of the systems that have made some',
  () => {
    async function sumUp(names: string[]): Promise<{ notes: string; sums: string }> {
      const folder = await makeTestFolder();
      for (const name of names) {
        mkdirSync(join(folder, 'packages'), { recursive: true });
        writeFileSync(join(folder, 'packages', name), name);
      }
      await run('bash', ['-e', '-o', 'pipefail', '-c', linesOf('Sum up what there is')], { cwd: folder });
      const read = (path: string) => readFileSync(join(folder, path), 'utf8');
      return { notes: read('notes'), sums: read('packages/SHA256SUMS') };
    }

    test('two of three, and says which is missing', async () => {
      const { notes, sums } = await sumUp([
        'coffer-1.0.0-linux-x86_64.AppImage',
        'coffer-1.0.0-linux-x86_64.AppImage.sha256',
        'coffer-command-1.0.0-win-x64.zip',
        'coffer-1.0.0.cdx.json',
      ]);
      expect(notes).toBe('Without packages for mac.\n');
      const named = sums.split('\n').map((line) => line.split('  ')[1]);
      expect(named.slice(0, -1)).toEqual([
        'coffer-1.0.0-linux-x86_64.AppImage',
        'coffer-1.0.0.cdx.json',
        'coffer-command-1.0.0-win-x64.zip',
      ]);
    });

    test('all of them', async () => {
      const { notes } = await sumUp(
        ['linux', 'win', 'mac'].map((system) => `coffer-1.0.0-${system}-x64.zip`),
      );
      expect(notes).toBe('');
    });

    test('none is an error', async () => {
      await expect(sumUp([])).rejects.toMatchObject({
        code: 1,
        stdout: expect.stringContaining('::error::'),
      });
    });
  },
);

test('a system that fails stops neither the others nor the draft', () => {
  const [, packaging = ''] = workflow.split('\n  package:\n');
  expect(packaging).toContain('fail-fast: false');
  expect(workflow).toContain("if: ${{ !cancelled() && needs.ci.result == 'success' }}");
});
