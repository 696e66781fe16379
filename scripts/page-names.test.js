import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { patternsOf, readMessages } from '../e2e/pictures/messages.ts';
import { readPages, root } from '../e2e/pictures/pages.ts';
import { exitCodes, endingSignals } from '../src/command/errors/exit-code.ts';
import { createProgram } from '../src/command/program/program.ts';
import { csvFields } from '../src/main/objects/exchange/format.ts';
import { fileKindWords } from '../src/shared/domain/search.ts';
import { searchKeys } from '../src/shared/domain/search-tokens.ts';
import { objectStateSchema } from '../src/shared/domain/object.ts';
import { templateParts } from '../src/shared/domain/template.ts';
import { ignoreDefault } from '../src/shared/domain/watch.ts';

/** Buttons and settings of other programs, and words that are only stressed. */
const notCoffers = new Set([
  'Why',
  'Tried',
  'ChangeTime',
  'Setting',
  'Unreleased',
  'Serialise record writes through one batcher',
  'Report a vulnerability',
  'Release keys',
  'Properties',
  'Unblock',
  'Open Anyway',
  'Local Network',
  'Don’t Allow',
  // A classification of the built-in service.
  'Public',
]);

const pages = readPages();
/** What a page puts in backticks, and the lines of its blocks. */
const codeOf = ({ text }) => {
  const blocks = [...text.matchAll(/^```.*?\n(.*?)^```/gms)].flatMap(([, block]) => block.split('\n'));
  const spans = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)];
  return { blocks, spans: spans.map(([, span]) => span) };
};
/** Texts of a page that stand in italics. */
const italicsOf = ({ text }) => [
  ...text
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .matchAll(/(?<![*\w])\*(?![*\s])([^*]+)\*(?![*\w])/g),
];
const on = (page, found) => found.map((each) => `${page.path}: ${each}`);

let shown;
beforeAll(async () => {
  shown = (await readMessages('en')).flatMap(patternsOf);
});
const isShown = (name) => ['', '.', '…'].some((end) => shown.some((pattern) => pattern.test(name + end)));

test('every button, setting and state in italics is in the messages', () => {
  const isKnown = (name) => notCoffers.has(name) || isShown(name);
  const unknown = pages.flatMap((page) => {
    const names = italicsOf(page).map(([, name]) => name.replaceAll(/\s+/g, ' ').replaceAll("'", '’'));
    // A term begins with a small letter.
    const titles = names.filter((name) => /^[\p{Lu}\d]/u.test(name));
    return on(
      page,
      titles.filter((name) => !isKnown(name) && !name.split(', ').every(isKnown)),
    );
  });
  expect(unknown).toEqual([]);
});

const never = () => Promise.reject(new Error('nothing is run'));
const program = createProgram('1.0.0', { run: never, runAlone: never });
const optionsOf = (command) =>
  command.options.filter(({ hidden }) => !hidden).flatMap(({ short, long }) => [short, long]);
const everyCommand = (command) => [command, ...command.commands.flatMap(everyCommand)];
/** Not `-draft`, which is a word of a search. */
const isOption = (word) => /^(?:--[a-z]|-[a-z]$)/i.test(word);
const helpOptions = ['-h', '--help'];

/** The options in a line that `coffer` does not have where they stand, and the first word if it is no command. */
function unknownIn(line) {
  const [own = ''] = line.replaceAll(/'[^']*'|"[^"]*"|<\([^)]*\)|[[\]…]/g, ' ').split(/ -- |[|;#]|\$\(|&&/);
  const words = own.trim().split(/\s+/).slice(1);
  const known = new Set([...optionsOf(program), ...helpOptions]);
  let at = program;
  for (const word of words) {
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined) break;
    at = next;
    for (const option of optionsOf(at)) known.add(option);
  }
  const options = words.filter(isOption).map((word) => word.split('=')[0]);
  const isCommand = at !== program || words.length === 0 || !/^[a-z]/.test(words[0]);
  return [...(isCommand ? [] : words.slice(0, 1)), ...options.filter((option) => !known.has(option))];
}

