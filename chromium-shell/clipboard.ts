import type * as Electron from 'electron';
import { isWayland } from './app.ts';
import { provideOnly, refuse, sayOnce } from './refuse.ts';
import { withPermission } from './session.ts';
import { noteWork, thePage, type OpenedPage } from './the-page.ts';

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

/** The primary selection: Chromium on Linux sets it with each non-empty text (`WritePortableTextRepresentation`). Pages cannot read it. */
let primary = '';
/** A text that GNOME has ignored, but that Chromium still returns. */
let ignored: string | null = null;

/** With the Wayland switch as on GNOME, which silently ignores what a window without the focus copies or clears. */
async function copy(copied: string): Promise<void> {
  await withClipboard('clipboard-write', async ({ page, isFocused }) => {
    ignored = isWayland() && !isFocused() ? copied : null;
    if (ignored !== null) return;
    if (copied !== '') primary = copied;
    await page.call('copy', [copied], true);
  });
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
      if (item.types.includes(text)) await copy(await (await item.getType(text)).text());
    }
  },
  clear: (): void => noteWork(copy('')),
  readText: (): Promise<string> =>
    withClipboard(
      'clipboard-read',
      async ({ page }) => ignored ?? String(await page.call('readCopied', [], true)),
    ),
  selection: {
    readText: async (): Promise<string> => primary,
    clear: (): void => {
      primary = '';
    },
  },
} satisfies { [name in keyof Electron.Clipboard]?: unknown });
