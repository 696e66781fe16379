import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { endingSignals, type EndingSignal } from '../errors/exit-code.ts';

const secret = 'COFFER_TOKEN';
/** Set by `bin/coffer`. */
const ignored = 'COFFER_IGNORED_SIGNALS';

/**
 * The signals that were ignored when the command was started. Node makes every signal end the process when it starts, so only what
 * starts Node can tell. Removes the variable, so that no other command takes it for its own.
 */
export function takeIgnoredSignals(): NodeJS.Signals[] {
  const names = (process.env[ignored] ?? '').split(' ');
  delete process.env[ignored];
  return names.filter((name) => Object.hasOwn(endingSignals, name)) as EndingSignal[];
}

/**
 * The environment of this process. Removes COFFER_TOKEN from where other programs of this user can read it: what this process starts
 * does not inherit it, and on Linux /proc/PID/environ no longer has it. Other systems show a process's first environment to the end.
 */
export function takeEnvironment(): NodeJS.ProcessEnv {
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
