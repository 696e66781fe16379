import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWorld, type World } from '../../test-support/command/command-world.ts';
import type { Typed } from '../../test-support/command/fake-terminal.ts';
import { runInPipe, runInTerminal } from '../../test-support/command/run-command.ts';
import { wordsAt } from './complete.ts';
import { shells } from './completion-scripts.ts';
import { createProgram } from './program.ts';

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

describe.skipIf(process.platform !== 'linux')('in a shell', { timeout: 45_000 }, () => {
  async function open(): Promise<World> {
    const world = await openWorld({ with: 'app' });
    const { signal } = new AbortController();
    const line =
      'coffer put a.txt photos --to x; coffer put a.txt --as x:y/1; coffer put a.txt --as "sp ace"; printf value | coffer secret new db/pw';
    await runInPipe(line, { cwd: world.files, env: world.env, signal });
    return world;
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
    const { signal } = new AbortController();
    const ask = async (line: string) => {
      const script = `source <(coffer completion bash); COMP_LINE='${line}' COMP_POINT=${line.length}; _coffer; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const run = { cwd: world.files, env: world.env, signal };
      return (await runInPipe(`bash -c '${script.replaceAll("'", `'\\''`)}'`, run)).stdout.trim().split('\n');
    };
    const next = async (line: string) =>
      (await runInPipe(line, { cwd: world.files, env: world.env, signal })).stdout.trim().split('\n');
    expect(await ask('coffer pu')).toEqual(['put']);
    expect(await ask('coffer get x/p')).toEqual(['x/photos/']);
    expect(await ask('coffer get x/photos/')).toEqual([
      'x/photos/may/',
      'x/photos/one.jpg',
      'x/photos/two.jpg',
    ]);
    expect(await ask('coffer get x:y/')).toEqual(['y/1']);
    expect(await ask('coffer get sp')).toEqual(['sp\\ ace']);
    expect(await ask('coffer get sp\\ a')).toEqual(['sp\\ ace']);
    expect(await ask('coffer -s ')).toEqual(['Local']);
    expect(await ask('coffer put a')).toEqual(['a.txt']);
    expect(await ask('coffer secret get d')).toEqual(['db/pw']);
    expect(await ask('coffer secret get db/')).toEqual(['db/pw']);
    expect(await ask('coffer get db/')).toEqual(['']);
    expect(await ask('coffer run -- coff')).toEqual(['coffer']);
    expect(await ask('coffer inject -i a')).toEqual(['a.txt']);
    expect(await ask('coffer service ')).toEqual(await next('coffer _complete --next -- service'));
    const start = 'source <(coffer completion bash)';
    const screen = await type(world, 'exec bash --noprofile --rcfile rc -i', start, [
      ['ready> ', 'coffer inf\t'],
      ['info', 'x/a\t'],
      ['.txt', '\r'],
      ['sha256', 'exit\r'],
    ]);
    expect(screen).toContain('identifier: x/a.txt');
  });

  test('zsh', async ({ skip }) => {
    if (!has('zsh')) return skip('zsh is not installed');
    const world = await open();
    const start = 'autoload -U compinit; compinit -u; source <(coffer completion zsh)';
    const screen = await type(world, 'exec zsh -i', start, [
      ['ready> ', 'coffer inf\t'],
      ['info', 'x/a\t'],
      ['.txt', '\r'],
      ['sha256', 'exit\r'],
    ]);
    expect(screen).toContain('identifier: x/a.txt');
  });

  test('fish', async ({ skip }) => {
    if (!has('fish')) return skip('fish is not installed');
    const world = await open();
    const complete = async (line: string) => {
      const script = `source (coffer completion fish | psub); complete -C '${line}'`;
      const { signal } = new AbortController();
      const { stdout } = await runInPipe(`fish -N -c '${script.replaceAll("'", `'\\''`)}'`, {
        cwd: world.files,
        env: world.env,
        signal,
      });
      return stdout.trim().split('\n');
    };
    expect(await complete('coffer inf')).toEqual(['info']);
    expect(await complete('coffer get x/p')).toEqual(['x/photos/']);
    expect(await complete('coffer get sp')).toEqual(['sp ace']);
    expect(await complete('coffer get sp\\ a')).toEqual(['sp ace']);
    expect(await complete('coffer get "sp a')).toEqual(['sp ace']);
    expect(await complete('coffer get ')).toEqual(['sp ace', 'x/', 'x:y/']);
    expect(await complete('coffer put a')).toEqual(['a.txt']);
    expect(await complete('coffer put --if-exists v')).toEqual(['version']);
    expect(await complete('coffer service rm ')).toEqual(['Local']);
    expect(await complete('coffer service set Local --ca a')).toEqual(['a.txt']);
    expect(await complete('coffer secret get d')).toEqual(['db/pw']);
    expect(await complete('coffer run -- coff')).toEqual(['coffer\tcommand']);
    expect(await complete('coffer help ser')).toEqual(['service', 'services']);
    expect(await complete('coffer help service r')).toEqual(['rename', 'rm']);
  });
});
