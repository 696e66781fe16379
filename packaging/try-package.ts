/*
 * try-package.ts PROGRAM [ARGUMENT...]: starts a packaged Coffer as a person would, waits until it answers commands, uploads an object
 * through it, downloads it again, and ends it. For the workflows, on each system; PROGRAM can be anything that opens Coffer's window.
 * Uses the build's command, a temporary folder, and the built-in service.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startLocalService } from '../src/local-service/service.ts';

const [program, ...given] = process.argv.slice(2);
if (!program) throw new Error('usage: try-package.ts PROGRAM [ARGUMENT...]');

const startMs = 60_000;
const endMs = 20_000;
const lookMs = 500;
const command = join(import.meta.dirname, '..', 'out', 'main', 'command.js');
const folder = mkdtempSync(join(tmpdir(), 'coffer-try-'));
const userData = join(folder, 'user data');
const token = randomBytes(16).toString('hex');

/** @returns what it wrote to standard output @throws if it does not exit with 0 */
async function coffer(words: readonly string[], input = ''): Promise<string> {
  const all = ['--disable-warning=ExperimentalWarning', command, '--user-data-dir', userData, ...words];
  const running = promisify(execFile)(process.execPath, all, { cwd: folder });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

async function untilAnswers(app: ChildProcess): Promise<void> {
  const lastMs = performance.now() + startMs;
  for (;;) {
    // It exits with 1 if it reports any problem.
    const lines = await coffer(['doctor', '--json']).catch(
      (cause: { stdout?: string }) => cause.stdout ?? '',
    );
    const checks = lines.split('\n').filter((line) => line !== '');
    const found = checks.map((line) => JSON.parse(line) as { check: string; text: string });
    if (found.some(({ check, text }) => check === 'app' && text === 'running')) return;
    if (app.exitCode !== null) throw new Error(`It has ended, with ${app.exitCode}.`);
    if (performance.now() > lastMs) throw new Error(`It does not answer:\n${lines}`);
    await setTimeout(lookMs);
  }
}

/** Closes the window, as a person would. */
function quit({ pid }: ChildProcess): void {
  if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(pid)], { stdio: 'ignore' });
  else if (pid !== undefined) process.kill(pid, 'SIGTERM');
}

function kill(app: ChildProcess): void {
  if (app.exitCode !== null || app.pid === undefined) return;
  if (process.platform === 'win32')
    execFileSync('taskkill', ['/PID', String(app.pid), '/T', '/F'], { stdio: 'ignore' });
  else process.kill(-app.pid, 'SIGKILL');
}

mkdirSync(userData);
const service = await startLocalService({
  dataFolder: join(folder, 'service'),
  masterKey: randomBytes(32),
  token,
});
const app = spawn(program, [...given, `--user-data-dir=${userData}`], {
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: process.platform !== 'win32',
});
const ended = new Promise<number | null>((resolve) => app.on('exit', resolve));
try {
  await untilAnswers(app);
  const bytes = randomBytes(300_000);
  writeFileSync(join(folder, 'one.bin'), bytes);
  await coffer(['service', 'add', 'Try', service.baseAddress, '--allow-http'], token);
  await coffer(['put', 'one.bin', '--as', 'try/one']);
  await coffer(['get', 'try/one', '-o', 'again.bin']);
  if (!bytes.equals(readFileSync(join(folder, 'again.bin')))) throw new Error('The bytes differ.');
  quit(app);
  const code = await Promise.race([ended, setTimeout(endMs, 'late' as const, { ref: false })]);
  if (code !== 0) throw new Error(`It was told to end: ${String(code)}.`);
  process.stdout.write('It starts, answers, uploads, downloads and ends.\n');
} finally {
  kill(app);
  await service.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
