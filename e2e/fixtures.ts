import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test as base, type Locator, type Page } from 'playwright/test';
import { dropFiles } from '../chromium-shell/testing/files.ts';
import { removeFolder } from '../test-support/remove-folder.ts';
import { startSessionBus } from '../test-support/session-bus.ts';
import { answerDialogs, countAnswers, launchApp, type AppState, type Shell } from './launch.ts';
import { noteOpenedFiles } from './opened-files.ts';
import { startWeston } from './weston.ts';

/** The application under test, with a folder of its own. */
export type App = {
  /** The window's page; replaced by `restart` and `reconnect`. */
  readonly page: Page;
  /** For the test's files; removed afterwards. */
  readonly folder: string;
  readonly userData: string;
  readonly downloads: string;
  /** stdout and stderr of all starts. */
  output: () => string;
  /** Quits whatever is open, waits for the exit, and starts again. @param earlierMs how far to set back its clock */
  restart: (options?: { earlierMs?: number }) => Promise<void>;
  /** Connects the test to the page anew. */
  reconnect: () => Promise<void>;
  /** Closes the window and waits for the exit. */
  close: () => Promise<void>;
  /** Closes the window, which may hide or ask. */
  closeWindow: () => void;
  state: () => Promise<AppState>;
  /** Quits, which may ask first. */
  quit: () => void;
  /** Chooses an item of the menu by its id. */
  chooseInMenu: (id: string) => void;
  /** Gives the focus to another program, as far as main is told. @returns takes it back */
  unfocus: () => Promise<() => Promise<void>>;
  /** Waits for the program to exit by itself. */
  ended: () => Promise<void>;
  /** Sends SIGTERM, as the end of a session does, and waits for the exit. */
  terminate: () => Promise<void>;
  /** Sends SIGKILL. `restart` starts it again. */
  kill: () => Promise<void>;
  /** Starts a second instance, which hands over to the first one and exits. */
  startAgain: () => Promise<void>;
  /** As `startAgain`, with a link, as the system does. */
  openLink: (link: string) => Promise<void>;
  /** Drops local files and folders on the window, or on `target`. */
  drop: (paths: string[], target?: Locator) => Promise<void>;
  /** Queues answers for the next dialogs: the chosen paths or the button; null for Cancel. */
  answerDialogs: (...answers: (string[] | null)[]) => void;
  /** Number of queued answers that no dialog has used. */
  dialogsLeft: () => number;
  /** Paths handed to other programs to open, over all starts. No such program is started. */
  opened: () => string[];
};

export const test = base.extend<
  { shell: Shell; appFolder: string; earlierMs: number; switches: string[]; signs: string[]; app: App },
  { display: NodeJS.ProcessEnv }
