import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
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
  for (const target of ['linux-x64', 'linux-arm64', 'win32-x64', 'darwin-x64', 'darwin-arm64'])
    expect(checksums[`electron-v${version}-${target}.zip`]).toMatch(/^[0-9a-f]{64}$/);
});
