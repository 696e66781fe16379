import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { StatedIdentity } from '../../shared/domain/approval.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { identify, wordsOfCommand } from './caller.ts';
import { terminalName } from './proc.ts';

const identityOf = (pid: number): StatedIdentity => ({
  pid,
  words: ['run', '--', 'what it says'],
  folder: '/what/it/says',
  hasTerminal: true,
});
const unproven = expect.objectContaining({ error: { code: 'approvalRefused', reason: 'unproven' } });
const isLinux = process.platform === 'linux';
const mark = 'x-(a) \\ mark_9';

function takeMark(): void {
  const before = readFileSync('/proc/self/comm');
  writeFileSync('/proc/self/comm', mark);
  onTestFinished(() => writeFileSync('/proc/self/comm', before));
}

async function start(cwd: string, ...words: string[]): Promise<ChildProcess> {
  const child = spawn('sleep', words, { cwd, detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  await once(child, 'spawn');
  return child;
}

test.runIf(isLinux)('verifies with the system which process has the mark', () => {
  takeMark();
  const caller = identify(identityOf(process.pid), mark, []);
  expect(caller).toMatchObject({ isProven: true, folder: process.cwd() });
  // The caller is not the command, so it counts as the program that gets the secrets, whatever its command line says.
  expect(caller.words[0]).toBe(realpathSync(process.execPath));
  expect(caller.program).toEqual(caller.words);
  expect(caller.words).not.toContain('what it says');
  expect(caller.isThere()).toBe(true);
  expect(() => identify(identityOf(process.pid), `${mark}.`, [])).toThrow(unproven);
});

test.runIf(isLinux)(
  'refuses a process that claims another id, also that of its child, and one that has ended',
  async () => {
    takeMark();
    const other = await start(await makeTestFolder(), '30');
    expect(() => identify(identityOf(other.pid ?? 0), mark, [])).toThrow(unproven);
    other.kill();
    await once(other, 'exit');
    expect(() => identify(identityOf(other.pid ?? 0), mark, [])).toThrow(unproven);
  },
);

test('where verification is impossible, believes the command, records that, and approves only once', () => {
  const caller = identify(identityOf(4_000_000), null, []);
  expect(caller).toMatchObject({
    isProven: false,
    program: ['what it says'],
    words: ['coffer', 'run', '--', 'what it says'],
    holder: { isLasting: false },
  });
  expect(caller.isThere()).toBe(false);
});

test('a terminal has the name that it has below /dev', () => {
  expect([0x8802, 0x8900, 0x0401].map(terminalName)).toEqual(['pts/2', 'pts/256', 'tty1']);
});

const own = join(realpathSync(import.meta.dirname), 'caller.ts');
const elsewhere = '/elsewhere/command.js';

test.each<[executable: string, words: string[], found: string[] | null]>([
  [
    '/usr/bin/node',
    [
      'node',
      '--disable-warning=ExperimentalWarning',
      '--min-semi-space-size=4',
      '--max-semi-space-size=4',
      '--',
      own,
      'run',
      '--',
      'x',
    ],
    ['run', '--', 'x'],
  ],
  ['/usr/bin/node', ['coffer', own, 'run', 'x'], ['run', 'x']],
  [own, ['whatever it says', 'run', 'x'], ['run', 'x']],
  ['/usr/bin/node', ['node', elsewhere, 'run', 'x'], null],
  ['/usr/bin/node', ['node', elsewhere, own, 'run', 'x'], null],
  ['/usr/bin/node', ['node', '--require', './evil.js', own, 'run', 'x'], null],
  ['/usr/bin/node', ['node', '--require=./evil.js', own, 'run', 'x'], null],
  ['/tmp/evil', ['node', own, 'run', 'x'], null],
  ['', [], null],
])('%s started as %j', (executable, words, found) => {
  const executableFile = statSync(executable, { bigint: true, throwIfNoEntry: false }) ?? null;
  expect(wordsOfCommand({ executable, executableFile, words, folder: '/' }, [own])).toEqual(found);
});

test.runIf(isLinux)(
  'another file that has the path of the command in its own mounts is not the command',
  () => {
    const executableFile = statSync('/bin/sh', { bigint: true });
    const process = { executable: own, executableFile, words: ['coffer', 'run', 'x'], folder: '/' };
    expect(wordsOfCommand(process, [own])).toBeNull();
  },
);