>({
  shell: ['chromium', { option: true }],

  appFolder: join(import.meta.dirname, '..'),

  // `earlierMs` of `restart`, for the first start.
  earlierMs: [0, { option: true }],

  switches: [[], { option: true }],

  // On Linux: what the desktop provides on the session bus, in place of the tests' own bus and its keyring.
  signs: [[], { option: true }],

  // On Linux one per worker, since clipboard and focus belong to the display. It exits when its stdin closes.
  display: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the used fixtures from the pattern
    async ({}, provide) => {
      if (process.platform !== 'linux') return provide({});
      const script = join(import.meta.dirname, '..', 'scripts', 'with-display.sh');
      const holder = spawn(script, ['sh', '-c', 'echo "$DISPLAY $XAUTHORITY"; exec cat'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const [line] = (await once(createInterface(holder.stdout), 'line')) as [string];
      const [DISPLAY, XAUTHORITY] = line.split(' ');
      await provide({ DISPLAY, XAUTHORITY });
      holder.stdin.end();
      await once(holder, 'exit');
    },
    { scope: 'worker' },
  ],

  app: async (
    { shell, appFolder, earlierMs: firstEarlierMs, switches, signs, display },
    provide,
    testInfo,
  ) => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-'));
    const home = join(folder, 'home');
    const downloads = join(home, 'Downloads');
    mkdirSync(downloads, { recursive: true });
    const userData = join(folder, 'user data');
    const dialogAnswers = join(folder, 'dialogs.json');
    const openedFiles = noteOpenedFiles(join(folder, 'programs'));
    // The stand-in only behaves as on Wayland.
    const isOnWayland = shell === 'electron' && switches.includes('--ozone-platform=wayland');
    const weston = isOnWayland ? await startWeston(join(folder, 'weston'), display) : null;
    const hasBus = signs.length > 0 && process.platform === 'linux';
    const bus = hasBus ? await startSessionBus(join(folder, 'bus'), signs) : null;
    const env = {
      ...display,
      ...weston?.env,
      ...bus?.env,
      ...openedFiles.env,
      // macOS finds the keychain by HOME, and Windows does not know it.
      ...(process.platform === 'linux' && { HOME: home, XDG_CONFIG_HOME: join(home, '.config') }),
      COFFER_DOWNLOADS: downloads,
    };
    const launch = (earlierMs: number) =>
      launchApp({
        shell,
        appFolder,
        userData,
        dialogAnswers,
        switches,
        env: { ...env, ...earlierClock(earlierMs) },
      });

    let earlier = '';
    let current = await launch(firstEarlierMs);
    let isRunning = true;
    const end = async (how: 'close' | 'end' | 'kill') => {
      if (isRunning) await current[how]();
      isRunning = false;
    };

    const startAgain = async (words: string[]) => {
      const { spawnfile, spawnargs } = current.process;
      await promisify(execFile)(spawnfile, [...spawnargs.slice(1), ...words], {
        env: { ...process.env, ...env },
      });
    };

    await provide({
      get page() {
        return current.page;
      },
      folder,
      userData,
      downloads,
      output: () => earlier + current.output(),
      restart: async ({ earlierMs = 0 } = {}) => {
        await end('end');
        earlier += current.output();
        current = await launch(earlierMs);
        isRunning = true;
      },
      reconnect: async () => {
        current = { ...current, page: await current.reconnect() };
      },
      close: () => end('close'),
      closeWindow: () => current.closeWindow(),
      state: () => current.state(),
      quit: () => current.quit(),
      chooseInMenu: (id) => current.chooseInMenu(id),
      async unfocus() {
        // Of the stand-in's window only the page can tell.
        const tell = (type: 'blur' | 'focus') =>
          current.page.evaluate((name) => void dispatchEvent(new Event(name)), type);
        const closeOther = weston?.openOther();
        if (!closeOther) await tell('blur');
        await expect.poll(async () => (await current.state()).isFocused).toBe(false);
        return async () => {
          await (closeOther?.() ?? tell('focus'));
          await expect.poll(async () => (await current.state()).isFocused).toBe(true);
        };
      },
      ended: async () => {
        await current.exited;
        isRunning = false;
      },
      terminate: async () => {
        current.process.kill('SIGTERM');
        await current.exited;
        isRunning = false;
      },
      kill: () => end('kill'),
      startAgain: () => startAgain([]),
      openLink: (link) => startAgain(['--', link]),
      drop: (paths, target) => dropFiles(current.page, paths, target),
      answerDialogs: (...answers) => answerDialogs(dialogAnswers, answers),
      dialogsLeft: () => countAnswers(dialogAnswers),
      opened: openedFiles.list,
    });

    if (testInfo.status !== testInfo.expectedStatus) {
      if (isRunning) {
        const picture = await current.page.screenshot({ timeout: 5000 }).catch(() => null); // null: the page crashed
        if (picture) await testInfo.attach('window', { body: picture, contentType: 'image/png' });
      }
      await testInfo.attach('output', { body: earlier + current.output(), contentType: 'text/plain' });
      const log = readFileSync(join(userData, 'logs', 'coffer.log'));
      await testInfo.attach('log', { body: log, contentType: 'text/plain' });
    }
    await end('kill');
    await weston?.stop();
    await bus?.stop();
    // Chromium may still be writing there on exit.
    await removeFolder(folder);
  },
});

/** Sets the application's clock back, so that what it starts now is older at the next start. */
function earlierClock(earlierMs: number): NodeJS.ProcessEnv {
  if (earlierMs === 0) return {};
  const clock = join(import.meta.dirname, 'pictures', 'earlier-clock.cjs');
  return { NODE_OPTIONS: `--require ${clock}`, E2E_EARLIER_MS: String(earlierMs) };
}

export { expect } from 'playwright/test';
