import type * as Electron from 'electron';
import { provideOnly, refuse } from './refuse.ts';

/** Chromium's window cannot be hidden, so a tray icon would have nothing to show. */
export class Tray {
  constructor() {
    refuse('a tray is not provided');
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
  addRepresentation(): void {
    // The first representation already shows that it is not empty.
  }
}

export const nativeImage = provideOnly('nativeImage', {
  createFromDataURL: (dataUrl: string) => provideOnly('NativeImage', new Picture(dataUrl)),
} satisfies { [name in keyof typeof Electron.nativeImage]?: unknown });
