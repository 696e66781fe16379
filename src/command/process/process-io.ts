import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { Writable } from 'node:stream';
import { Socket } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { ReadStream, WriteStream } from 'node:tty';
import { systemClock } from '../../main/clock.ts';
import { type EndingSignal, endingSignals, exitCodes } from '../errors/exit-code.ts';
import { Usage } from '../errors/errors.ts';
import type { CommandIo, InputStream, OutputStream, TerminalStreams } from '../terminal/io.ts';
import { commandTexts as texts } from '../texts.ts';
import { findMisread } from './find-misread.ts';
import { failingInput } from './no-input.ts';

/** How long to wait for a device that takes no more at present, in ms. */
const restMs = 10;

/**
 * Writes to an open file or device. Node's own stream for these takes a write that the system cut short for a whole one, so
 * that the last bytes are lost without an error where the disk is nearly full.
 */
class DescriptorStream extends Writable {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
  }

  /** Synchronous, as `process.stdout` is for files: nothing is lost when the process exits. */
  override _write(piece: Buffer, _encoding: BufferEncoding, done: (cause?: Error | null) => void): void {
    let left = piece;
    try {
      while (left.length > 0) left = left.subarray(writeSync(this.#descriptor, left));
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      if (!('code' in error && error.code === 'EAGAIN')) return done(error);
      setTimeout(() => this._write(left, _encoding, done), restMs);
      return;
    }
    done();
  }
}

const secret = 'COFFER_TOKEN';
/** Set by `bin/coffer`. */
const ignored = 'COFFER_IGNORED_SIGNALS';

/**
 * The signals that were ignored when the command was started. Node makes every signal end the process when it starts, so only what
 * starts Node can tell. Removes the variable, so that no other command takes it for its own.
 */
function takeIgnoredSignals(): NodeJS.Signals[] {
  const names = (process.env[ignored] ?? '').split(' ');
  delete process.env[ignored];
  return names.filter((name) => Object.hasOwn(endingSignals, name)) as EndingSignal[];
}

/**
 * The environment of this process. Removes COFFER_TOKEN from where other programs of this user can read it: what this process starts
 * does not inherit it, and on Linux /proc/PID/environ no longer has it. Other systems show a process's first environment to the end.
 */
function takeEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  if (env[secret] === undefined) return env;
  delete process.env[secret];
  if (process.platform === 'linux') overwriteFirst(`${secret}=`);
  return env;
}

/** Overwrites a value in the memory that proc(5) shows as `environ`: the kernel puts it there when the program starts. */
function overwriteFirst(start: string): void {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // The fields after the name, which may contain any character; env_start and env_end are numbers 50 and 51.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [from, to] = [Number(fields[47]), Number(fields[48])];
    const memory = openSync('/proc/self/mem', 'r+');
    try {
      const bytes = Buffer.alloc(to - from);
      readSync(memory, bytes, 0, bytes.length, from);
      const found = Buffer.concat([Buffer.alloc(1), bytes]).indexOf(`\0${start}`);
      if (found < 0) return;
      const begin = found + start.length;
      const length = bytes.indexOf(0, begin) - begin;
      writeSync(memory, Buffer.alloc(length), 0, length, from + begin);
    } finally {
      closeSync(memory);
    }
  } catch {
    // A system that does not let a process write to its own memory in this way.
  }
}

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
