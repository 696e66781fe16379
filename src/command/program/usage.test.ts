import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openWorld } from '../../../test-support/command/command-world.ts';
import { createGathering, openNowhere, startInProcess } from '../../../test-support/command/in-process.ts';
import { isShown } from '../completion/complete.ts';
import { pathOf } from './examples.ts';
import { createProgram } from './program.ts';
import type { Command } from 'commander';

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param columns width of the terminal that shows results; null: a pipe */
async function coffer(words: readonly string[], columns: number | null = null): Promise<Ran> {
  const { files, env } = await openNowhere();
  const [stdout, stderr] = [createGathering(), createGathering()];
  if (columns !== null) Object.assign(stdout, { isTTY: true, columns });
  const run = startInProcess(words, { cwd: files, env, stdin: new PassThrough().end(), stdout, stderr });
  return { code: await run.ended, stdout: stdout.text(), stderr: stderr.text() };
}

describe('help and version', () => {
  test.each([
    [['help'], 'Usage: coffer [options] [command]'],
    [['help', 'put'], 'Usage: coffer put [options] [files...]'],
    [['help', 'service', 'add'], 'Usage: coffer service add [options] <name> <address>'],
    [['--help'], 'Usage: coffer [options] [command]'],
  ])('%j', async (words, line) => {
    const { code, stdout, stderr } = await coffer(words);
    expect({ code, line: stdout.split('\n')[0], stderr }).toEqual({ code: 0, line, stderr: '' });
  });

  test('without a command, how to begin', async () => {
    const { code, stdout, stderr } = await coffer([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: coffer \[options\] \[command\]\n\nObjects and secrets/);
    expect(stderr).toContain('  coffer put report.pdf --to reports/2026\n');
    expect(stderr).toContain('“coffer help” lists all commands');
    expect(stderr).not.toContain('Options:');
  });

  test('version', async () => {
    expect(await coffer(['version'])).toEqual({ code: 0, stdout: '1.0.0\n', stderr: '' });
    expect((await coffer(['version', '--json'])).stdout).toBe('{"version":"1.0.0"}\n');
  });
});

describe('a wrong word gets a suggestion', () => {
  test.each([
    [['lss'], 'Did you mean ls?'],
    [['srevices'], 'Did you mean services?'],
    [['upload', 'a.txt'], '“upload” is not a command. Did you mean “coffer put”?'],
    [['cp', 'a.txt'], 'Did you mean “coffer put” or “coffer get”?'],
    [['service', 'remove', 'x'], 'Did you mean “coffer service rm”?'],
    [['service', 'tets'], 'Did you mean test?'],
    [['help', 'lss'], 'Did you mean ls?'],
    [['help', 'service', 'tets'], 'Did you mean test?'],
    [['help', 'delete'], 'Did you mean “coffer rm”?'],
    [['put', 'a.txt', '--if-exist', 'skip'], 'Did you mean --if-exists?'],
    [['service', 'set', 'x', '--prxy', 'none'], 'Did you mean --proxy?'],
  ])('%j', async (words, suggestion) => {
    const { code, stdout, stderr } = await coffer(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Error: /);
    expect(stderr).toContain(suggestion);
  });
});

describe('-- before the program of run', () => {
  test.each([
    [['run', 'ls', '-la'], 'coffer run -- ls -la'],
    [['run', '--no-masking', 'npm', 'start', '--json'], 'coffer run --no-masking -- npm start --json'],
    [
      ['run', '--env-file', 'a b', 'sh', '-c', "echo 'x'"],
      `coffer run --env-file 'a b' -- sh -c 'echo '\\''x'\\'''`,
    ],
    [['run', 'psql', '-s', 'x', '--', 'y'], 'coffer run -- psql -s x -- y'],
  ])('asks for it: %j', async (words, line) => {
    const { code, stdout, stderr } = await coffer(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Error: .*Put -- before the program/);
    expect(stderr).toContain(`: ${line}\n`);
  });

  test
    .skipIf(process.platform === 'win32')
    .each([
      [['run', 'true']],
      [['run', '--', 'test', '-n', 'x']],
      [['--json', 'run', '--wait', '3', 'true', 'x']],
      [['run', '--wait', '3', '--', 'test', '-n', '--', '--']],
    ])('is not needed: %j', async (words) => {
    expect((await coffer(words)).stderr).toBe('');
  });
});

describe('40 columns', () => {
  const never = () => Promise.reject(new Error('nothing is run'));
  const all = (command: Command): Command[] => [command, ...command.commands.filter(isShown).flatMap(all)];

  test.each(all(createProgram('', { run: never, runAlone: never })).map((command) => pathOf(command)))(
    'the help of coffer %s',
    async (path) => {
      const { stdout } = await coffer(['help', ...path.split(' ').filter(Boolean)], 40);
      const [described = ''] = stdout.replace(/^Usage: .*/, '').split('Examples:');
      // Example references are not wrapped.
      const lines = described.split('\n').filter((line) => !line.includes('coffer://'));
      expect(lines.filter((line) => line.length > 40)).toEqual([]);
    },
  );

  test('lists', async () => {
    const { files, env } = await openWorld({ with: 'app' });
    const run = async (words: readonly string[], columns: number) => {
      const [stdout, stderr] = [createGathering(), createGathering()];
      Object.assign(stdout, { isTTY: true, columns });
      await startInProcess(words, { cwd: files, env, stdout, stderr }).ended;
      return stdout
        .text()
        .replaceAll(/\d\d:\d\d/g, '09:00')
        .replaceAll(/:\d{3,}/g, ':8080');
    };
    await run(['put', 'a.txt', '--to', 'reports/2026'], 80);
    expect(await run(['ls'], 40)).toBe('reports/2026/a.txt\n  stored  6 B  Today 09:00\n');
    expect(await run(['versions', 'reports/2026/a.txt'], 40)).toBe(
      'reports/2026/a.txt\n  1  stored  6 B  Today 09:00\n',
    );
    expect(await run(['transfers'], 40)).toBe('reports/2026/a.txt\n  1  upload  done  6 of 6 B\n');
    expect(await run(['services'], 40)).toBe('* Local\n  http://127.0.0.1:8080  ready\n');
    expect(await run(['ls'], 80)).toContain('Today 09:00  reports/2026/a.txt\n');
  });
});
