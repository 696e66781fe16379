import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { systemClock } from '../../src/main/clock.ts';
import { createKeychain } from '../../src/main/keychain.ts';
import type { Clock, SecretStore } from '../../src/main/ports.ts';
import type { CommandIo, InputStream, OutputStream, TerminalStreams } from '../../src/command/terminal/io.ts';
import { runCommand } from '../../src/command/main.ts';
import { createTestSecrets, makeTestFolder } from '../main/test-ports.ts';
import type { Running } from './start-command.ts';

export interface InProcessOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Omitted: empty input. */
  readonly stdin?: InputStream | undefined;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly terminal?: TerminalStreams | undefined;
  readonly clock?: Clock | undefined;
  /** Used if the session has a keychain; omitted: the session's own. */
  readonly keychain?: SecretStore | undefined;
}

export interface InProcess {
  readonly ended: Promise<number>;
  /** @throws if no handler is installed: the signal would end a real process */
  signal(name: NodeJS.Signals): void;
}

/** The version of the app in tests. */
const version = '1.0.0';

/** Runs `coffer` in this process, with its own streams and environment. */
export function startInProcess(args: readonly string[], options: InProcessOptions): InProcess {
  const { env, cwd, stdin = Readable.from([]), stdout, stderr, terminal, clock = systemClock } = options;
  const listeners = new Set<readonly [name: NodeJS.Signals, listener: (name: NodeJS.Signals) => void]>();
  const signal = (wanted: NodeJS.Signals) => {
    const met = [...listeners].filter(([name]) => name === wanted);
    if (met.length === 0) throw new Error(`nothing listens to ${wanted}`);
    for (const [name, listener] of met) listener(name);
  };
  const io: CommandIo = {
    args,
    env,
    misread: () => ({ args: [], variables: [] }),
    cwd,
    resolve: (path) => resolve(cwd, path),
    homeFolder: env['HOME'] ?? cwd,
    temporaryFolder: env['TMPDIR'] ?? tmpdir(),
    pid: process.pid,
    platform: process.platform,
    nodeVersion: process.versions.node,
    clock,
    stdin,
    stdinBytes: () => null,
    stdout,
    stderr,
    closeStdout: () => undefined,
    childStdio: 'ignore',
    async openKeychain(limitMs) {
      const { DBUS_SESSION_BUS_ADDRESS: address } = env;
      const isThere = address !== undefined && address === process.env['DBUS_SESSION_BUS_ADDRESS'];
      if (isThere) return options.keychain ?? createKeychain(limitMs);
      return Object.assign(createTestSecrets(), { usable: false });
    },
    openTerminal: () => terminal ?? null,
    isInForeground: () => terminal !== undefined,
    ignoredSignals: [],
    onSignal(name, listener) {
      const entry = [name, listener] as const;
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    interrupt: () => signal('SIGINT'),
  };
  return { ended: runCommand(io, version), signal };
}

/** For lines that end before they would ask a service: nothing listens at its address. */
export async function openNowhere(): Promise<{ readonly files: string; readonly env: NodeJS.ProcessEnv }> {
  const files = await makeTestFolder();
  const { PATH } = process.env;
  return { files, env: { PATH, HOME: files, COFFER_ADDRESS: 'http://127.0.0.1:1', COFFER_TOKEN: 'token' } };
}

/** A stream that collects what is written to it. */
export function createGathering(): OutputStream & { readonly text: () => string } {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(pieces).toString() });
}

/** Runs `coffer WORDS` in this process, in pipes and without a terminal. */
export function startInMemory(
  words: readonly string[],
  options: Pick<InProcessOptions, 'cwd' | 'env' | 'keychain' | 'clock'>,
): Omit<Running, 'pid'> {
  const stdin = new PassThrough();
  const [stdout, stderr] = [createGathering(), createGathering()];
  const running = startInProcess(words, { ...options, stdin, stdout, stderr });
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    write: (text) => void stdin.write(text),
    end: (text = '') => void stdin.end(text),
    kill: (name) => running.signal(name),
    ended: running.ended,
  };
}
