import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLocalService } from '../../local-service/service.ts';
import { createKeychain } from '../../main/keychain.ts';
import { startInMemory } from '../../../test-support/command/in-process.ts';
import { runLine } from '../../../test-support/command/run-line.ts';
import { startInPipe } from '../../../test-support/command/start-command.ts';
import { askAsOtherProgram } from '../../../test-support/command/start-other-program.ts';
import type { Typed } from '../../../test-support/command/fake-terminal.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { createQuickClock, makeTestFolder } from '../../../test-support/main/test-ports.ts';

/* Commands that read secrets while no app runs, with the session's keychain. */

const token = 'token-of-ada';
const value = 'Zq9-tin-otter-lantern';
const { DBUS_SESSION_BUS_ADDRESS } = process.env;
const waiting = 'Waiting until another command of Coffer has ended.';

/** A data folder with the secret `db/pw`. */
async function open() {
  const server = await startLocalService({
    dataFolder: await makeTestFolder(),
    token,
    masterKey: new Uint8Array(32).fill(7),
    processingMs: 5,
  });
  onTestFinished(() => server.close());
  const [cwd, folder] = [await makeTestFolder(), await makeTestFolder()];
  const userData = join(folder, 'data');
  const env = { DBUS_SESSION_BUS_ADDRESS };
  const keychain = createKeychain();
  const given = (words: readonly string[]) => ['--user-data-dir', userData, ...words];
  const memory = (words: string[], times?: number) =>
    startInMemory(given(words), { cwd, env, keychain, ...(times && { clock: createQuickClock(times) }) });
  const socket = join(userData, 'agent.sock');
  for (const [words, input] of [
    [['service', 'add', 'Archive', server.baseAddress], token],
    [['secret', 'new', 'db/pw'], value],
  ] as const) {
    const running = memory([...words]);
    running.end(input);
    expect(await running.ended).toBe(0);
  }
  return {
    socket,
    memory,
    /** On a terminal in memory. */
    typing: (words: string, types: readonly Typed[]) =>
      runLine(`coffer --user-data-dir '${userData}' ${words}`, {
        cwd,
        env,
        keychain,
        signal: new AbortController().signal,
        types,
      }),
    /** Another command, which holds the data folder until its input ends. */
    hold: async () => {
      const path = join(cwd, 'fifo');
      execFileSync('mkfifo', [path]);
      const writer = openSync(path, constants.O_RDWR);
      const put = startInPipe(given(['put', path, '--as', 'large']), { cwd });
      await eventually(() => expect(existsSync(socket)).toBe(true));
      return () => {
        closeSync(writer);
        return put.ended;
      };
    },
  };
}

describe.skipIf(process.platform !== 'linux' || DBUS_SESSION_BUS_ADDRESS === undefined)(
  'without the app',
  () => {
    test('a command asks on its terminal; without a terminal, it refuses', async () => {
      const { typing, memory } = await open();
      const get = memory(['secret', 'get', 'db/pw']);
      expect(await get.ended).toBe(7);
      expect(get.stdout()).toBe('');
      expect(get.stderr()).toBe(
        'Error: The program wasn’t given the secrets. There is no terminal to ask on.\n',
      );
      for (const [typed, code] of [
        ['y', 0],
        ['n', 7],
      ] as const) {
        const run = await typing('secret get db/pw --reveal', [['Allow this once? [y/N]', `${typed}\r`]]);
        expect(run.stdout).toContain('coffer secret asks for 1 secret of Archive:');
        expect(run.code).toBe(code);
        expect(run.stdout.includes(value)).toBe(code === 0);
      }
    });

    test('a request on the terminal names the version that is read', async () => {
      const { typing, memory } = await open();
      const rotated = memory(['secret', 'new', 'db/pw', '--new-version']);
      rotated.end('second-value');
      expect(await rotated.ended).toBe(0);
      const run = await typing('secret get db/pw --reveal', [['Allow this once? [y/N]', 'y\r']]);
      expect(run.stdout).toMatch(/ from db\/pw@2\r?\n/);
      expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('second-value') });
    });

    test('a command gives no secret to other programs, and other commands wait until it has ended', async () => {
      const { socket, memory, typing, hold } = await open();
      const release = await hold();
      const refused = { code: 'dataFolderInUse' };
      for (const as of ['self', 'marked'])
        expect(await askAsOtherProgram(socket, 'db/pw', as)).toEqual({
          'command.introduce': refused,
          'command.readSecrets': refused,
          'command.copySecret': refused,
        });
      // What needs no secret does not wait.
      expect(await memory(['run', '--', 'true']).ended).toBe(0);
      for (const words of [
        ['secret', 'get', 'db/pw'],
        ['secret', 'copy', 'db/pw'],
      ]) {
        const given = memory(words, 20);
        expect(await given.ended).toBe(5);
        expect(given.stderr()).toContain(
          `${waiting}\nError: Another command uses Coffer, and only the app hands`,
        );
      }
      const interrupted = memory(['secret', 'get', 'db/pw']);
      await eventually(() => expect(interrupted.stderr()).toContain(waiting));
      interrupted.kill('SIGINT');
      expect(await interrupted.ended).toBe(130);
      const get = typing('secret get db/pw --reveal', [
        [waiting, ''],
        ['Allow this once? [y/N]', 'y\r'],
      ]);
      const first = memory(['secret', 'get', 'db/pw']);
      await eventually(() => expect(first.stderr()).toContain(waiting));
      expect(await release()).toBe(0);
      expect(await first.ended).toBe(7);
      expect(await get).toMatchObject({ code: 0, stdout: expect.stringContaining(value) });
    });

    test('a command that waits for its input leaves the data folder to the one that writes it', async () => {
      const { memory, typing, socket } = await open();
      const [stored, put] = [memory(['secret', 'new', 'copy']), memory(['put', '-', '--as', 'copy'])];
      const get = await typing('secret get db/pw --reveal', [['Allow this once? [y/N]', 'y\r']]);
      expect(get.code).toBe(0);
      expect(existsSync(socket)).toBe(false);
      stored.end(value);
      put.end(value);
      expect([await stored.ended, await put.ended]).toEqual([0, 0]);
    });
  },
);
