import { provideOnly, refuse } from './refuse.ts';

/** Chromium's window cannot be hidden, so there is nothing a tray could bring back. */
export class Tray {
  constructor() {
    refuse('a tray is not provided');
  }
}
export const nativeImage = provideOnly('nativeImage', {});
