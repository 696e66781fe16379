import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  linkSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { proofFolder, type Claim } from '../../shared/domain/approval.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { identify } from './caller.ts';
import { wordsOfCommand } from './command-line.ts';
import { terminalName } from './proc.ts';
import { createTickets, type Proof } from './tickets.ts';

const claimOf = (pid: number): Claim => ({
  pid,
  parentPid: process.pid,
  words: ['run', '--', 'what it says'],
  folder: '/what/it/says',
  hasTerminal: true,
});
const unproven = expect.objectContaining({ error: { code: 'approvalRefused', reason: 'unproven' } });
const isLinux = process.platform === 'linux';

function proofIn(folder: string): Proof {
  const tickets = createTickets(folder, true);
  const { ticket, proof: name } = tickets.issue();
  const path = join(folder, proofFolder, name ?? '');
  const created = statSync(path, { bigint: true });
  return tickets.use(ticket, (proof) => {
    expect(proof).toEqual({ path, created });
    // Using up a ticket removes its file.
    linkSync(path, join(folder, 'proof'));
    return { path: join(folder, 'proof'), created };
  });
}

async function start(cwd: string, ...words: string[]): Promise<ChildProcess> {
  const child = spawn('sleep', words, { cwd, detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  await once(child, 'spawn');
  return child;
}

test.runIf(isLinux)('verifies with the system who holds the file open', async () => {
  const folder = await makeTestFolder();
  const proof = proofIn(folder);
  expect(Number(proof.created.mode) & 0o777).toBe(0o600);
  const held = openSync(proof.path, 'r');
  const caller = identify(claimOf(process.pid), proof, []);
  closeSync(held);
  expect(caller).toMatchObject({ isProven: true, folder: process.cwd() });
  // The caller is not the command, so it counts as the program that gets the secrets, whatever its command line says.
  expect(caller.words[0]).toBe(realpathSync(process.execPath));
  expect(caller.program).toEqual(caller.words);
  expect(caller.words).not.toContain('what it says');
  expect(caller.isThere()).toBe(true);
});

test.runIf(isLinux)('refuses a process that claims another id, and one that has ended', async () => {
  const folder = await makeTestFolder();
  const proof = proofIn(folder);
  const held = openSync(proof.path, 'r');
  const other = await start(folder, '30');
  expect(() => identify(claimOf(other.pid ?? 0), proof, [])).toThrow(unproven);
  other.kill();
  await once(other, 'exit');
  expect(() => identify(claimOf(other.pid ?? 0), proof, [])).toThrow(unproven);
  closeSync(held);
});

test.runIf(isLinux)('refuses a proof that was replaced by what another process holds open', async () => {
  const folder = await makeTestFolder();
  const proof = proofIn(folder);
  const theirs = join(folder, 'open in another process');
  writeFileSync(theirs, '');
  const held = openSync(theirs, 'r');
  for (const replace of [symlinkSync, linkSync]) {
    rmSync(proof.path);
    replace(theirs, proof.path);
    expect(() => identify(claimOf(process.pid), proof, [])).toThrow(unproven);
  }
  closeSync(held);
});

test('where verification is impossible, believes the command and records that', () => {
  const caller = identify(claimOf(4_000_000), null, []);
  expect(caller).toMatchObject({
    isProven: false,
    program: ['what it says'],
    words: ['coffer', 'run', '--', 'what it says'],
    holder: { key: `believed ${String(process.pid)}`, isLasting: true },
  });
  expect(caller.isThere()).toBe(false);
});

test('accepts a ticket once, and unknown ones never', async () => {
  const folder = await makeTestFolder();
  const tickets = createTickets(folder, true);
  const { ticket, proof } = tickets.issue();
  const path = join(folder, proofFolder, proof ?? '');
  expect(tickets.use(ticket, (found) => found?.path)).toBe(path);
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  expect(() => tickets.use(ticket, () => null)).toThrow(unproven);
  expect(() => tickets.use('guessed', () => null)).toThrow(unproven);
});

test('a terminal has the name that it has below /dev', () => {
  expect([0x8802, 0x8900, 0x0401].map(terminalName)).toEqual(['pts/2', 'pts/256', 'tty1']);
});

const own = join(realpathSync(import.meta.dirname), 'caller.ts');
const elsewhere = '/elsewhere/command.js';

test.each<[executable: string, words: string[], found: string[] | null]>([
  [
    '/usr/bin/node',
    ['node', '--disable-warning=ExperimentalWarning', '--', own, 'run', '--', 'x'],
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
  expect(wordsOfCommand({ executable, words, folder: '/' }, [own])).toEqual(found);
});
