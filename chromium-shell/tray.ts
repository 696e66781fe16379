import { provideOnly, refuse } from './refuse.ts';

/** Chromium's window cannot be hidden, so a tray icon would have nothing to show. */
export class Tray {
  constructor() {
    refuse('a tray is not provided');
  }
}
export const nativeImage = provideOnly('nativeImage', {});
