import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzipSync } from 'node:zlib';
import { scriptFor } from '../../src/command/completion/completion-scripts.ts';
import { bundleCommand } from './bundle.ts';
import { findNode, hostTarget, isWindows, signForMac, type Target } from './node-program.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const loader = readFileSync(join(import.meta.dirname, 'loader.cjs'), 'utf8');

/** Appended to the loader of a program that records V8's compiled code. */
const recorder = `
process.on('exit', () => {
  const { writeFileSync } = process.getBuiltinModule('node:fs');
  for (const [name, { script }] of loaded)
    writeFileSync(process.env.COFFER_COMPILED + '/' + name + '.compiled', script.createCachedData());
});`;

/** Commands run to record compiled code: what every command loads, and an own engine with its threads. */
const usual = [['--version'], ['ls'], ['put', 'a'], ['get', 'a', '-o', '-'], ['ls', '--json']];

export type ProgramOptions = {
  /** Whether V8's compiled code is included, for which the program is built twice and run. */
  isCompiled?: boolean;
};

/**
 * Makes the command's own program in `folder`, with the files that belong beside it: the keychain's module, the manual page and
 * the completion scripts. Needs the build (`out/main`). Includes V8's compiled code if the program can be run here: without it,
 * starting takes twice as long.
 */
export async function makeProgram(
  target: Target,
  folder: string,
  { isCompiled = target === hostTarget() }: ProgramOptions = {},
): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'coffer-program-'));
  try {
    mkdirSync(folder, { recursive: true });
    cpSync(
      join(root, 'node_modules', 'keytar', 'prebuilds', target, 'keytar.node'),
      join(folder, 'keytar.node'),
    );
    const modules = await bundleCommand();
    const program = join(folder, isWindows(target) ? 'coffer.exe' : 'coffer');
    const compiled = join(work, 'compiled');
    mkdirSync(compiled);
    if (isCompiled) {
      await assemble(target, { modules, main: loader + recorder, compiled, program, work });
      await record(program, compiled, work);
    }
    await assemble(target, { modules, main: loader, compiled, program, work });
    const manual = readFileSync(join(root, 'packaging', 'coffer.1'));
    writeFileSync(join(folder, 'coffer.1.gz'), gzipSync(manual, { level: constants.Z_BEST_COMPRESSION }));
    cpSync(join(import.meta.dirname, 'node-licence.txt'), join(folder, 'node-licence.txt'));
    writeCompletions(join(folder, 'completions'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function assemble(
  target: Target,
  parts: {
    modules: ReadonlyMap<string, string>;
    main: string;
    compiled: string;
    program: string;
    work: string;
  },
): Promise<void> {
  const { modules, main, compiled, program, work } = parts;
  const assets: Record<string, string> = { loader: 'loader' };
  const write = (name: string, text: string | Uint8Array) => {
    writeFileSync(join(work, name), text);
    return name;
  };
  write('loader', main);
  write('main', `${main}\nload('command.cjs');`);
  for (const [name, code] of modules) {
    assets[name] = write(name, code);
    const own = join(compiled, `${name}.compiled`);
    assets[`${name}.compiled`] = write(`${name}.compiled`, existsSync(own) ? readFileSync(own) : '');
  }
  const settings = {
    main: 'main',
    executable: await findNode(target),
    output: program,
    assets,
    disableExperimentalSEAWarning: true,
    // SIGUSR1 would open the debugger, through which any program could use the keychain as this one. The last two are as in bin/coffer.
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      '--disable-sigusr1',
      '--min-semi-space-size=4',
      '--max-semi-space-size=4',
    ],
    // Otherwise NODE_OPTIONS could run foreign code in it.
    execArgvExtension: 'none',
  };
  write('settings.json', JSON.stringify(settings));
  rmSync(program, { force: true });
  // Relative names, because they end up in the program.
  await run(await findNode(hostTarget()), ['--build-sea', 'settings.json'], { cwd: work });
  chmodSync(program, 0o755);
  if (target.startsWith('darwin')) await signForMac(program);
}

/** Runs commands in an empty home folder, with nothing but the service built into the program. */
async function record(program: string, compiled: string, work: string): Promise<void> {
  const { COFFER_ADDRESS: _address, COFFER_TOKEN: _token, ...inherited } = process.env;
  const home = join(work, 'home');
  mkdirSync(home);
  const env = { ...inherited, HOME: home, XDG_CONFIG_HOME: home, APPDATA: home, COFFER_COMPILED: compiled };
  for (const words of usual) await run(program, words, { env, cwd: home }).catch(() => undefined);
  if (readdirSync(compiled).length === 0) throw new Error(`${program} does not run.`);
}

function writeCompletions(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const names = { bash: 'coffer.bash', zsh: '_coffer', fish: 'coffer.fish', pwsh: 'coffer.ps1' } as const;
  for (const [shell, name] of Object.entries(names) as [keyof typeof names, string][])
    writeFileSync(join(folder, name), `${scriptFor(shell)}\n`);
}
