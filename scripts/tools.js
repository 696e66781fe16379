/* Shared by all scripts: paths, and running programs. Runs on Node 20, before anything is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');

/** The Node 24 from npm that everything runs on; until it is installed, the current one. */
export function findNode() {
  const own = ['node.exe', 'node'].map((name) => join(modules, 'node', 'bin', name));
  return own.find((path) => existsSync(path)) ?? process.execPath;
}

/** UTF-8 for systems without a locale: otherwise Chromium and Electron find no file with a non-ASCII name. */
function localeOf({ LC_ALL, LC_CTYPE, LANG }) {
  const isNamed = [LC_ALL, LC_CTYPE, LANG].some((locale) => locale && locale !== 'C' && locale !== 'POSIX');
  return process.platform === 'linux' && !isNamed ? { LC_ALL: 'C.UTF-8' } : {};
}

/** The environment with npm's commands first on PATH. */
export function environment(extra = {}) {
  // Windows spells it in its own way, and a copied environment is case-sensitive.
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const path = [join(modules, '.bin'), process.env[name]].join(delimiter);
  return { ...process.env, ...localeOf(process.env), [name]: path, ...extra };
}

/** How to run a package's program: npm's links to them are not executable on Windows. */
export function commandOf(name, packageName = name) {
  const folder = join(modules, packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [findNode(), join(folder, typeof bin === 'string' ? bin : bin[name])];
}

/** Runs a command in place of this process: passes on output, signals and exit code. */
export function become([program, ...args], env = environment(), stdin = 'inherit') {
  const child = spawn(program, args, { cwd: root, env, stdio: [stdin, 'inherit', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl+C to all of them; Electron takes a second one as "quit at once".
    process.on(signal, () => (signal === 'SIGINT' && isatty(0) ? undefined : child.kill(signal)));
  }
  child.on('error', (cause) => {
    console.error(cause.message);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

/** Whether the command exits with 0. Its output is discarded, or with `isHeard` goes to stderr. */
export function succeeds([program, ...args], { isHeard = false, env } = {}) {
  const stdio = ['ignore', isHeard ? 2 : 'ignore', isHeard ? 2 : 'ignore'];
  return spawnSync(program, args, { cwd: root, env: environment(env), stdio }).status === 0;
}

/** The command's stdout; empty if it cannot be run. */
export function outputOf([program, ...args]) {
  return spawnSync(program, args, { cwd: root, env: environment(), encoding: 'utf8' }).stdout ?? '';
}

export function isOnPath(...names) {
  const folders = (environment().PATH ?? '').split(delimiter);
  return names.some((name) => folders.some((folder) => existsSync(join(folder, name))));
}
