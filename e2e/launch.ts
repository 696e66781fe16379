import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { launchWindow, type Launched } from '../chromium-shell/testing/launch.ts';

export type Shell = 'electron' | 'chromium';

const root = resolve(import.meta.dirname, '..');

/** Path of Electron's binary; null: not downloaded. */
export function findElectron(): string | null {
  const folder = join(root, 'node_modules', 'electron');
  const pathFile = join(folder, 'path.txt');
  const path = existsSync(pathFile) ? join(folder, 'dist', readFileSync(pathFile, 'utf8')) : null;
  return path && existsSync(path) ? path : null;
}

export type LaunchOptions = {
  shell: Shell;
  /** Folder of package.json and the build output. */
  appFolder?: string;
  /** The application's data folder. */
  userData: string;
  /** File for `answerDialogs`. */
  dialogAnswers: string;
  env?: NodeJS.ProcessEnv;
  /** Further modules to preload into the main process. */
  requires?: readonly string[];
  /** Of Chromium, such as `--ozone-platform=wayland`. */
  switches?: readonly string[];
  user?: Parameters<typeof launchWindow>[3];
};

/** The application, and what a person does outside of its page. */
export type LaunchedApp = Launched & {
  /** Closes the window and waits for the exit. One that works on with a hidden window exits when it is done. */
  close: () => Promise<number | null>;
  /** Closes the window, which may hide or ask. */
  closeWindow: () => void;
  /** Quits whatever is open, and waits for the exit. */
  end: () => Promise<number | null>;
  /** Quits, which may ask first. */
  quit: () => void;
  /** Chooses an item of the menu by its id. */
  chooseInMenu: (id: string) => void;
  /** What main knows of itself. */
  state: () => Promise<AppState>;
};

export type AppState = {
  /** Whether the window has the focus. (The page always believes so: Playwright emulates it.) */
  isFocused: boolean;
  isVisible: boolean;
  /** There is an icon in the notification area. */
  hasIcon: boolean;
  /** What the *Edit* menu says can be undone, the newest first. */
  undos: string[];
  /** The computer is kept awake. */
  isAwake: boolean;
};

/** Starts the build, as `npm start` does. */
export async function launchApp(options: LaunchOptions): Promise<LaunchedApp> {
  const launched = await launch(options);
  const { tell, exited, process: main } = launched;
  return {
    ...launched,
    close: () => {
      tell({ act: 'close' });
      return exited;
    },
    end: () => {
      tell({ act: 'end' });
      return exited;
    },
    quit: () => tell({ act: 'quit' }),
    chooseInMenu: (id) => tell({ act: 'choose', id }),
    closeWindow: () => tell({ act: 'close' }),
    state: async () => {
      const told = once(main, 'message');
      tell({ act: 'tell' });
      const [state] = (await told) as [AppState];
      return state;
    },
  };
}

function launch({
  shell,
  appFolder = root,
  userData,
  dialogAnswers,
  env,
  requires = [],
  switches = [],
  user,
}: LaunchOptions): Promise<Launched> {
  const preloaded = [join(root, 'e2e', 'in-main.cjs'), ...requires].flatMap((path) => ['--require', path]);
  const own = [`--user-data-dir=${userData}`, '--remote-debugging-port=0', ...switches];
  const environment = {
    COFFER_LANGUAGE: 'en',
    CHROMIUM_SHELL_NO_GPU: '1',
    ...process.env,
    ...env,
    E2E_DIALOG_ANSWERS: dialogAnswers,
  };
  if (shell === 'chromium') {
    const register = join(root, 'chromium-shell', 'register.ts');
    const entry = join(appFolder, 'out', 'main', 'index.js');
    // Not `--import`, which threads inherit: each would scan its whole bundle for exports.
    return launchWindow(
      process.execPath,
      ['--require', register, ...preloaded, entry, ...own],
      environment,
      user,
    );
  }
  const electron = findElectron();
  if (!electron) throw new Error('Electron is not here');
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return launchWindow(electron, [...sandbox, ...preloaded, appFolder, ...own], environment, user);
}

/**
 * Queues answers for the next dialogs, in this order: the chosen paths (a save dialog takes the first), the button of a
 * message box, or null for Cancel. A dialog without an answer really opens.
 */
export function answerDialogs(dialogAnswers: string, answers: (string[] | null)[]): void {
  // Atomically: the program may be reading them.
  writeFileSync(`${dialogAnswers}.new`, JSON.stringify(answers));
  renameSync(`${dialogAnswers}.new`, dialogAnswers);
}

/** Number of queued answers that no dialog has used. */
export function countAnswers(dialogAnswers: string): number {
  const answers: unknown = JSON.parse(readFileSync(dialogAnswers, 'utf8'));
  return Array.isArray(answers) ? answers.length : 0;
}
