import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type * as Electron from 'electron';
import { beforeReady, theChromium } from './app.ts';
import type { Page } from './page.ts';
import { provideOnly, refuse, sayOnce, ShellEmitter, unlessGone } from './refuse.ts';
import { withPermission } from './session.ts';
import { fromPage, thePage } from './the-page.ts';

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
