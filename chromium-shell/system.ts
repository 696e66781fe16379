import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type * as Electron from 'electron';
import { beforeReady, theChromium } from './app.ts';
import type { Page } from './page.ts';
import { provideOnly, refuse, sayOnce, ShellEmitter, unlessGone } from './refuse.ts';
import { withPermission } from './session.ts';
import { fromPage, noteWork, thePage, type OpenedPage } from './the-page.ts';

/** Runs xdg-open; rejects if it is missing or fails. */
function openWithDesktop(target: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('xdg-open', [target], { stdio: 'ignore', detached: true });
    child.on('error', () => reject(new Error('chromium-shell: xdg-open is not installed')));
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`chromium-shell: xdg-open: ${code}`)),
    );
    child.unref();
  });
}

export const shell = provideOnly('shell', {
  openExternal: (url: string): Promise<void> => openWithDesktop(url),
  // As Electron on Linux: starts xdg-open, and never settles (shell/common/platform_util_linux.cc since electron/electron#48079).
  openPath: (path: string): Promise<string> => {
    openWithDesktop(path).catch((cause: unknown) => sayOnce(String(cause)));
    return new Promise(() => undefined);
  },
  showItemInFolder: (path: string): void => {
    openWithDesktop(dirname(path)).catch((cause: unknown) => sayOnce(String(cause)));
  },
} satisfies Partial<Electron.Shell>);

let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs clipboard operations through the page, in the order of the calls. */
function withClipboard<T>(permission: string, work: (found: OpenedPage) => Promise<T>): Promise<T> {
  const turn = lastTurn.then(() => useClipboard(permission, work));
  lastTurn = turn.catch(() => undefined);
  return turn;
}

/** Chromium requires a focused window, so it counts as focused meanwhile. */
async function useClipboard<T>(permission: string, work: (found: OpenedPage) => Promise<T>): Promise<T> {
  const found = await thePage('clipboard');
  const { cdp, call } = found.page;
  const setFocus = (enabled: boolean) => cdp.send('Emulation.setFocusEmulationEnabled', { enabled });
  const hasFocus = await call('hasFocus', []);
  if (!hasFocus) await setFocus(true);
  try {
    return await withPermission(permission, found.shownOrigin, () => work(found));
  } finally {
    if (!hasFocus) await setFocus(false);
  }
}

const text = 'text/plain';

async function copy(copied: string): Promise<void> {
  await withClipboard('clipboard-write', ({ page }) => page.call('copy', [copied], true));
}

export class ClipboardItem {
  readonly types: string[];
  readonly #items: Record<string, unknown>;
  constructor(items: Record<string, string | Blob>) {
    this.#items = items;
    this.types = Object.keys(items);
  }
  async getType(type: string): Promise<Blob> {
    const item = this.#items[type];
    if (item instanceof Blob) return item;
    return typeof item === 'string' ? new Blob([item]) : refuse(`ClipboardItem has no "${type}"`);
  }
}

export const clipboard = provideOnly('clipboard', {
  writeText: copy,
  /** A page can write text to the clipboard, but none of the system's own formats. */
  write: async (items: Electron.ClipboardItem[]): Promise<void> => {
    for (const item of items) {
      const others = item.types.filter((type) => type !== text);
      if (others.length > 0) sayOnce(`the clipboard takes text only here, not ${others.join(', ')}`);
      await copy(await (await item.getType(text)).text());
    }
  },
  clear: (): void => noteWork(copy('')),
  readText: (): Promise<string> =>
    withClipboard('clipboard-read', async ({ page }) => String(await page.call('readCopied', [], true))),
} satisfies { [name in keyof Electron.Clipboard]?: unknown });

let lastNotification = 0;
const notifications = new Map<number, Notification>();
fromPage.on('notificationClick', (id: number) => notifications.get(id)?.emit('click', {}));

export class Notification extends ShellEmitter {
  readonly #options: Electron.NotificationConstructorOptions;
  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super('Notification', ['show', 'click']);
    theChromium('Notification');
    this.#options = options;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    const id = ++lastNotification;
    notifications.set(id, this);
    const { title = '', body = '' } = this.#options;
    const shown = thePage('Notification').then(({ page, shownOrigin }) =>
      withPermission('notifications', shownOrigin, () => page.call('notify', [id, title, body])),
    );
    shown
      .then(() => this.emit('show', {}))
      .catch((cause: unknown) => sayOnce(`a notification could not be shown: ${String(cause)}`));
  }
}

let systemIsDark = false;
let display: Electron.Rectangle = { x: 0, y: 0, width: 0, height: 0 };
type ThemeSource = Electron.NativeTheme['themeSource'];

class NativeTheme extends ShellEmitter {
  #source: ThemeSource = 'system';
  constructor() {
    super('nativeTheme', ['updated']);
  }
  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? systemIsDark : this.#source === 'dark';
  }
  get themeSource(): ThemeSource {
    return this.#source;
  }
  set themeSource(source: ThemeSource) {
    if (!['system', 'light', 'dark'].includes(source))
      refuse(`nativeTheme.themeSource cannot be "${source}"`);
    this.#source = source;
    // Without a window: applied when it opens.
    unlessGone(thePage('nativeTheme').then(({ page }) => applyTheme(page)));
    this.emit('updated');
  }
}
const theme = new NativeTheme();
export const nativeTheme = provideOnly('nativeTheme', theme);

async function applyTheme(page: Page): Promise<void> {
  const source = theme.themeSource;
  const features = source === 'system' ? [] : [{ name: 'prefers-color-scheme', value: source }];
  await page.cdp.send('Emulation.setEmulatedMedia', { features });
}
fromPage.on('opened', (page: Page) => unlessGone(applyTheme(page)));
fromPage.on('dark', (isDark: boolean) => {
  if (theme.themeSource !== 'system' || isDark === systemIsDark) return;
  systemIsDark = isDark;
  theme.emit('updated');
});

export const screen = provideOnly('screen', {
  getAllDisplays: (): Pick<Electron.Display, 'workArea' | 'bounds'>[] => {
    theChromium('screen');
    return [{ workArea: display, bounds: display }];
  },
});

beforeReady(async ({ browser, session, targetId }) => {
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const { result } = await session(sessionId).send('Runtime.evaluate', {
    expression: `({ isDark: matchMedia('(prefers-color-scheme: dark)').matches, display: {
      x: screen.availLeft, y: screen.availTop, width: screen.availWidth, height: screen.availHeight } })`,
    returnByValue: true,
  });
  ({ isDark: systemIsDark, display } = result.value as { isDark: boolean; display: Electron.Rectangle });
  await browser.send('Target.detachFromTarget', { sessionId });
});