test('every command line of a page has commands and options that coffer has', () => {
  const found = pages.flatMap((page) => {
    const { spans, blocks } = codeOf(page);
    const lines = [...spans, ...blocks.map((line) => line.replace(/^(?:\$ |.*?\| )(?=coffer )/, ''))];
    return on(
      page,
      lines.filter((line) => line.startsWith('coffer ')),
    );
  });
  const unknown = found.filter((line) => unknownIn(line.slice(line.indexOf(': ') + 2)).length > 0);
  expect(found.length).toBeGreaterThan(100);
  expect(unknown).toEqual([]);
});

/** Of Chromium, Node, Playwright and rclone. */
const othersOptions = new Set([
  '-g',
  '--no-sandbox',
  '--remote-debugging-port',
  '--remote-debugging-pipe',
  '--host-resolver-rules',
  '--inspect',
  '-P',
  '--progress',
  '--bwlimit',
  '--retries',
  '--timeout',
]);

test('every option that a page names is one of coffer, or of a tool of this repository', () => {
  const tools = globSync('{bench,src/local-service,test-support/main}/**/*.ts', { cwd: root })
    .flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(/^ +'?([\w-]+)'?: \{ type: '(?:string|boolean)'/gm),
    ])
    .map(([, name]) => `--${name}`);
  const known = new Set([
    ...everyCommand(program).flatMap(optionsOf),
    ...helpOptions,
    ...tools,
    ...othersOptions,
  ]);
  const named = pages.map((page) => [page, codeOf(page).spans.filter((span) => span.startsWith('-'))]);
  const unknown = named.flatMap(([page, spans]) =>
    on(
      page,
      spans.flatMap((span) => span.split(/[ =]/).filter((word) => isOption(word) && !known.has(word))),
    ),
  );
  expect(unknown).toEqual([]);
});

/** Of Electron's repository and package. */
const electronsFiles = [
  'electron.d.ts',
  'lib/browser/init.ts',
  'lib/browser/api/power-monitor.ts',
  'spec/asar-spec.ts',
];

test('every source file, test and spec that a page names is there, also by the end of its path', () => {
  const rooms = '{src,e2e,test-support,chromium-shell,scripts,packaging,bench,locales}';
  const tree = globSync(['*', `${rooms}/**/*`], { cwd: root }).map(
    (path) => `/${path.replaceAll('\\', '/')}`,
  );
  const isThere = (name) => tree.some((path) => path.endsWith(`/${name}`));
  const gone = pages.flatMap((page) => {
    const names = codeOf(page).spans.filter((span) => /^[\w./-]+\.(?:[cm]?[jt]sx?|css|sql|po)$/.test(span));
    return on(
      page,
      names.filter((name) => !isThere(name) && !electronsFiles.includes(name)),
    );
  });
  expect(gone).toEqual([]);
});

/** The code spans of the section of a page under a heading, and the first cells of its tables. */
function namesIn(path, heading) {
  const { text } = pages.find((page) => page.path === path);
  const section = text.split(new RegExp(`^#+ ${heading}$`, 'm'))[1].split(/^#/m)[0];
  const cells = [...section.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell]) => cell.split(', '));
  return [...codeOf({ text: section }).spans, ...cells];
}

const commandLine = 'docs/command-line.md';
test.each([
  [commandLine, 'Words of a search', [...objectStateSchema.options, ...Object.values(fileKindWords)]],
  [commandLine, 'Naming templates', templateParts.map((part) => `{${part}}`)],
  [commandLine, 'export, import', csvFields],
  [commandLine, 'Exit codes', [...Object.values(exitCodes), ...Object.values(endingSignals)].map(String)],
  ['docs/watch.md', 'Watched folders', ignoreDefault],
])('%s, %s, leaves nothing out', (path, heading, names) => {
  const named = namesIn(path, heading);
  expect(names.filter((name) => !named.includes(name))).toEqual([]);
});

test('the words of a search have every filter', () => {
  const named = namesIn(commandLine, 'Words of a search');
  expect(searchKeys.filter((key) => !named.some((name) => name.startsWith(`${key}:`)))).toEqual([]);
});
