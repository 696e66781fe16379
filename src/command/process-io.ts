import { openSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { ReadStream, WriteStream } from 'node:tty';
import { systemClock } from '../main/clock.ts';
import type { CommandIo, TerminalStreams } from './io.ts';

/** The I/O of the real process. */
export function processIo(): CommandIo {
  const { argv, env, pid, ppid, platform, versions } = process;
  return {
    args: argv.slice(2),
    env,
    cwd: process.cwd(),
    homeFolder: homedir(),
    temporaryFolder: tmpdir(),
    pid,
    parentPid: ppid,
    platform,
    nodeVersion: versions.node,
    clock: systemClock,
    // Getters: Node opens each stream at its first use.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    childStdio: 'inherit',
    async openKeychain(limitMs) {
      // Loaded only when needed: a command that asks the running app does not use the keychain.
      const { createKeychain } = await import('../main/keychain.ts');
      return createKeychain(limitMs);
    },
    openTerminal: platform === 'win32' ? ownStreams : controllingTerminal,
    isInForeground,
    onSignal(signal, listener) {
      process.on(signal, listener);
      return () => process.off(signal, listener);
    },
    interrupt: () => void process.kill(pid, 'SIGINT'),
  };
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
