import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type * as Electron from 'electron';
import { allWindowsClosed, app, isDebugged, isWayland, quitting, theChromium } from './app.ts';
import { emptyPage } from './chromium.ts';
import { answerInvoke, deliverSend } from './ipc-main.ts';
import { keysOf, pressKey, setPointer } from './menu.ts';
import { openPage, type Page } from './page.ts';
import { fromShown, interceptRequests, toShown } from './protocol.ts';
import { checkOptions, provideOnly, refuse, sayOnce, ShellEmitter, unlessGone } from './refuse.ts';
import { requireNoDictionaries } from './session.ts';
import { fromPage, settlePageWork, setThePage } from './the-page.ts';
import { WebContents } from './web-contents.ts';
import type { FromWindow } from './window-messages.ts';

const windowOptions = [
  'x',
  'y',
  'width',
  'height',
  'minWidth',
  'minHeight',
  'title',
  'show',
  'backgroundColor',
];
/**
 * `session-end` is never emitted, which is Windows only; nor `minimize`, which Wayland does not report (electron.d.ts).
 */
const windowEvents = [
  'ready-to-show', 'show', 'hide', 'focus', 'blur', 'minimize', 'close', 'closed', 'resize', 'move',
  'session-end',
]; // oxfmt-ignore
const required = { contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false };
const pageOptions = [...Object.keys(required), 'preload', 'spellcheck', 'devTools'];

let theWindow: BrowserWindow | null = null;

export class BrowserWindow extends ShellEmitter {
  readonly webContents: WebContents;
  /** The page, once the debugger is attached. */
  readonly opened: Promise<Page>;
  #bounds: Electron.Rectangle;
  #normalBounds: Electron.Rectangle;
  #state = 'normal';
  #isDestroyed = false;
  #isFocused = true;
  /** Chromium shows its window at once; this is what Electron would report. */
  #isShown: boolean;
  readonly #minimum: { width: number; height: number };

  static getAllWindows(): BrowserWindow[] {
    return theWindow ? [theWindow] : [];
  }

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super('BrowserWindow', windowEvents);
    const chromium = theChromium('BrowserWindow');
    if (theWindow) refuse('a second window is not provided');
    requireNoDictionaries();
    const { webPreferences = {}, ...own } = options;
    this.#isShown = options.show ?? true;
    checkOptions('BrowserWindow', own, windowOptions);
    checkOptions('webPreferences', webPreferences, pageOptions);
    for (const [name, value] of Object.entries(required)) {
      const asked = webPreferences[name as keyof typeof required] ?? value;
      if (asked !== value) refuse(`webPreferences.${name} must be ${value}`);
    }
    const { preload } = webPreferences;
    if (preload !== undefined && !(isAbsolute(preload) && existsSync(preload))) {
      refuse(`preload must be the absolute path of a file: ${preload}`);
    }
    const { x = 40, y = 40, width = 800, height = 600, minWidth = 0, minHeight = 0 } = options;
    this.#minimum = { width: minWidth, height: minHeight };
    this.#bounds = { x, y, width: Math.max(width, minWidth), height: Math.max(height, minHeight) };
    this.#normalBounds = this.#bounds;
    this.opened = this.#open(preload);
    unlessGone(this.opened);
    this.webContents = provideOnly('webContents', new WebContents(() => this.opened));
    theWindow = provideOnly('BrowserWindow', this);
    setThePage(async () => ({
      page: await this.opened,
      shownOrigin: new URL(toShown(this.webContents.getURL())).origin,
      isFocused: () => this.#isFocused,
    }));
    void chromium.gone.then(() => this.#closed());
    app.emit('web-contents-created', {}, this.webContents);
    app.emit('browser-window-created', {}, theWindow);
    return theWindow;
  }

