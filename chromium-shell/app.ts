import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type * as Electron from 'electron';
import { startChromium, type Chromium } from './chromium.ts';
import { takeLock } from './lock.ts';
import { provideOnly, refuse, sayOnce, ShellEmitter } from './refuse.ts';

/** State shared by the stand-in's parts: whether it is ready, and the browser. */
const inner = new EventEmitter();
let chromium: Chromium | null = null;
let readiness: 'before' | 'starting' | 'ready' = 'before';
let isQuitting = false;

export function theChromium(what: string): Chromium {
  if (!chromium) refuse(`${what} cannot be used before the app is ready`);
  return chromium;
}

export function refuseWhenReady(what: string): void {
  if (readiness !== 'before') refuse(`${what} must be called before the app is ready`);
}

/** Called when quitting: closes the windows; false if one refused. */
export const quitting: { closeWindows: () => Promise<boolean> } = { closeWindows: async () => true };

function findAppFolder(): string {
  let folder = dirname(resolve(process.argv[1] ?? '.'));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
const appFolder = findAppFolder();
const manifestPath = join(appFolder, 'package.json');
const manifest = (existsSync(manifestPath) ? JSON.parse(readFileSync(manifestPath, 'utf8')) : {}) as {
  name?: string;
  productName?: string;
  version?: string;
};

/** The XDG user folders, as written by xdg-user-dirs; without them the home, as in Electron (`xdg_user_dir_lookup`). */
function readUserFolder(key: string): string {
  const config = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  const path = join(config, 'user-dirs.dirs');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const found = new RegExp(`^XDG_${key}_DIR="(.+)"$`, 'm').exec(text)?.[1];
  return found ? found.replace('$HOME', homedir()) : homedir();
}

function readSwitches(argv: readonly string[]): Map<string, string> {
  const pairs = argv
    .filter((argument) => argument.startsWith('--'))
    .map((argument): [string, string] => {
      const [name = '', ...value] = argument.slice(2).split('=');
      return [name, value.join('=')];
    });
  return new Map(pairs);
}
const switches = readSwitches(process.argv.slice(2));

type PathName = 'home' | 'appData' | 'userData' | 'sessionData' | 'temp' | 'downloads';
const paths = new Map<string, string>();
const defaultPath: Record<PathName, () => string> = {
  home: () => homedir(),
  appData: () => process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'),
  userData: () => join(getPath('appData'), app.name),
  sessionData: () => getPath('userData'),
  temp: () => tmpdir(),
  downloads: () => readUserFolder('DOWNLOAD'),
};
const isPathName = (name: string): name is PathName => Object.hasOwn(defaultPath, name);
function getPath(name: string): string {
  if (!isPathName(name)) refuse(`app.getPath("${name}") is not provided`);
  return paths.get(name) ?? defaultPath[name]();
}

const commandLine = provideOnly('app.commandLine', {
  hasSwitch: (name: string) => switches.has(name),
  getSwitchValue: (name: string) => switches.get(name) ?? '',
  removeSwitch: (name: string): void => void switches.delete(name),
} satisfies Partial<Electron.CommandLine>);

/**
 * Whether a debugger controls the window. In Electron its keys reach no menu, and it destroys a window without `close`. Here they
 * cannot be told from a person's, so with the switch all are taken for the debugger's.
 */
export const isDebugged = () => switches.has('remote-debugging-port');

/** Behaves like a window on GNOME's Wayland; Chromium itself does not run on it. */
export const isWayland = () => switches.get('ozone-platform') === 'wayland';

const events = [
  'ready',
  'window-all-closed',
  'before-quit',
  'will-quit',
  'quit',
  'second-instance',
  // Only macOS has it, so nothing emits it here.
  'open-url',
  'web-contents-created',
  'browser-window-created',
];

class App extends ShellEmitter {
  name = manifest.productName ?? manifest.name ?? 'Electron';
  readonly isPackaged = false;
  readonly commandLine = commandLine;

  constructor() {
    super('app', events);
  }
  getVersion(): string {
    return manifest.version ?? '';
  }
  getPreferredSystemLanguages(): string[] {
    if (!this.isReady()) refuse('app.getPreferredSystemLanguages must come after ready');
    const { LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = process.env;
    const named = [...(LANGUAGE ?? '').split(':'), LC_ALL || LC_MESSAGES || LANG || ''];
    return named
      .map((name) => name.replace(/[.@].*$/, '').replace('_', '-'))
      .filter((name) => name !== '' && name !== 'C' && name !== 'POSIX');
  }
  getAppPath(): string {
    return appFolder;
  }
  getPath(name: string): string {
    return getPath(name);
  }
  setPath(name: string, path: string): void {
    refuseWhenReady('app.setPath');
    if (!isPathName(name)) refuse(`app.setPath("${name}") is not provided`);
    if (!isAbsolute(path)) refuse('app.setPath: the path must be absolute');
    if (!existsSync(path)) refuse('app.setPath: the folder must be there');
    paths.set(name, path);
  }
  isReady(): boolean {
    return readiness === 'ready';
  }
  async whenReady(): Promise<void> {
    if (!this.isReady()) await new Promise((done) => inner.once('ready', done));
  }
  enableSandbox(): void {
    refuseWhenReady('app.enableSandbox');
  }
  requestSingleInstanceLock(): boolean {
    return takeLock(getPath('userData'), (argv, folder) =>
      this.emit('second-instance', {}, argv, folder, {}),
    );
  }
  setBadgeCount(): boolean {
    return false; // like Electron on desktops without badges
  }
  quit(): void {
    void quit();
  }
  exit(code = 0): void {
    this.emit('quit', {}, code);
    if (!chromium) process.exit(code);
    isQuitting = true;
    // After exit the window must no longer write to its folder.
    chromium.stop();
    void Promise.race([chromium.gone, delay(5_000)]).then(() => process.exit(code));
  }
}

const members = new App();
members satisfies Partial<
  Pick<Electron.App, 'name' | 'isPackaged' | 'getVersion' | 'getAppPath' | 'isReady'>
> &
  Pick<
    Electron.App,
    'whenReady' | 'enableSandbox' | 'requestSingleInstanceLock' | 'setBadgeCount' | 'quit' | 'exit'
  >;
export const app = provideOnly('app', members);

/** before-quit, the windows' close and will-quit (each may be prevented), then quit. */
async function quit(): Promise<void> {
  if (isQuitting) return;
  if (!members.permits('before-quit')) return;
  isQuitting = true;
  const mayQuit = (await quitting.closeWindows()) && members.permits('will-quit');
  isQuitting = false;
  if (mayQuit) members.exit(0);
}

/** Call when the last window has closed. Without a listener the program exits, like Electron. */
export function allWindowsClosed(): void {
  if (isQuitting) return;
  if (!members.emit('window-all-closed')) members.quit();
}

/** Called by the entry module when it has been evaluated. */
export async function startWhenEvaluated(): Promise<void> {
  if (readiness !== 'before') return;
  readiness = 'starting';
  try {
    const profile = join(getPath('userData'), 'Chromium');
    chromium = await startChromium(profile, app.name, switches.get('remote-debugging-port'));
  } catch (cause) {
    sayOnce(cause instanceof Error ? cause.message : String(cause));
    process.exit(1);
  }
  await onStarted(chromium);
  readiness = 'ready';
  members.emit('ready', {}, {});
  inner.emit('ready');
}

let onStarted: (started: Chromium) => Promise<void> = async () => undefined;
/** Sets a task to run before `ready`, for what must be known by then (the screen, the theme). */
export function beforeReady(task: (started: Chromium) => Promise<void>): void {
  const earlier = onStarted;
  onStarted = async (started) => {
    await earlier(started);
    await task(started);
  };
}

// Electron's own handlers quit as a person would; the application's listener replaces them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) members.quit();
  });
}
