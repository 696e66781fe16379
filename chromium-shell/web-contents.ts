import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type * as Electron from 'electron';
import { isInNativeEvent } from './ipc-main.ts';
import type { Page } from './page.ts';
import { originFromShown, toShown, type PausedDocument } from './protocol.ts';
import { refuse, sayOnce, ShellEmitter, ShellEvent, unlessGone } from './refuse.ts';
import { applyPermissions } from './session.ts';
import { encode } from './wire.ts';

const pageEvents = [
  'will-navigate',
  'will-frame-navigate',
  'will-redirect',
  'will-attach-webview',
  'context-menu',
  'did-finish-load',
  'did-fail-load',
  'render-process-gone',
];

type DragItem = Omit<Electron.Item, 'icon'> & { icon: string | Pick<Electron.NativeImage, 'isEmpty'> };
type WindowOpenHandler = (details: { url: string; frameName: string }) => { action: 'deny' | 'allow' };

export class WebContents extends ShellEmitter {
  readonly #page: () => Promise<Page>;
  #url = '';
  #loading: string | null = null;
  #openHandler: WindowOpenHandler = () => ({ action: 'allow' });

  constructor(page: () => Promise<Page>) {
    super('webContents', pageEvents);
    this.#page = page;
  }
  getURL(): string {
    return this.#url;
  }
  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#openHandler = handler;
  }
  /**
   * Refuses what Electron would (`WebContents::StartDrag`), and a call that would stop Electron's Node until the button is released: it
   * runs a nested loop, in which Node goes on only if it is called directly from a native event. Chromium's protocol cannot start a native
   * drag, so this only names the files, and returns at once.
   */
  startDrag({ file, files = [file], icon }: DragItem): void {
    if (typeof icon === 'string' || icon.isEmpty()) refuse("Must specify non-empty 'icon' option");
    if (files.length === 0 || files.some((path) => !isAbsolute(path) || !existsSync(path)))
      refuse("Must specify either 'file' or 'files' option");
    if (!isInNativeEvent())
      refuse(
        'startDrag must be called within a listener of ipcMain, before any await: else Electron stands still',
      );
    process.stderr.write(`chromium-shell: would drag ${JSON.stringify(files)}\n`);
  }
  send(channel: string, ...args: unknown[]): void {
    const text = encode(args);
    // Without a page Electron drops the message too.
    unlessGone(this.#page().then((page) => page.call('event', [channel, text])));
  }
  reload(): void {
    this.#loading = this.#url;
    unlessGone(this.#page().then((page) => page.cdp.send('Page.reload')));
  }
  async loadURL(address: string): Promise<void> {
    const url = new URL(address).href;
    const page = await this.#page();
    this.#url = url;
    this.#loading = url;
    const shownOrigin = new URL(toShown(url)).origin;
    await applyPermissions(this, originFromShown(shownOrigin), shownOrigin);
    const { errorText } = await page.cdp.send('Page.navigate', { url: toShown(url) });
    if (!errorText) return;
    const code = errorText === 'net::ERR_ABORTED' ? -3 : -2;
    this.emit('did-fail-load', {}, code, errorText.replace('net::', ''), url, true);
    throw new Error(`${errorText} (${code}) loading '${url}'`);
  }
  /** Whether a document may load, requested by `loadURL`, a reload, or a navigation of the page. */
  mayLoad({ url, frameId, isRedirect }: PausedDocument, mainFrameId: string): boolean {
    const isMainFrame = frameId === mainFrameId;
    if (isMainFrame && url === this.#loading) {
      this.#loading = null;
      return true;
    }
    const permits = (name: string) => {
      const event = Object.assign(new ShellEvent(), { url, isMainFrame, isSameDocument: false });
      this.emit(name, event, url);
      return !event.defaultPrevented;
    };
    if (isRedirect) return permits('will-redirect');
    // In Electron's order; after a prevented event the rest is not emitted.
    return permits('will-frame-navigate') && (!isMainFrame || permits('will-navigate'));
  }
  navigated(url: string): void {
    this.#url = url;
  }
  /** Handles a window that the page opens; it is always closed again. */
  wantsWindow(url: string): void {
    if (this.#openHandler({ url, frameName: '' }).action === 'allow')
      sayOnce('a second window is not provided');
  }
}
