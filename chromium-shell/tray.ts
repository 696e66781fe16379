import type * as Electron from 'electron';
import { theChromium } from './app.ts';
import { provideOnly, refuse, sayOnce, ShellEmitter } from './refuse.ts';

/** Only keeps account: Chromium shows no icon of an application. */
export class Tray extends ShellEmitter {
  #isDestroyed = false;

  constructor(image: { isEmpty: () => boolean }) {
    super('Tray', ['click', 'drop-files']);
    theChromium('Tray');
    if (image.isEmpty()) refuse('an empty picture is not shown in the notification area');
    sayOnce('the icon in the notification area is not shown');
  }
  setToolTip(): void {
    // Nothing is shown.
  }
  setContextMenu(): void {
    // Nothing is shown.
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  destroy(): void {
    this.#isDestroyed = true;
  }
}

/** An image that is never shown: only whether it is empty matters. */
class Picture {
  readonly #isEmpty: boolean;
  constructor(dataUrl: string) {
    this.#isEmpty = !dataUrl.startsWith('data:image/png;base64,iVBOR');
  }
  isEmpty(): boolean {
    return this.#isEmpty;
  }
  setTemplateImage(): void {
    // For macOS' menu bar.
  }
  addRepresentation(): void {
    // The first representation already shows that it is not empty.
  }
}

export const nativeImage = provideOnly('nativeImage', {
  createFromDataURL: (dataUrl: string) => provideOnly('NativeImage', new Picture(dataUrl)),
} satisfies { [name in keyof typeof Electron.nativeImage]?: unknown });
