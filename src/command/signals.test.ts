import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FaultyRequest } from '../../e2e/faults/fault-server.ts';
import { newBytes, oldBytes, openBuildMachine } from '../../test-support/command/build-machine.ts';
import { commandScript } from '../../test-support/command/command-world.ts';
import { coffer, startInPipe, type RunOptions } from '../../test-support/command/start-command.ts';
import { eventually } from '../../test-support/eventually.ts';
import { makeTestFolder } from '../../test-support/main/test-ports.ts';
import { startLocalService } from '../local-service/service.ts';

/* Real signals to real processes: each ends a command in order, except one that was ignored when the command was started. */

const root = join(import.meta.dirname, '..', '..');
const ending = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;
const codeOf = (signal: NodeJS.Signals) => 128 + constants.signals[signal];

/** A service with a secret, and a clipboard in a file. */
async function openClipboard(): Promise<RunOptions & { onBoard: () => string }> {
  const [dataFolder, cwd] = [await makeTestFolder(), await makeTestFolder()];
  const service = await startLocalService({
    dataFolder,
    token: 'token',
    masterKey: new Uint8Array(32).fill(7),
    processingMs: 5,
  });
  onTestFinished(() => service.close());
  const board = join(cwd, 'board');
  writeFileSync(board, '');
  const program = join(cwd, 'xclip');
  writeFileSync(
    program,
    '#!/bin/sh\ncase "$*" in *primary*) exit 1 ;; *-out*) cat "$BOARD" ;; *) cat > "$BOARD" ;; esac\n',
  );
  chmodSync(program, 0o755);
  const env = {
    PATH: `${cwd}:/usr/bin:/bin`,
    BOARD: board,
    DISPLAY: ':9',
    WAYLAND_DISPLAY: '',
    HOME: cwd,
    TMPDIR: cwd,
    COFFER_ADDRESS: service.baseAddress,
    COFFER_TOKEN: 'token',
  };
  const stored = startInPipe(['secret', 'new', 'pw'], { cwd, env });
  stored.end('the value');
  expect(await stored.ended).toBe(0);
  return { cwd, env, onBoard: () => readFileSync(board, 'utf8') };
}

/** `bin/coffer` of a checkout whose build is the command under test. */
async function makeCheckout(): Promise<string> {
  const folder = await makeTestFolder();
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'out', 'main'), { recursive: true });
  cpSync(join(root, 'bin', 'coffer'), join(folder, 'bin', 'coffer'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'out', 'main', 'command.js'), `import ${JSON.stringify(commandScript)};`);
  return join(folder, 'bin', 'coffer');
}

