import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { Socket } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { ReadStream, WriteStream } from 'node:tty';
import { systemClock } from '../../main/clock.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import type { CommandIo, InputStream, OutputStream, TerminalStreams } from '../terminal/io.ts';
import { DescriptorStream } from './descriptor-stream.ts';
import { findMisread } from './find-misread.ts';
import { failingInput } from './no-input.ts';
import { takeEnvironment, takeIgnoredSignals } from './take-environment.ts';
import { commandTexts as texts } from '../texts.ts';

export function processIo(): CommandIo {
  const { argv, execArgv, execPath, env, pid, platform, versions } = process;
  const cwd = currentFolder();
  let stdin: InputStream | undefined;
  let stdout: OutputStream | undefined;
  let stderr: OutputStream | undefined;
  const ignoredSignals = takeIgnoredSignals();
  // Node has given them back their default action, which ends the process.
  for (const signal of ignoredSignals) process.on(signal, () => undefined);
  return {
    args: argv.slice(2),
    env: takeEnvironment(),
    misread: () => findMisread(argv.slice(2), env),
    cwd,
    resolve(path) {
      if (cwd === null && !isAbsolute(path))
        throw new Usage(texts.currentFolderGone({ path }), exitCodes.notFound);
      return resolve(cwd ?? '/', path);
    },
    homeFolder: homedir(),
    temporaryFolder: tmpdir(),
    pid,
    platform,
    nodeVersion: versions.node,
    clock: systemClock,
    // Getters: Node opens each stream at its first use.
    get stdin() {
      return (stdin ??= openStandardInput());
    },
    stdinBytes: countStandardInput,
    get stdout() {
      return (stdout ??= openOutput(process.stdout, 1));
    },
    get stderr() {
      return (stderr ??= openOutput(process.stderr, 2));
    },
    closeStdout() {
      if (stdout instanceof DescriptorStream) closeSync(1);
    },
    childStdio: 'inherit',
    async openKeychain(limitMs) {
      // Loaded only when needed: a command that asks the running app does not use the keychain.
      const { createKeychain } = await import('../../main/keychain.ts');
      if (platform !== 'linux') return createKeychain(limitMs);
      const { openKeychainProcess, startKeychainProcess } = await import('./keychain-process.ts');
      const words = isSea() ? [] : [...execArgv, '--', argv[1] ?? ''];
      const keytar = openKeychainProcess(() => startKeychainProcess(execPath, words, env));
      return createKeychain(limitMs, async () => keytar);
    },
    openTerminal: platform === 'win32' ? ownStreams : controllingTerminal,
    isInForeground,
    ignoredSignals,
    onSignal(signal, listener) {
      if (ignoredSignals.includes(signal)) return () => undefined;
      process.on(signal, listener);
      return () => process.off(signal, listener);
    },
    interrupt: () => void process.kill(pid, 'SIGINT'),
  };
}

/** null: it has been deleted. This process then goes to another one, without which Node cannot start threads. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    process.chdir('/');
    return null;
  }
}

/** Terminals, pipes and sockets are sockets to Node, which writes to those until everything is written. */
function openOutput(stream: OutputStream, descriptor: number): OutputStream {
  return stream instanceof Socket ? stream : new DescriptorStream(descriptor);
}

/** `process.stdin` reads nothing from a descriptor that is neither a file, a pipe, a socket nor a terminal. */
function openStandardInput(): InputStream {
  if (process.platform === 'win32') return process.stdin;
  const stats = fstatSync(0);
  if (stats.isBlockDevice()) return createReadStream('', { fd: 0, autoClose: false });
  if (stats.isDirectory()) return failingInput(texts.stdinIsFolder);
  return isOpenedByNode(0, stats) ? failingInput(texts.stdinClosed) : process.stdin;
}

/** Node opens a descriptor that was closed as /dev/null, for reading and writing; a shell opens it for reading only. */
function isOpenedByNode(descriptor: number, stats: Stats): boolean {
  if (!stats.isCharacterDevice() || stats.rdev !== statSync('/dev/null').rdev) return false;
  try {
    writeSync(descriptor, ' ');
    return true;
  } catch {
    return false;
  }
}

/** Only known for files on Linux, where proc(5) has the position at which the shell left off. */
function countStandardInput(): number | null {
  try {
    const stats = fstatSync(0);
    const position = /^pos:\s*(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'latin1'))?.[1];
    return stats.isFile() && position !== undefined ? Math.max(0, stats.size - Number(position)) : null;
  } catch {
    return null;
  }
}

/** Available even when standard input and output are pipes. */
function controllingTerminal(): TerminalStreams | null {
  try {
    const input = new ReadStream(openSync('/dev/tty', 'r'));
    return { input, output: new WriteStream(openSync('/dev/tty', 'w')), isOurs: true };
  } catch {
    return null;
  }
}

function ownStreams(): TerminalStreams | null {
  const { stdin, stderr } = process;
  return stdin.isTTY && stderr.isTTY ? { input: stdin, output: stderr, isOurs: false } : null;
}

/** On Linux by `tpgid` of proc(5); elsewhere a command with a terminal counts as in its foreground. */
function isInForeground(): boolean {
  if (process.platform !== 'linux') return Boolean(process.stdin.isTTY) || Boolean(process.stderr.isTTY);
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}
