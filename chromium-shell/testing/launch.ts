import { spawn, type ChildProcess } from 'node:child_process';
import { chromium, type Browser, type Page } from 'playwright';

/** A window that was started for a test, as a person would: a process, its output, and its page. */
export type Launched = {
  page: Page;
  process: ChildProcess;
  /** All it has written so far. */
  output: () => string;
  /** Resolves to the exit code (null: ended by a signal), however it ends. */
  exited: Promise<number | null>;
  /** Ends it as a person would, by closing the window. */
  close: () => Promise<number | null>;
  /** Ends it as a power cut would: the program, its window and all that belongs to it. */
  kill: () => Promise<void>;
};

const startLimitMs = 30_000;

/**
 * Starts a command that opens one window and listens for a debugger (--remote-debugging-port=0), and waits for its
 * page. Without a display it gets a virtual one.
 */
export async function launchWindow(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<Launched> {
  const hasDisplay = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  // A process group of its own, so that `kill` reaches all of it.
  const child = spawn(hasDisplay ? command : 'xvfb-run', hasDisplay ? args : ['-a', command, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));

  const address = await new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.on('error', reject);
    void exited.then((code) => reject(new Error(`ended before its window opened (${code}):\n${output}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  const page = await findPage(browser);
  // A click that something lies over names what, before its test ends.
  page.setDefaultTimeout(startLimitMs);

  return {
    page,
    process: child,
    output: () => output,
    exited,
    close: async () => {
      await page.close();
      return exited;
    },
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null && child.pid)
        process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}

/** The page of the application, once it is there: the window starts on an empty one. */
async function findPage(browser: Browser): Promise<Page> {
  const context = browser.contexts()[0];
  if (!context) throw new Error('the window has no context');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  await page.waitForURL((url) => url.host.endsWith('.invalid') || url.protocol === 'app:', {
    timeout: startLimitMs,
  });
  return page;
}
