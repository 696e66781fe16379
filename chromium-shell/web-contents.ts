import type { Page } from './page.ts';
import { originFromShown, toShown, type PausedDocument } from './protocol.ts';
import { sayOnce, ShellEmitter, ShellEvent, unlessGone } from './refuse.ts';
import { applyPermissions } from './session.ts';
import { encode } from './wire.ts';

const pageEvents = [
  'will-navigate',
  'will-frame-navigate',
  'will-redirect',
  'will-attach-webview',
  'did-finish-load',
  'render-process-gone',
];

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
  send(channel: string, ...args: unknown[]): void {
    const text = encode(args);
    // Without a page (yet, or any more) Electron drops the message as well.
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
    if (errorText) throw new Error(`${errorText} loading '${url}'`);
  }
  /** A document is asked for: our own loading, a reload, or a navigation that the page wants. */
  mayLoad({ url, frameId, isRedirect }: PausedDocument, mainFrameId: string): boolean {
    const isMainFrame = frameId === mainFrameId;
    if (isMainFrame && (url === this.#loading || url === this.#url)) {
      this.#loading = null;
      return true;
    }
    const event = Object.assign(new ShellEvent(), { url, isMainFrame, isSameDocument: false });
    if (isRedirect) this.emit('will-redirect', event, url);
    else if (isMainFrame) this.emit('will-navigate', event, url);
    if (!isRedirect) this.emit('will-frame-navigate', event, url);
    return !event.defaultPrevented;
  }
  navigated(url: string): void {
    this.#url = url;
  }
  /** A window that the page wants to open. It is always closed again: there is one window. */
  wantsWindow(url: string): void {
    if (this.#openHandler({ url, frameName: '' }).action === 'allow')
      sayOnce('a second window is not provided');
  }
}
