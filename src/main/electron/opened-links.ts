import { app } from 'electron';
import { linkScheme } from '../object-link.ts';

export interface OpenedLinks {
  /** Call with the arguments of a start: Windows and Linux pass a link as one of them. */
  readonly readArguments: (words: readonly string[]) => void;
  /** From now on links go there, the earlier ones first. */
  readonly deliverTo: (open: (link: string) => void) => void;
}

/**
 * Call before `ready`: macOS emits `open-url` as soon as the program has started, and Chromium "may add" arguments of its own and reorder
 * them (docs/api/app.md, second-instance), so the link is looked for among all.
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

/** Schemes are written in any case. */
function isLink(word: string): boolean {
  return word.toLowerCase().startsWith(`${linkScheme}:`);
}

/**
 * Windows knows the scheme by the registry, for this user, where the call writes `"PROGRAM" -- "%1"` (browser_win.cc); after `--` nothing
 * in a link is read as a switch. macOS and Linux know it by the package: Info.plist and the desktop entry.
 */
export function registerLinks(): void {
  if (process.platform !== 'win32' || !app.isPackaged) return;
  app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--']);
}
