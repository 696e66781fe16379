import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { exampleLines, pathOf } from './examples.ts';
import { isShown } from '../completion/complete.ts';
import { dateOf, manualOf } from './manual.ts';
import { createProgram } from './program.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const never = () => Promise.reject(new Error('nothing is run'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const program = createProgram(version, { run: never, runAlone: never });

function all(command: Command): Command[] {
  return [command, ...command.commands.filter(isShown).flatMap(all)];
}

test('the manual page matches --help (npm run manual updates it)', () => {
  const page = readFileSync(join(root, 'packaging', 'coffer.1'), 'utf8');
  const date = dateOf(page) ?? '';
  expect(date).not.toBe('');
  expect(page).toBe(manualOf(program, date));
  expect(page).toContain(`"${date}" "Coffer ${version}" "User commands"`);
});

test('no option takes a secret itself: every process can read the arguments of all', () => {
  const options = all(program).flatMap((command) => command.options);
  const secret = /token|passw|passphrase|invitation|value|credential/;
  const named = options.filter(
    ({ long, required, optional }) => (required || optional) && secret.test(long ?? ''),
  );
  expect(named.map(({ flags }) => flags).toSorted()).toEqual(
    named
      .map(({ flags }) => flags)
      .toSorted()
      .filter((flags) => flags.endsWith('-file <file>')),
  );
  expect(named.length).toBeGreaterThan(0);
});

test('what takes --yes takes --force', () => {
  const yes = all(program).filter(({ options }) => options.some(({ long }) => long === '--yes'));
  expect(yes.map(pathOf)).toEqual(['sync', 'watch', 'rm', 'service rm', 'team join']);
  for (const { options } of yes) expect(options.map(({ flags }) => flags)).toContain('-f, --force');
});

test('groff reports no warnings', { skip: spawnSync('groff', ['--version']).status !== 0 }, () => {
  const made = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z', join(root, 'packaging', 'coffer.1')], {
    encoding: 'utf8',
  });
  expect(made.stderr).toBe('');
});

test('each command has a description and an example', () => {
  for (const command of all(program)) {
    const path = pathOf(command);
    expect({ path, about: command.description() }).not.toEqual({ path, about: '' });
    expect({ path, examples: exampleLines(command) }).not.toEqual({ path, examples: [] });
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    for (const line of exampleLines(command)) expect(help).toContain(`  ${line}\n`);
    expect({ path, namesWhatAllHave: help.includes('--json') }).toEqual({ path, namesWhatAllHave: true });
    expect(help).not.toContain('help [command]');
    expect(help).not.toMatch(/default: (\[\]|"")/);
  }
});

test('each example parses', async () => {
  for (const command of all(program))
    for (const line of exampleLines(command)) {
      const [words = ''] = line.slice(line.indexOf('coffer ') + 'coffer '.length).split(/ [|<>]|\)$/);
      const argv = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      let ran = 0;
      const run = async () => void (ran += 1);
      const tried = createProgram('', { run, runAlone: run });
      // xargs appends arguments.
      await tried.parseAsync(line.startsWith('xargs') ? [...argv, 'more'] : argv, { from: 'user' });
      expect({ line, ran }).toEqual({ line, ran: 1 });
    }
});
