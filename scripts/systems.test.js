import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './tools.js';

const read = (path) => readFileSync(join(root, path), 'utf8');

/** What only Linux has, or what Windows has not. */
const perSystem = /['"`]\/proc\/|'mkfifo'|'\/dev\/\w|\.mode & 0o|chmod(?:Sync)?\([^)]*, 0o0?[05]00\)/;
/** How a test leaves it out elsewhere, or asks for what the system has in its place. */
const saysSo = /process\.platform|process\.getuid|modeHere/;

test('a test that rests on one system says so', () => {
  // Packages are checked on Linux alone, and nothing of these paths is opened.
  const others = ['packaging/check/', 'scripts/setup.test.js', 'scripts/systems.test.js'];
  const files = globSync(
    ['{src,e2e,packaging,scripts,chromium-shell}/**/*.test.{ts,tsx,js}', '{e2e,packaging}/**/*.spec.ts'],
    { cwd: root },
  ).map((file) => file.replaceAll(sep, '/'));
  const silent = files
    .filter((file) => !others.some((each) => file.startsWith(each)))
    .filter((file) => perSystem.test(read(file)) && !saysSo.test(read(file)));
  expect(files.length).toBeGreaterThan(300);
  expect(silent).toEqual([]);
});

test('a spec presses the key that is the system’s for shortcuts', () => {
  const specs = globSync('e2e/{specs,pages}/*.ts', { cwd: root });
  expect(specs.filter((file) => /'(?:Control|Meta)\+/.test(read(file)))).toEqual([]);
});

test('Git gives files the ends of lines that tests and programs expect, on Windows too', () => {
  const attributes = read('.gitattributes');
  expect(attributes).toMatch(/^\* text=auto eol=lf$/m);
  // cmd.exe finds no label in a file whose lines end as elsewhere.
  expect(attributes).toMatch(/^\*\.cmd -text$/m);
  expect(read('bin/coffer.cmd').replaceAll('\r\n', '')).not.toContain('\n');
});

const workflow = read('.github/workflows/ci.yml');

test('no step that runs on Windows has a word that PowerShell takes for a variable', () => {
  const lines = [...workflow.matchAll(/^ +(?:- )?run: (.+)$/gm)].map(([, line]) => line);
  expect(lines.filter((line) => line.includes('@smoke'))).toHaveLength(1);
  expect(lines.filter((line) => /\s@\w/.test(line))).toEqual([]);
});

test('the spec that needs a Wayland display has one in the workflow, and is not left out', () => {
  const [, job = ''] = workflow.split('\n  electron:\n');
  const [installed = ''] = job.match(/apt-get install .*/) ?? [];
  expect(installed.split(' ')).toContain('weston');
});
