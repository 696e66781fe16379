import { pathToFileURL } from 'node:url';
import { clipboard, ClipboardItem, nativeImage, type BrowserWindow, type NativeImage } from 'electron';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Desktop, Log } from '../ports.ts';
import { isWayland } from './system-clipboard.ts';

/** A document (`text` of the window's icons) at 32 and 64 pixels, as PNG in base64. */
const document = {
  once: 'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAB/ElEQVR4nOyWvUsjQRjGn3ezCYcxOdAjd9zBIcJ9INjcnRCUKzywOf0T/ACxEFSCaCzsjSAqiFhqoSA2doqgpV8gaCEoiIqVhV8oiiIYZ5yJiYhOkt11JIX5wfIuzPu+++zMMztrIMMYyDAZF2CmGswJN/0yySgF6APSwDmuwNwjF319x7ABJRvwhVu6DKJO2ECI2L5109/LyMCB1RqlAH9bqIRcfEXe//v+EyVfC1L1wMLuNhb3dh2JUC+BwYMy/C8qxnhdA9LRLa6EACJ8M6N8ydsZKrUiQm1CQr4MxZ+/wApE9xNZHyxDQV6stDAu4mO6Wq27IODzY7ap1ZYILQK4WPhEDOT6bInQOgPSjN1zMxheXkC5MG+cQtcNn89tbwyoakxoIMfjiUVpxIQZHyON6YJbujnyKgKq/wTBGMN1NPpsLLFFOZFHVatFQL7Xi9byCuXY4y2qInsYWV6Cua1N1IyOiHW+SZn3znRjrLYeFT+KoFWAhHFmKY+Sn3HOBcg3Ooz0QzdZE2oxoV3jORIgSWVCO8ZzJOCNmZDjRIado0O8lIce8Z5PMdXPZ2sktE1vrPPQ5AR98r+HE/bPTmM9xC3JnqqcpM7xd7RMCWNVQgMcfPq8Z7AKdgRIfOHmMvHD+Vuk5cHZo485Y6sXvUPLyTKc7R2NZD/FdwAAAP//db7HMgAAAAZJREFUAwDBM7GsfADJ/gAAAABJRU5ErkJggg==',
  twice:
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAADBElEQVR4nOzbUUhTURwG8O/MTEfbXJhOeqkgaxBBFDXUJ4NMDSzqoSKwl3qQ0IxYGUQgFOFGQW3lQz5E1GNgQZIRREGDQZQgVNReeki0IGqStNV2OlcYrOly53rP3Z3n/EDxuN27e77de+7/jDMbJGeD5FQAkJwKAJKTPoBl0Ku31+0qT50CIQ0A3UpAqmEQCrxjvy/FA6F7EIxAB5e/p5VteZtt7IFAaYrj08HrQxCoDJyq/N0thJDHrPMOCEYIOpY3+j4nI9HXEIQrgKq+rpWU2p6yAIR3PkMLobLJN5V4GX0FAbjGAJoq72QHVJdp1zqc6G/vwM4NXnicLiyW++zJfA8NsjOP/AiGBmEwrrsAO+2bstsDew/g8LYdhnR+4RcnN1kIXTAYVwCU0H8CaK73wlQCQuA8A8jq7LbbbodI1/YfnPtPFoLT33MMBrF0IXTU1zhvCDaCW0aFYPlKUHQIJVEKiwyhZOYCokIoqcmQiBBKbjZodAj6Z4Mm+E9lOC8tBJe/OxkPhu4UvA2WGDZP6ed5vqUC8HrqYIC1PE+2VAB9u9qwrnoVzGSpMWDf5i2zP7x4x4ps6kNRSE4FAMmpACA5IbfB4fExXBx9hNjXLzDC+ppanN+9R9ctciFCzoDLT0YM67xG25e2TxHUGAABzrW0G1rSapeAtk8RhIwBekvaYlCXACSnAoDkVCUIAfRWgiIrvnwsVQmKrPjyUWMABNBbCYqs+PJRlSAkpwKA5PgWSQFT2e1vMz9RbLnHQCmdBAe+M4DiTXbzRewDiu35nGMgXKtK+RZKAmMEaM20zzy4j2Qqheb6jahxOGGmyXgczz6+x4WRhzmPUK4AuBZLV54+saairGyc/WlubwtF8f03SW+aCYQnCt2E6xL4deXGpzTSnbAoaksf4um8hvsuMB0ID1OKttwBsZgo6IR2TPGB8Cg4cS+X1yQi0Vhie8NQhS39B4Qk2NDrJISsgIlm3wBKI+z178ZhP5IIXn0LHXR9YWIpUYUQJKcCgORUAJDcXwAAAP//zw8eUQAAAAZJREFUAwBEz+D/S5tpGAAAAABJRU5ErkJggg==',
};

