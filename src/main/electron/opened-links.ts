import { app } from 'electron';
import { linkScheme } from '../object-link.ts';

export interface OpenedLinks {
  /** Call with the arguments of a start: Windows and Linux pass a link as one of them. */
  readonly readArguments: (words: readonly string[]) => void;
  /** Passes links to `open` from now on, earlier ones first. */
  readonly deliverTo: (open: (link: string) => void) => void;
}

/**
 * Call before `ready`: macOS emits `open-url` as soon as the program has started. Chromium "may add" arguments of its own and reorder
 * them (docs/api/app.md, second-instance), so any of them may be the link.
 */
export function collectLinks(): OpenedLinks {
  const early: string[] = [];
  let open = (link: string): void => void early.push(link);
  const readArguments: OpenedLinks['readArguments'] = (words) => {
    for (const word of words) if (isLink(word)) open(word);
  };
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(url);
  });
  readArguments(process.argv);
  return {
    readArguments,
    deliverTo(to) {
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
