import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openWorld } from '../../test-support/command/command-world.ts';
import { createGathering, startInProcess } from '../../test-support/command/in-process.ts';
import type { CommandIo } from './terminal/io.ts';
import { withoutInput } from './process/no-input.ts';

/** Runs commands on a terminal at which nobody answers. */
async function openTerminalWorld() {
  const { files, env } = await openWorld({ with: 'memory' });
  return async (...words: string[]) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const [stdout, stderr] = [createGathering(), createGathering()];
    const running = startInProcess(words, { cwd: files, env, stdin, stdout, stderr });
    return { code: await running.ended, stdout: stdout.text(), stderr: stderr.text() };
  };
}

describe('--no-input', () => {
  test('asks nothing, and reads nothing from the terminal', async () => {
    const coffer = await openTerminalWorld();
    expect((await coffer('put', 'a.txt')).code).toBe(0);
    expect(await coffer('rm', 'a.txt', '--no-input')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: Nothing was deleted. Without a terminal to ask on, add --yes.\n',
    });
    expect(await coffer('put', 'b.txt', '--as', 'a.txt', '--no-input')).toMatchObject({ code: 6 });
    for (const words of [
      ['put', '-', '--as', 'x'],
      ['secret', 'new', 'x'],
    ])
      expect(await coffer(...words, '--no-input')).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^(Reading .*\n)?Error: This reads from the terminal, and --no-input/),
      });
  });

  test('reads what is piped, and opens no terminal', () => {
    const stdin = new PassThrough();
    const io = { stdin, openTerminal: () => ({}), args: ['x'] } as unknown as CommandIo;
    const without = withoutInput(io);
    expect([without.stdin, without.openTerminal(), without.args]).toEqual([stdin, null, ['x']]);
  });
});

test('--force answers what --yes answers', async () => {
  const coffer = await openTerminalWorld();
  expect((await coffer('put', 'a.txt')).code).toBe(0);
  expect(await coffer('rm', '-f', 'a.txt')).toMatchObject({ code: 0, stderr: '' });
  expect((await coffer('check', 'a.txt')).code).toBe(3);
});
