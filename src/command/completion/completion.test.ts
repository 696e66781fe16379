import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWorld, type World } from '../../../test-support/command/command-world.ts';
import type { Typed } from '../../../test-support/command/fake-terminal.ts';
import { runInPipe, runInTerminal } from '../../../test-support/command/run-command.ts';
import { runLine } from '../../../test-support/command/run-line.ts';
import { serveShells } from '../../../test-support/command/serve-shells.ts';
import { wordsAt } from './complete.ts';
import { shells } from './completion-scripts.ts';
import { createProgram } from '../program/program.ts';

const never = () => Promise.reject(new Error('nothing is run'));
const program = createProgram('', { run: never, runAlone: never });
const has = (name: string) => spawnSync(name, ['--version']).status === 0;

test.each([
  [['p'], expect.arrayContaining(['put', 'pause', 'services']), null],
  [['service', ''], ['add', 'test', 'token', 'set', 'rename', 'default', 'rm'], null],
  [['service', 'rm', ''], [], 'services'],
  [['service', 'set', 'Work', '--ca', ''], [], 'files'],
  [['put', '--if-exists', ''], ['ask', 'skip', 'keep-both', 'version', 'replace', 'fail'], null],
  [['put', '--'], expect.arrayContaining(['--as', '--json', '--help']), null],
  [['put', 'a.txt', ''], [], 'files'],
  [['put', '--', '-'], [], 'files'],
  [['put', '--to', ''], [], 'folders'],
  [['get', '-o', ''], [], 'files'],
  [['get', '--to', ''], [], 'files'],
  [['rm', '--files-from', ''], [], 'files'],
  [['sync', ''], [], 'files'],
  [['check', 'photos/', '--against', ''], [], 'files'],
  [['sync', 'photos', ''], [], 'folders'],
  [['get', 'a', 'b', ''], [], 'identifiers'],
  [['open', ''], [], 'identifiers'],
  [['open', 'a', ''], [], null],
  [['ls', ''], [], 'folders'],
  [['-s', ''], [], 'services'],
  [['secret', 'get', ''], [], 'secrets'],
  [['secret', 'copy', ''], [], 'secrets'],
  [['inject', '-i', ''], [], 'files'],
  [['inject', '-o', ''], [], 'files'],
  [['run', '--env-file', ''], [], 'files'],
  [['run', '--', ''], [], 'programs'],
  [['run', '--', 'cat', ''], [], 'files'],
  [['help', 'service', 'r'], ['add', 'test', 'token', 'set', 'rename', 'default', 'rm'], null],
  [['help', 'put', ''], [], null],
  [['completion', ''], [...shells], null],
])('after %j', (words, candidates, wanted) => {
  expect(wordsAt(program, words)).toMatchObject({ candidates, wanted });
});

test('completes for the service given with --service', () => {
  expect(wordsAt(program, ['--service', 'Work', 'get', '']).service).toBe('Work');
});

