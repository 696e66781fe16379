import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { exitCodes } from '../../src/command/errors/exit-code.ts';
import { createRandom } from '../random.ts';
import { newBytes, oldBytes, openBuildMachine, type BuildMachine } from './build-machine.ts';
import { coffer } from './start-command.ts';

const names = ['a.txt', 'b.txt', 'c.txt'];
const [first = '', second = ''] = names;
/** The version that an edit stores. */
const savedAs = 'a@2.txt';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
type Kind = 'replace' | 'put' | 'stream' | 'rm' | 'edit';
const kinds: readonly Kind[] = ['replace', 'put', 'stream', 'rm', 'edit'];
/** Longer than a command waits for a service that is away, and then for its Replace. */
const longestMs = 180_000;

const words: Readonly<Record<Kind, readonly string[]>> = {
  replace: ['put', ...names, '--if-exists', 'replace', '--json', '--wait', '5'],
  put: ['put', ...names, '--to', 'x', '--json', '--wait', '5'],
  stream: ['put', '-', '--as', second, '--if-exists', 'replace', '--json', '--wait', '5'],
  rm: ['rm', ...names, '--yes', '--json', '--wait', '5'],
  edit: ['edit', first],
};

interface Ended {
  /** null: by the signal itself. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * One command with COFFER_ADDRESS alone over a service with faults, which a signal ends at some request. Whatever it says it has
 * done is so, whatever it says it has kept is where it says, and nothing else is left. @throws what is not so
 */
export async function runSignal(seed: number): Promise<void> {
  const random = createRandom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const kind = kinds[seed % kinds.length] ?? 'put';
  const signal = signals[upTo(signals.length)] ?? 'SIGINT';
  const machine = await openBuildMachine(...names);
  const { service } = machine;
  // Editing looks for newer versions first.
  const at = 1 + upTo(kind === 'edit' ? 40 : 16);
  const isBusy = random() < 0.5;
  let count = 0;
  const reached = Promise.withResolvers<void>();
  service.plan = () => {
    count += 1;
    if (count >= at) reached.resolve();
    if (isBusy && random() < 0.15) return { status: [503, 429, 403, 500][upTo(4)] ?? 503 };
    return { delayMs: upTo(80) };
  };
  const running = start(machine, kind);
  await Promise.race([running.ended, reached.promise, setTimeout(20_000)]);
  await setTimeout(upTo(60));
  running.kill(signal);
  // As when a terminal closes: its shell sends one as well.
  if (signal === 'SIGHUP') running.kill(signal);
  const ended = await Promise.race([running.ended, setTimeout(longestMs, null)]);
  service.plan = () => null;
  const told = `${kind} ${signal} at request ${at}: ${JSON.stringify(ended)}`;
  const blame = (isFault: boolean, fault: string) => {
    if (isFault) throw new Error(`${fault}\n${told}`);
  };
  if (ended === null) throw new Error(`it does not end\n${told}`);
  const { code, stdout, stderr } = ended;
  const allowed: readonly (number | null)[] = [...Object.values(exitCodes), 128 + constants.signals[signal]];
  blame(code === exitCodes.usage, 'it is not a command');
  blame(!allowed.includes(code), `its exit code is ${String(code)}`);
  blame(/^ {4}at /m.test(stdout + stderr), 'it prints a stack');
  checkReport(machine, stdout, blame);
  checkPaths(machine, stdout + stderr, blame);
  for (const folder of machine.left()) {
    blame(!stderr.includes(folder), `nothing says that ${folder} is left`);
    const recovered = await machine.coffer(['recover', folder]);
    // 1: the old bytes are back, as the signal had asked.
    blame(recovered.code !== 0 && recovered.code !== 1, `recover fails: ${JSON.stringify(recovered)}`);
  }
  blame(machine.left().length > 0, `${machine.left().join()} stays`);
  if (kind === 'edit') checkEdit(machine, stdout + stderr, blame);
  checkService(machine, kind, stderr, blame);
}

type Blame = (isFault: boolean, fault: string) => void;

/** What it reports as stored or deleted is so at the service. */
function checkReport({ service }: BuildMachine, stdout: string, blame: Blame): void {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  for (const line of lines.map((each) => JSON.parse(each) as Record<string, unknown>)) {
    const { identifier, outcome, deleted } = line;
    const there = service.objects.get(String(identifier))?.bytes.toString();
    const wanted = newBytes(String(identifier).replace(/^x\//, ''));
    blame(outcome === 'stored' && there !== wanted, `${String(identifier)} is said to be stored`);
    const absent = names.filter((name) => !service.objects.has(name)).length;
    blame(Number(deleted ?? 0) > absent, `${String(deleted)} are said to be deleted`);
  }
}

/** What it names on this computer is there. */
function checkPaths({ run }: BuildMachine, said: string, blame: Blame): void {
  for (const path of pathsIn(said, run.cwd)) blame(!existsSync(path), `there is no ${path}`);
}

function pathsIn(said: string, folder: string): string[] {
  return [...said.matchAll(/\/[^\s"'”“]+/g)]
    .map(([path]) => path.replace(/[.,:;)]+$/, ''))
    .filter((path) => path.startsWith(folder));
}

/** A save is at the service, as a new version, or in a file that was named. */
function checkEdit(machine: BuildMachine, said: string, blame: Blame): void {
  const { cwd } = machine.run;
  if (!existsSync(join(cwd, 'saved')) || machine.service.objects.has(savedAs)) return;
  const kept = pathsIn(said, cwd).filter(
    (path) => existsSync(path) && readFileSync(path, 'utf8') === newBytes(first),
  );
  blame(kept.length === 0, 'the save is lost');
}

/** Each object is as it was or as it was to be, and nothing else is there that was not named. */
function checkService(machine: BuildMachine, kind: Kind, stderr: string, blame: Blame): void {
  const { service } = machine;
  for (const name of names) {
    const mayBe: (string | undefined)[] = [oldBytes(name)];
    if (kind === 'rm') mayBe.push(undefined);
    else mayBe.push(newBytes(name));
    const there = machine.bytesOf(name);
    blame(!mayBe.includes(there), `${name} is ${String(there)}`);
  }
  const others = [...service.objects.keys()].filter(
    (name) => !names.includes(name.replace(/^x\//, '')) && !stderr.includes(name) && name !== savedAs,
  );
  const saved = machine.bytesOf(savedAs) ?? newBytes(first);
  blame(saved !== newBytes(first), `${savedAs} is ${saved}`);
  blame(others.length > 0, `${others.join(', ')} is left on the service`);
}

function start({ run: { cwd, env } }: BuildMachine, kind: Kind) {
  const line = [...coffer, ...words[kind]];
  const options = { cwd, env: { ...env, SHELL: '/bin/sh' }, detached: true } as const;
  const child =
    kind === 'edit'
      ? spawn('script', ['-qefc', lineForEditor(cwd, line), '/dev/null'], options)
      : spawn(line[0] ?? '', line.slice(1), options);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece: string) => (said[name] += piece));
  child.stdin.on('error', () => undefined);
  if (kind !== 'edit') child.stdin.end(kind === 'stream' ? newBytes(second) : '');
  const ended = once(child, 'close').then(([code]): Ended => ({ ...said, code: code as number | null }));
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = () => Number(kind === 'edit' ? readFileSync(join(cwd, 'pid'), 'utf8') : child.pid);
  return {
    ended,
    kill(signal: NodeJS.Signals) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      try {
        process.kill(pid(), signal);
      } catch {
        // It ended by itself.
      }
    },
  };
}

/** An editor that saves other bytes; the line leaves the command's process id in a file. */
function lineForEditor(cwd: string, line: readonly string[]): string {
  const editor = join(cwd, 'editor');
  writeFileSync(
    editor,
    `#!/bin/sh\nprintf '%s' '${newBytes(first)}' > "$1"\ntouch '${join(cwd, 'saved')}'\n`,
  );
  chmodSync(editor, 0o755);
  const quoted = line.map((word) => `'${word}'`).join(' ');
  return `echo $$ > pid; EDITOR='${editor}' exec ${quoted}`;
}
