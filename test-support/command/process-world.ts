import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createKeychain } from '../../src/main/keychain.ts';
import type { Clock } from '../../src/main/ports.ts';
import '../main/retain-file-workers.ts';
import { startFaultServer, type FaultServer } from '../../e2e/faults/fault-server.ts';
import { programFile } from '../main/program.ts';
import { makeTestFolder } from '../main/test-ports.ts';
import { commandScript, ownAccounts } from './command-world.ts';
import { startInMemory } from './in-process.ts';

/** A process. `kill` ends it like a power cut, `interrupt` like Ctrl+C. */
export interface Running {
  /** So far. */
  readonly stdout: () => string;
  readonly ended: Promise<Ended>;
  readonly kill: () => void;
  readonly interrupt: () => void;
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** null: it was killed. */
  readonly code: number | null;
}

/** The real command and the app, each in its own process, with one data folder and the session's keychain. */
export interface ProcessWorld {
  readonly files: string;
  readonly dataFolder: string;
  readonly service: FaultServer;
  readonly coffer: (...args: string[]) => Running;
  /** Runs a command in this process even in a real world: one that is not killed. */
  readonly here: (...args: string[]) => Running;
  /** As `here`, until the command has ended, to check the results of the others. */
  readonly look: (...args: string[]) => Promise<Ended>;
  /** Resolves when it is open. @throws its start-up error */
  readonly openApp: () => Promise<Running & { close(): Promise<void> }>;
}

/**
 * Opens a world with one service, named Night.
 * @param isReal false: commands run in this process and cannot be killed
 * @param clock of the commands in this process; omitted: the system's
 */
export async function openProcessWorld({
  isReal = true,
  clock,
}: { isReal?: boolean; clock?: Clock } = {}): Promise<ProcessWorld> {
  const folder = await makeTestFolder();
  const service = await startFaultServer();
  const running = new Set<ChildProcess>();
  onTestFinished(async () => {
    const left = [...running].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ends = left.map((child) => once(child, 'exit'));
    for (const child of left) child.kill('SIGKILL');
    // They write to the folder, which is removed next.
    await Promise.all(ends);
    await service.close();
  });
  const [files, home, dataFolder] = ['files', 'home', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [files, home]) mkdirSync(each);
  const { PATH, NODE_COMPILE_CACHE, DBUS_SESSION_BUS_ADDRESS } = process.env;
  const env = {
    PATH,
    HOME: home,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    DBUS_SESSION_BUS_ADDRESS,
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
  };

  function start(args: string[], onWord?: (word: string) => void): Running & { child: ChildProcess } {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      cwd: files,
      env,
      stdio: 'pipe',
    });
    running.add(child);
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
        // Not what the system's libraries may print as errors.
        if (name === 'stdout') onWord?.(said.stdout);
      });
    const ended = once(child, 'close').then(([code]): Ended => {
      running.delete(child);
      return { ...said, code: code as number | null };
    });
    const sender = (signal: NodeJS.Signals) => () => void child.kill(signal);
    return { child, stdout: () => said.stdout, ended, kill: sender('SIGKILL'), interrupt: sender('SIGINT') };
  }

  // Real commands only look under the real account names.
  const keychain = isReal ? createKeychain() : ownAccounts(createKeychain(), folder);
  function inMemory(words: string[], input = ''): Running {
    const running = startInMemory(words, { cwd: files, env, keychain, clock });
    running.end(input);
    return {
      stdout: () => running.stdout(),
      ended: running.ended.then((code) => ({ stdout: running.stdout(), stderr: running.stderr(), code })),
      kill: () => running.kill('SIGKILL'),
      interrupt: () => running.kill('SIGINT'),
    };
  }

  function command(words: string[]): Running {
    if (!isReal) return inMemory(words);
    const { child, ...running } = start([commandScript, ...words]);
    child.stdin?.end();
    return running;
  }

  const given = (args: readonly string[]) => ['--user-data-dir', dataFolder, ...args];
  const add = given(['service', 'add', 'Night', service.baseAddress]);
  const added = await inMemory(add, service.token).ended;
  if (added.code !== 0) throw new Error(added.stderr);
  return {
    files,
    dataFolder,
    service,
    coffer: (...args) => command(given(args)),
    here: (...args) => inMemory(given(args)),
    look: (...args) => inMemory(given(args)).ended,
    async openApp() {
      const opened = Promise.withResolvers<string>();
      const app = start([programFile('test-support/command/app-child.ts'), dataFolder], opened.resolve);
      void app.ended.then(({ stderr }) => opened.reject(new Error(stderr)));
      const word = await opened.promise;
      if (word !== 'ready\n') throw new Error(word);
      const { child, ...running } = app;
      return {
        ...running,
        async close() {
          child.stdin?.end();
          await app.ended;
        },
      };
    },
  };
}