describe.skipIf(process.platform === 'win32')('signals', () => {
  test.each(['SIGHUP', 'SIGQUIT'] as const)(
    '%s after the DELETE of a Replace: what is left, and the command that finishes it, are said',
    async (signal) => {
      const machine = await openBuildMachine('a.txt');
      const { service } = machine;
      let isHeld = true;
      const asks = (method: string) => (request: FaultyRequest) =>
        request.method === method && request.identifier === 'a.txt';
      const isDeleted = () => service.requests.some(asks('DELETE'));
      service.plan = (request) =>
        isDeleted() && asks('HEAD')(request) ? { holdRequest: () => !isHeld } : null;
      const running = startInPipe(['put', 'a.txt', '--if-exists', 'replace'], machine.run);
      await eventually(() => {
        const looks = service.requests.findLastIndex(asks('HEAD'));
        expect(isDeleted()).toBe(true);
        expect(looks).toBeGreaterThan(service.requests.findIndex(asks('DELETE')));
      });
      expect(service.objects.has('a.txt')).toBe(false);
      running.kill(signal);
      // As when a terminal closes: its shell sends one as well.
      if (signal === 'SIGHUP') running.kill(signal);
      isHeld = false;
      expect(await running.ended).toBe(codeOf(signal));
      const [folder = ''] = machine.left();
      expect(running.stderr()).toContain(`Finish with: coffer recover ${folder}\n`);
      service.plan = () => null;
      expect(await machine.coffer(['recover', folder])).toMatchObject({ code: 0 });
      expect(machine.bytesOf('a.txt')).toBe(newBytes('a.txt'));
      expect(machine.left()).toEqual([]);
    },
  );

  test.each(ending)('put - leaves no copy behind: %s', async (signal) => {
    const machine = await openBuildMachine();
    const running = startInPipe(['put', '-', '--as', 'a.txt'], machine.run);
    running.write('plain text');
    await eventually(() =>
      expect(machine.left().some((folder) => existsSync(join(folder, 'a.txt')))).toBe(true),
    );
    running.kill(signal);
    expect(await running.ended).toBe(codeOf(signal));
    expect(machine.left()).toEqual([]);
    expect([...machine.service.objects.keys()]).toEqual([]);
  });

  test.each(['SIGHUP', 'SIGQUIT', 'SIGTERM'] as const)(
    'secret copy clears the clipboard: %s',
    async (signal) => {
      const { onBoard, ...run } = await openClipboard();
      const running = startInPipe(['secret', 'copy', 'pw'], run);
      await eventually(() => expect(running.stderr()).toContain('Ctrl+C'));
      expect(onBoard()).toBe('the value');
      running.kill(signal);
      expect(await running.ended).toBe(codeOf(signal));
      expect(onBoard()).toBe('');
    },
  );

  test('a terminal that closes during a question ends the command without a crash', async () => {
    const machine = await openBuildMachine('a.txt');
    const { cwd, env } = machine.run;
    const [program = '', ...words] = coffer;
    const line = `exec ${[program, ...words].map((word) => `'${word}'`).join(' ')} put a.txt 2> said`;
    const terminal = spawn('script', ['-qefc', line, '/dev/null'], {
      cwd,
      env: { ...env, SHELL: '/bin/sh' },
    });
    onTestFinished(() => void terminal.kill('SIGKILL'));
    const said = () => readFileSync(join(cwd, 'said'), 'utf8');
    await eventually(() => expect(said()).toContain('Enter to give up'));
    expect(machine.left()).toHaveLength(1);
    terminal.kill('SIGKILL');
    await eventually(() => expect(machine.left()).toEqual([]));
    expect(said()).not.toMatch(/^ {4}at /m);
    expect(machine.bytesOf('a.txt')).toBe(oldBytes('a.txt'));
  });

  test('nohup: SIGHUP has no effect on the command', async () => {
    const machine = await openBuildMachine();
    const { cwd } = machine.run;
    writeFileSync(join(cwd, 'a.txt'), newBytes('a.txt'));
    let isHeld = true;
    machine.service.plan = ({ method }) => (method === 'POST' ? { holdRequest: () => !isHeld } : null);
    const env = { ...process.env, ...machine.run.env, COFFER_NODE: process.execPath };
    const child = spawn('nohup', [await makeCheckout(), 'put', 'a.txt'], { cwd, env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await eventually(() => expect(machine.service.openUploads()).toBe(1));
    child.kill('SIGHUP');
    isHeld = false;
    expect(await ended).toEqual([0, null]);
    expect(machine.bytesOf('a.txt')).toBe(newBytes('a.txt'));
  });

  test('run: its program gets SIGHUP, and under nohup ignores it as well', async () => {
    const machine = await openBuildMachine();
    const { cwd, env } = machine.run;
    const script = 'echo up; while [ ! -e go ]; do sleep 0.1; done; echo over; exit 9';
    const hungUp = startInPipe(['run', '--', 'sh', '-c', script], machine.run);
    await eventually(() => expect(hungUp.stdout()).toBe('up\n'));
    hungUp.kill('SIGHUP');
    expect(await hungUp.ended).toBe(codeOf('SIGHUP'));
    const inner = `kill -HUP $$; echo ignored; ${script}`;
    const child = spawn('nohup', [await makeCheckout(), 'run', '--', 'sh', '-c', inner], {
      cwd,
      env: { ...process.env, ...env, COFFER_NODE: process.execPath },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece));
    const ended = once(child, 'close');
    await eventually(() => expect(said).toBe('ignored\nup\n'));
    child.kill('SIGHUP');
    writeFileSync(join(cwd, 'go'), '');
    expect(await ended).toEqual([9, null]);
    expect(said).toBe('ignored\nup\nover\n');
    expect(readdirSync(cwd)).not.toContain('nohup.out');
  });
});