type Window = Pick<BrowserWindow, 'isDestroyed' | 'isFocused'> & {
  webContents: Pick<BrowserWindow['webContents'], 'startDrag'>;
};

export interface TakeOut extends Pick<
  Desktop,
  'setDragFiles' | 'checkFileClipboard' | 'writeFilesToClipboard'
> {
  /**
   * Lets the system drag the files, starting at the pointer, whose button is held down. Call directly in the event of a message of the
   * page: on Linux and Windows it returns when the button is released (`DragFileItems` in `drag_util_views.cc` runs a nested loop).
   * Called from a callback of Node (a timer, `setImmediate`), Node stands still until then, and called after an `await` every promise does.
   */
  readonly startDrag: () => void;
}

/** Hands files to other programs, by the system's drag and drop and its clipboard. */
export function createTakeOut(getWindow: () => Window | null, log: Pick<Log, 'info' | 'warn'>): TakeOut {
  let dragFiles: readonly string[] = [];

  function checkFileClipboard(): void {
    if (isWayland() && !getWindow()?.isFocused())
      throw new AppFailure({ code: 'notTakenOut', problem: 'unfocused' });
  }

  return {
    setDragFiles(paths) {
      dragFiles = paths;
    },
    startDrag() {
      const files = [...dragFiles];
      dragFiles = [];
      const [file] = files;
      const window = getWindow();
      if (file === undefined || window === null || window.isDestroyed()) return;
      log.info('files are dragged', { count: files.length });
      try {
        keepPromisesGoing(() => window.webContents.startDrag({ file, files, icon: makeIcon() }));
        log.info('startDrag has returned');
      } catch (cause) {
        log.warn('a drag could not be started', { cause });
      }
    },
    checkFileClipboard,
    async writeFilesToClipboard(paths) {
      checkFileClipboard();
      await clipboard.write([new ClipboardItem(formatsOf(process.platform, paths))]);
    },
  };
}

/** In ms: how long a promise waits at most. */
const promisesMs = 5;

/**
 * In a nested loop Node runs its callbacks, but leaves ticks and promises to the end of the outermost one (`InternalCallbackScope::Close`),
 * which is the end of the drag. Between two immediates it runs them in any case.
 */
function keepPromisesGoing(nested: () => void): void {
  const pump = setInterval(() => {
    for (const _ of ['before', 'after']) setImmediate(() => undefined);
  }, promisesMs);
  try {
    nested();
  } finally {
    clearInterval(pump);
  }
}

/**
 * `text/uri-list` is what each system's file manager pastes as files: CF_HDROP on Windows, NSFilenamesPboardType on macOS (Electron's
 * docs/api/clipboard-item.md, *Files*). Older ones of GNOME and its relatives read their own format instead.
 */
function formatsOf(platform: NodeJS.Platform, paths: readonly string[]): Record<string, Blob> {
  const urls = paths.map((path) => pathToFileURL(path, { windows: platform === 'win32' }).href);
  return {
    'text/uri-list': new Blob([urls.join('\r\n')]),
    ...(platform === 'linux' && {
      'electron application/osclipboard;format="x-special/gnome-copied-files"': new Blob([
        ['copy', ...urls].join('\n'),
      ]),
    }),
  };
}

function makeIcon(): NativeImage {
  const image = nativeImage.createFromDataURL(`data:image/png;base64,${document.once}`);
  image.addRepresentation({ scaleFactor: 2, dataURL: `data:image/png;base64,${document.twice}` });
  return image;
}
