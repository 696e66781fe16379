import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandOf, environment } from './tools.js';

/** What is left of habits that made the code hard to read. The numbers may only fall: write down the new one. */
const left = {
  'files under 60 lines that one other file imports': 101,
  'functions over 120 lines': 65,
  'files over 300 lines': 0,
  'interfaces with over 15 members': 16,
  'imports of an optional room by another room': 10,
  'kilobytes of pictures': 3213,
};

/** Features that work could go on without: nothing else should know them, except the lists that start them. */
const lists = ['main/features.ts', 'renderer/features.ts', 'command/program/program.ts'];
const optional =
  /^(main|renderer\/features|command)\/(approvals|edits|report|team|updates|watch)$|^main\/(agent|objects\/team)$/;

const sources = globSync('src/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file));
const texts = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]));

function smallFilesOfOne() {
  const importers = new Map(sources.map((file) => [file, new Set()]));
  for (const [file, text] of texts)
    for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g))
      importers.get(join(dirname(file), specifier))?.add(file);
  const lines = (file) => texts.get(file).split('\n').length - 1;
  return sources.filter((file) => lines(file) < 60 && importers.get(file).size === 1);
}

/** Messages of the linter about functions and files that are longer than they should be. */
function tooLong() {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-ratchets-'));
  const config = join(folder, 'oxlintrc.json');
  const rules = { 'max-lines-per-function': ['error', 120], 'max-lines': ['error', 300] };
  writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, rules }));
  const [program, ...before] = commandOf('oxlint', 'oxlint');
  const args = [...before, '-c', config, '--format', 'json', 'src'];
  const { stdout } = spawnSync(program, args, { encoding: 'utf8', env: environment({}), maxBuffer: 2 ** 28 });
  rmSync(folder, { recursive: true });
  return JSON.parse(stdout).diagnostics.filter(({ filename }) => !/\.test\.tsx?$/.test(filename));
}

const interfaces = () =>
  [...texts.values()].flatMap((text) =>
    [...text.matchAll(/^(?:export )?interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)].map(([, name, body]) => ({
      name,
      members: body.match(/^ {2}(?:readonly )?[\w'#[][^\n]*[:(]/gm)?.length ?? 0,
    })),
  );

function importsOfOptionalRooms() {
  const rooms = Object.entries(JSON.parse(readFileSync('scripts/rooms.json', 'utf8')));
  return rooms
    .filter(([from]) => !optional.test(from) && !lists.includes(from))
    .flatMap(([from, list]) => list.filter((to) => optional.test(to)).map((to) => `${from} > ${to}`));
}

test('what makes the code hard to read only becomes less', () => {
  const long = tooLong();
  const bytes = globSync('docs/**/*.png').reduce((sum, file) => sum + statSync(file).size, 0);
  expect({
    'files under 60 lines that one other file imports': smallFilesOfOne().length,
    'functions over 120 lines': long.filter(({ code }) => code.includes('function')).length,
    'files over 300 lines': long.filter(({ code }) => !code.includes('function')).length,
    'interfaces with over 15 members': interfaces().filter(({ members }) => members > 15).length,
    'imports of an optional room by another room': importsOfOptionalRooms().length,
    'kilobytes of pictures': Math.ceil(bytes / 1000),
  }).toEqual(left);
});

test('keeps pictures in docs/screens, and icons in packaging', () => {
  const pictures = globSync(
    '{bench,chromium-shell,docs,e2e,scripts,src,test-support}/**/*.{png,gif,jpg,webp}',
  );
  expect(pictures.filter((file) => dirname(file) !== join('docs', 'screens'))).toEqual([]);
});
