import { app } from 'electron';
import { linkScheme } from '../object-link.ts';

/**
 * Call before `ready`: macOS emits `open-url` as soon as the program has started. Chromium "may add" arguments of its own and reorder
 * them (docs/api/app.md, second-instance), so any of them may be the link.
 */
export function collectLinks() {
  const early: string[] = [];
  let open = (link: string): void => void early.push(link);
  const readArguments = (words: readonly string[]) => {
    for (const word of words) if (isLink(word)) open(word);
  };
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(url);
  });
  readArguments(process.argv);
  return {
    /** Call with the arguments of a start: Windows and Linux pass a link as one of them. */
    readArguments,
    /** Passes links there from now on, earlier ones first. */
    deliverTo(to: (link: string) => void) {
      open = to;
      for (const link of early.splice(0)) to(link);
    },
  };
}

/** Schemes are case-insensitive. */
function isLink(word: string): boolean {
  return word.toLowerCase().startsWith(`${linkScheme}:`);
}

/**
 * Registers the scheme on Windows, for this user: Electron writes `"PROGRAM" -- "%1"` to the registry (browser_win.cc); after `--` nothing
 * in a link is read as a switch. On macOS and Linux the package registers it, in Info.plist and the desktop entry.
 */
export function registerLinks(): void {
  if (process.platform !== 'win32' || !app.isPackaged) return;
  app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--']);
}
