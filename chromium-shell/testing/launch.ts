import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright';

/** A window started for a test: process, output and page. */
export type Launched = {
  page: Page;
  process: ChildProcess;
  /** Everything written so far. */
  output: () => string;
  /** Resolves to the exit code; null: ended by a signal. */
  exited: Promise<number | null>;
  /** Connects anew; `page` is of no use then. */
  reconnect: () => Promise<Page>;
  /** Sends a message to its main process, which gets it as a `message` event of `process`. */
  tell: (message: object) => void;
  /** Kills the program, its window and all their processes. */
  kill: () => Promise<void>;
};

/** Time limit for a start that hangs: on a busy machine a start takes many times as long. */
const startLimitMs = 120_000;

/**
 * Runs a command that opens one window with a debugging port (--remote-debugging-port=0), and waits for its page.
 * Starts a virtual display if there is none.
 * @param user to run it as, which only root may choose; default: that of this process
 */
export async function launchWindow(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  user: { uid?: number; gid?: number } = {},
): Promise<Launched> {
  const hasDisplay = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  // In its own process group, so that `kill` reaches all of it.
  const child = spawn(hasDisplay ? command : 'xvfb-run', hasDisplay ? args : ['-a', command, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    ...user,
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));

  const address = await new Promise<string>((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.on('error', reject);
    void exited.then((code) => reject(new Error(`ended before its window opened (${code}):\n${output}`)));
  });
  const page = await attach(address).catch((cause: unknown) => {
    throw new Error(
      `has no page (${child.exitCode ?? child.signalCode ?? 'runs'}): ${String(cause)}\n${output}`,
    );
  });

  return {
    page,
    process: child,
    output: () => output,
    exited,
    reconnect: async () => {
      await page.context().browser()?.close();
      return attach(address);
    },
    tell: (message) => void child.send(message),
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null && child.pid) killAll(child.pid);
      await exited;
    },
  };
}

/** Kills a program and its child processes. Windows has no process groups: `process.kill` throws for a negative number there. */
function killAll(pid: number): void {
  if (process.platform !== 'win32') process.kill(-pid, 'SIGKILL');
  else execFileSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
}

const isPageOfApp = ({ host, protocol }: URL) => host.endsWith('.invalid') || protocol === 'app:';

/**
 * Connects to the application's page once the debugger lists it: attaching while Electron creates the page hangs.
 * @param address of the debugger's socket
 */
async function attach(address: string): Promise<Page> {
  const list = new URL('/json/list', address.replace(/^ws/, 'http'));
  const isListed = async () => {
    const targets = (await (await fetch(list)).json()) as { type: string; url: string }[];
    return targets.some(({ type, url }) => type === 'page' && URL.canParse(url) && isPageOfApp(new URL(url)));
  };
  const endMs = performance.now() + startLimitMs;
  while (!(await isListed())) {
    if (performance.now() > endMs) throw new Error('the page has not loaded in time');
    await delay(50);
  }
  const page = await findPage(await chromium.connectOverCDP(address, { timeout: startLimitMs }));
  // So that a blocked click names what covers it before its test times out.
  page.setDefaultTimeout(startLimitMs);
  return page;
}

/** Waits for the application's page: the window starts with an empty one, and Chromium opens and closes pages of its own. */
async function findPage(browser: Browser): Promise<Page> {
  const context = browser.contexts()[0];
  if (!context) throw new Error('the window has no context');
  const { promise, resolve, reject } = Promise.withResolvers<Page>();
  const watch = (page: Page) =>
    void page.waitForURL(isPageOfApp, { timeout: 0 }).then(
      () => resolve(page),
      () => undefined, // closed
    );
  context.on('page', watch);
  context.pages().forEach(watch);
  browser.on('disconnected', () => reject(new Error('the connection has closed')));
  const limit = setTimeout(() => reject(new Error('the page has not loaded in time')), startLimitMs);
  return promise.finally(() => {
    clearTimeout(limit);
    context.off('page', watch);
  });
}