describe.skipIf(process.platform !== 'linux')('in a shell', () => {
  const stored =
    'coffer put a.txt photos --to x; coffer put a.txt --as x:y/1; coffer put a.txt --as "sp ace"; printf value | coffer secret new db/pw';
  async function open(line = stored): Promise<World> {
    const world = await openWorld({ with: 'app' });
    await inMemory(world, line);
    return world;
  }

  /** Runs a shell line, with its `coffer` commands in this process. */
  async function inMemory({ files: cwd, env, keychain }: World, line: string): Promise<string> {
    const { signal } = new AbortController();
    return (await runLine(line, { cwd, env, signal, keychain, types: null })).stdout;
  }

  /** Runs lines in one shell with the completion script, answered by this process. Returns the output lines of each. */
  async function ask(world: World, shell: string, lines: readonly string[]): Promise<string[][]> {
    await serveShells(world);
    const { files: cwd, env } = world;
    const { signal } = new AbortController();
    const mark = '--- end ---';
    const script = lines.map((line) => `${line}; echo '${mark}'`).join('\n');
    const { stdout } = await runInPipe(`${shell} -c '${script.replaceAll("'", `'\\''`)}'`, {
      cwd,
      env,
      signal,
    });
    return stdout
      .split(`${mark}\n`)
      .slice(1, -1)
      .map((text) => text.trim().split('\n'));
  }

  /** Runs a shell with this start-up file and returns its output. */
  async function type(world: World, shell: string, start: string, types: readonly Typed[]): Promise<string> {
    const over = new AbortController();
    onTestFinished(() => over.abort());
    for (const name of ['rc', '.zshrc']) writeFileSync(join(world.files, name), `PS1='ready> '\n${start}\n`);
    const env = { ...world.env, INPUTRC: '/dev/null', ZDOTDIR: world.files };
    const run = { cwd: world.files, env, signal: over.signal, isRaw: true };
    return (await runInTerminal(shell, types, run)).stdout;
  }

  test('bash', async ({ skip }) => {
    if (!has('bash')) return skip('bash is not installed');
    const world = await open();
    const next = await inMemory(world, 'coffer _complete --next -- service');
    const expected: [line: string, candidates: string[]][] = [
      ['coffer pu', ['put']],
      ['coffer get x/p', ['x/photos/']],
      ['coffer get x/photos/', ['x/photos/may/', 'x/photos/one.jpg', 'x/photos/two.jpg']],
      ['coffer get x:y/', ['y/1']],
      ['coffer get sp', ['sp\\ ace']],
      ['coffer get sp\\ a', ['sp\\ ace']],
      ['coffer -s ', ['Local']],
      ['coffer put a', ['a.txt']],
      ['coffer secret get d', ['db/pw']],
      ['coffer secret get db/', ['db/pw']],
      ['coffer get db/', ['']],
      ['coffer run -- coff', ['coffer']],
      ['coffer inject -i a', ['a.txt']],
      ['coffer service ', next.trim().split('\n')],
    ];
    const start = 'source <(coffer completion bash)';
    const screen = await type(world, 'exec bash --noprofile --rcfile rc -i', start, [
      ['ready> ', 'coffer inf\t'],
      ['info', 'x/a\t'],
      ['.txt', '\r'],
      ['sha256', 'exit\r'],
    ]);
    expect(screen).toContain('identifier: x/a.txt');
    const asked = await ask(world, 'bash', [
      start,
      ...expected.map(
        ([line]) =>
          `COMP_LINE='${line}' COMP_POINT=${line.length}; _coffer; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ),
    ]);
    expect(expected.map(([line], index) => [line, asked[index]])).toEqual(expected);
  });

  test('zsh', async ({ skip }) => {
    if (!has('zsh')) return skip('zsh is not installed');
    const world = await open('coffer put a.txt --to x');
    const start = 'autoload -U compinit; compinit -u -D; source <(coffer completion zsh)';
    const screen = await type(world, 'exec zsh -i', start, [
      ['ready> ', 'coffer inf\t'],
      ['info', 'x/a\t'],
      ['.txt', '\r'],
      ['sha256', 'exit\r'],
    ]);
    expect(screen).toContain('identifier: x/a.txt');
  });

  test('fish', async ({ skip }) => {
    if (!has('fish') || !has('bash')) return skip('fish, or bash, is not installed');
    const world = await open();
    const expected: [line: string, candidates: string[]][] = [
      ['coffer inf', ['info']],
      ['coffer get x/p', ['x/photos/']],
      ['coffer get sp', ['sp ace']],
      ['coffer get sp\\ a', ['sp ace']],
      ['coffer get "sp a', ['sp ace']],
      ['coffer get ', ['sp ace', 'x/', 'x:y/']],
      ['coffer put a', ['a.txt']],
      ['coffer put --if-exists v', ['version']],
      ['coffer service rm ', ['Local']],
      ['coffer service set Local --ca a', ['a.txt']],
      ['coffer secret get d', ['db/pw']],
      ['coffer run -- coff', ['coffer\tcommand']],
      ['coffer help ser', ['service', 'services']],
      ['coffer help service r', ['rename', 'rm']],
    ];
    const asked = await ask(world, 'fish -N', [
      'source (coffer completion fish | psub)',
      ...expected.map(([line]) => `complete -C '${line}'`),
    ]);
    expect(expected.map(([line], index) => [line, asked[index]])).toEqual(expected);
  });
});
