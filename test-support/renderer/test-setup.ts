import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(() => {
  cleanup();
  // What React Aria says to screen readers would stay for seven seconds.
  for (const log of document.querySelectorAll('[data-live-announcer] [role=log]')) log.replaceChildren();
});

/** What jsdom lacks and React Aria or our own measuring asks for. */
class NoResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
globalThis.ResizeObserver ??= NoResizeObserver;
Element.prototype.scrollIntoView = () => {};
globalThis.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  });
/** jsdom loads no fonts. Whoever waits for them does so once for all the files of this process. */
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() });
/** jsdom paints nothing, and says so each time it is asked. */
HTMLCanvasElement.prototype.getContext = () => null;