  async #open(preload: string | undefined): Promise<Page> {
    const { browser } = theChromium('BrowserWindow');
    const page: Page = await openPage(preload, {
      said: (message) => this.#said(message),
      sent: (channel, args, sender) => deliverSend(channel, args, sender, this.webContents),
      invoked: (channel, args, sender) => answerInvoke(channel, args, sender, this.webContents),
      joined: () => unlessGone(page.call('setKeys', [isDebugged() ? [] : keysOf()])),
    });
    const { cdp, targetId } = page;
    let isEmpty = true;
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId || frame.url === emptyPage) return;
      isEmpty = false;
      this.webContents.navigated(fromShown(frame.url));
    });
    cdp.on('Page.loadEventFired', () => {
      if (isEmpty) return;
      this.webContents.emit('did-finish-load');
      // On Wayland a hidden window gets no frames, so its page never paints (electron/electron#48859).
      if (!this.#isShown && !this.#isReady && !isWayland()) this.emit('ready-to-show');
      this.#isReady = true;
    });
    cdp.on('Inspector.targetCrashed', () => {
      this.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    });
    cdp.on('Page.windowOpen', ({ url }) => this.webContents.wantsWindow(fromShown(url)));
    const strangers = new Set<string>();
    browser.on('Target.targetCreated', ({ targetInfo }) => {
      if (targetInfo.type !== 'page' || targetInfo.targetId === targetId) return;
      strangers.add(targetInfo.targetId);
      unlessGone(closeStranger(targetInfo.targetId));
    });
    browser.on('Target.targetDestroyed', (gone) => {
      if (gone.targetId === targetId) this.#closed();
    });
    await interceptRequests(
      (paused) => !strangers.has(paused.frameId) && this.webContents.mayLoad(paused, targetId),
    );
    fromPage.emit('opened', page);
    await this.#setBounds(this.#bounds);
    setInterval(() => unlessGone(this.#followBounds()), 500).unref();
    return page;
  }

  #said(message: Exclude<FromWindow, { say: 'invoke' | 'send' }>): void {
    if (message.say === 'menu') pressKey(message.id, this);
    if (message.say === 'focus') this.#follow(message.isFocused);
    if (message.say === 'contextMenu') {
      const { say: _say, ...params } = message;
      setPointer(params);
      this.webContents.emit('context-menu', {}, params);
    }
    if (message.say === 'dark') fromPage.emit('dark', message.isDark);
    if (message.say === 'notificationClick') fromPage.emit('notificationClick', message.id);
  }

  #follow(isFocused: boolean): void {
    if (isFocused === this.#isFocused) return;
    this.#isFocused = isFocused;
    // Hidden means minimised here, so a person can bring it back.
    if (isFocused && this.#isReady) this.#appear();
    this.emit(isFocused ? 'focus' : 'blur');
  }

  async #setBounds({ x, y, width, height }: Electron.Rectangle): Promise<void> {
    const { browser, targetId } = theChromium('BrowserWindow');
    const { windowId } = await browser.send('Browser.getWindowForTarget', { targetId });
    await browser.send('Browser.setWindowBounds', { windowId, bounds: { left: x, top: y, width, height } });
  }
  async #setState(windowState: 'normal' | 'minimized' | 'maximized'): Promise<void> {
    await this.opened;
    const { browser, targetId } = theChromium('BrowserWindow');
    const { windowId } = await browser.send('Browser.getWindowForTarget', { targetId });
    this.#state = windowState;
    await browser.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
  }
  /** Called periodically: the protocol does not report when a person moves or resizes the window. */
  async #followBounds(): Promise<void> {
    const { browser, targetId } = theChromium('BrowserWindow');
    const { bounds } = await browser.send('Browser.getWindowForTarget', { targetId });
    const { left = 0, top = 0, width = 0, height = 0 } = bounds;
    // Wayland's toplevels have no such state, so windows are not notified of it (xdg-shell.xml, `set_minimized`).
    const isUntold = isWayland() && bounds.windowState === 'minimized';
    const windowState = isUntold ? 'normal' : (bounds.windowState ?? 'normal');
    const isResized = width !== this.#bounds.width || height !== this.#bounds.height;
    const isMoved = left !== this.#bounds.x || top !== this.#bounds.y;
    this.#bounds = { x: left, y: top, width, height };
    this.#state = windowState;
    if (windowState === 'normal') {
      this.#normalBounds = this.#bounds;
      if (width < this.#minimum.width || height < this.#minimum.height) {
        const grown = {
          width: Math.max(width, this.#minimum.width),
          height: Math.max(height, this.#minimum.height),
        };
        await this.#setBounds({ ...this.#bounds, ...grown });
      }
    }
    if (isMoved) this.emit('move');
    if (isResized) this.emit('resize');
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  #isReady = false;
  #appear(): void {
    if (this.#isShown) return;
    this.#isShown = true;
    this.emit('show');
  }
  show(): void {
    if (!this.#isShown && this.#isReady) {
      this.#state = 'normal';
      this.restore();
    }
    this.#appear();
  }
  /** Chromium cannot hide its window: it is minimised. */
  hide(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    unlessGone(this.#setState('minimized'));
    this.emit('hide');
  }
  focus(): void {
    unlessGone(this.opened.then(({ cdp }) => cdp.send('Page.bringToFront')));
  }
  maximize(): void {
    this.#appear();
    unlessGone(this.#setState('maximized'));
  }
  restore(): void {
    unlessGone(this.#setState('normal'));
  }
  isFocused(): boolean {
    return this.#isFocused;
  }
  isMaximized(): boolean {
    return this.#state === 'maximized';
  }
  isVisible(): boolean {
    return this.#isShown && !this.isMinimized();
  }
  isMinimized(): boolean {
    return this.#isShown && this.#state === 'minimized';
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  getNormalBounds(): Electron.Rectangle {
    const isWayland = app.commandLine.getSwitchValue('ozone-platform') === 'wayland';
    return isWayland ? { ...this.#normalBounds, x: 0, y: 0 } : this.#normalBounds;
  }
  setProgressBar(): void {
    // The task bar belongs to Chromium.
  }
  close(): void {
    if (this.permits('close')) this.destroy();
  }
  /** Closes without asking. */
  destroy(): void {
    const { browser, targetId } = theChromium('BrowserWindow');
    unlessGone(browser.send('Target.closeTarget', { targetId }));
    this.#hasAsked = true;
  }
  #hasAsked = false;

  /** Call when the page or Chromium has gone: the window was closed, which can no longer be prevented, or was destroyed. */
  #closed(): void {
    if (this.#isDestroyed) return;
    if (!this.#hasAsked && !isDebugged() && !this.permits('close'))
      sayOnce('close was prevented, but the window is gone');
    this.#isDestroyed = true;
    theWindow = null;
    setThePage(null);
    this.emit('closed');
    allWindowsClosed();
  }
}

/**
 * Closes a window that the page opened. Another debugger may make new pages wait for it, and their opener waits with
 * them: closing such a page at once would block the opener forever.
 */
async function closeStranger(targetId: string): Promise<void> {
  const { browser, session } = theChromium('BrowserWindow');
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  await session(sessionId).send('Runtime.runIfWaitingForDebugger');
  await browser.send('Target.closeTarget', { targetId });
}

quitting.closeWindows = async () => {
  const window = theWindow;
  if (!window) return true;
  if (!window.permits('close')) return false;
  await settlePageWork();
  const closed = new Promise<void>((resolve) => window.once('closed', resolve));
  window.destroy();
  await closed;
  return true;
};
