import { execFile, spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openEngine } from './parts/engine.ts';
import { benchToken, startService } from './parts/service.ts';

const root = join(import.meta.dirname, '..');
const listed = 100_000;
const [files, sizeBytes] = [2000, 10_000];
const synced = 10_000;

/**
 * The built command with the app running (without a window), from process start to exit; the best of several.
 * Compared with a Node that does nothing, with the engine alone for as many files, and with sha256sum. Argument: rounds (5).
 */
export async function run([rounds = '5']: string[]): Promise<void> {
  const count = Number(rounds);
  if (!existsSync(join(root, 'out', 'main', 'command.js')))
    throw new Error('Not built yet: electron-vite build');
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const service = await startService();
  const app = await startApp(join(folder, 'Coffer'));
  try {
    // A person's shell has no compile cache.
    const { NODE_COMPILE_CACHE: _, ...own } = process.env;
    const env = { ...own, XDG_CONFIG_HOME: folder };
    const coffer = async (...args: string[]) => {
      const options = { cwd: folder, env, maxBuffer: 1e9 };
      const ran = promisify(execFile)(join(root, 'bin', 'coffer'), args, options);
      ran.child.stdin?.end(args[0] === 'service' ? benchToken : '');
      return (await ran).stdout;
    };
    await coffer('service', 'add', 'Bench', service.baseAddress);

    await coffer('ls');
    const [ls, bare] = await bestOfBoth(
      count,
      () => coffer('ls'),
      () => promisify(execFile)(process.execPath, ['-e', '0'], { env }),
    );
    const times = (ls / bare).toFixed(1);
    report('ls', ls, `target 120 ms, node -e 0 ${bare.toFixed(0)} ms, ratio ${times}`);

    await writeFile(join(folder, 'list.jsonl'), listOf(listed));
    await coffer('import', 'list.jsonl');
    const lines = await best(count, async () => {
      const shown = (await coffer('ls', '--json')).split('\n').length - 1;
      if (shown !== listed) throw new Error(`${String(shown)} lines`);
    });
    report(`ls --json, ${listed.toLocaleString('en')} lines`, lines, 'target 2,000 ms');

    const engineFolder = join(folder, 'engine');
    await mkdir(engineFolder);
    const engine = await openEngine(engineFolder, service.baseAddress, 4);
    const [ours, alone]: [number[], number[]] = [[], []];
    for (let round = 0; round < count; round += 1) {
      const items = await engine.makeItems(files, sizeBytes);
      alone.push(await timed(() => engine.upload(items)));
      service.forget();
      const args = ['--to', `round ${String(round)}`, '--quiet'];
      ours.push(await timed(() => coffer('put', join(engineFolder, 'files'), ...args)));
      service.forget();
      await engine.removeFiles();
    }
    await engine.close();
    const [put, engineMs] = [Math.min(...ours), Math.min(...alone)];
    const ratio = (put / engineMs).toFixed(2);
    report(
      `put, ${files.toLocaleString('en')} x 10 KB`,
      put,
      `engine alone ${engineMs.toFixed(0)} ms, ratio ${ratio}, target 1.30`,
    );

    const names = await writeFiles(join(folder, 'synced'), synced);
    await writeFile(join(folder, 'synced.jsonl'), await listOfFiles(join(folder, 'synced'), names));
    await coffer('import', 'synced.jsonl');
    const [sync, sums] = await bestOfBoth(
      count,
      async () => {
        const said = await coffer('sync', 'synced', 'synced');
        if (!said.startsWith(`0 stored, ${synced.toLocaleString('en')} unchanged`)) throw new Error(said);
      },
      () => promisify(execFile)('sha256sum', names, { cwd: join(folder, 'synced'), maxBuffer: 1e9 }),
    );
    report(
      `sync, ${synced.toLocaleString('en')} unchanged`,
      sync,
      `sha256sum ${sums.toFixed(0)} ms, ratio ${(sync / sums).toFixed(2)}, target 1.50`,
    );
  } finally {
    await app.close();
    service.stop();
    await rm(folder, { recursive: true });
  }
}

/** Without a keychain, so that the token is kept in memory. */
async function startApp(userData: string): Promise<{ close: () => Promise<void> }> {
  await mkdir(userData);
  const child = join(root, 'test-support', 'command', 'app-child.ts');
  const app = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', child, userData], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' },
  });
  await once(app.stdout, 'data');
  return {
    async close() {
      const ended = once(app, 'exit');
      app.stdin.end();
      await ended;
    },
  };
}

function listOf(count: number): string {
  const line = (index: number) => ({
    kind: 'data',
    identifier: `reports/${String(index % 100)}/report ${String(index)}.pdf`,
    state: 'stored',
    lengthBytes: index,
  });
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(line(index)));
  return [JSON.stringify({ cofferCatalogue: 1 }), ...lines, ''].join('\n');
}

/** Files of 10 KB. @returns their names */
async function writeFiles(folder: string, count: number): Promise<string[]> {
  await mkdir(folder);
  const names = Array.from({ length: count }, (_, index) => `f${String(index)}`);
  for (const name of names) await writeFile(join(folder, name), randomBytes(sizeBytes));
  return names;
}

/** As if all had been stored. */
async function listOfFiles(folder: string, names: readonly string[]): Promise<string> {
  const lines: string[] = [JSON.stringify({ cofferCatalogue: 1 })];
  for (const name of names) {
    const sha256 = hash('sha256', await readFile(join(folder, name)), 'hex');
    const identifier = `synced/${name}`;
    lines.push(JSON.stringify({ kind: 'data', identifier, state: 'stored', lengthBytes: sizeBytes, sha256 }));
  }
  return [...lines, ''].join('\n');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** The best of several: other load only adds time. */
async function best(rounds: number, work: () => Promise<unknown>): Promise<number> {
  return (await bestOfBoth(rounds, work, async () => undefined))[0];
}

/** Alternates, so that other load affects both. */
async function bestOfBoth(
  rounds: number,
  work: () => Promise<unknown>,
  yardstick: () => Promise<unknown>,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    times[0].push(await timed(work));
    times[1].push(await timed(yardstick));
  }
  return [Math.min(...times[0]), Math.min(...times[1])];
}

function report(name: string, ms: number, beside: string): void {
  console.log(`${name.padEnd(28)}${ms.toFixed(0).padStart(7)} ms   (${beside})`);
}
