import { cleanup, configure, prettyDOM } from '@testing-library/react';
import * as React from 'react';
import { afterEach } from 'vitest';
import { useFailure } from '../../src/renderer/app/dock-list/failure-store.ts';
import { usePlace } from '../../src/renderer/app/place.ts';
import { questionStore } from '../../src/renderer/app/question-store.ts';
import { useShownKnown } from '../../src/renderer/features/objects/shown-known.ts';
import { uploadStore } from '../../src/renderer/features/upload/upload-store.ts';

declare global {
  interface ErrorConstructor {
    /** V8's: the stack begins with the caller of `above`. */
    captureStackTrace(target: Error, above: (...args: never[]) => unknown): void;
  }
}

/**
 * Writes the page into the message only when that is read: a wait looks at each change of the page, and forgets all of these errors but
 * the last.
 */
function getElementError(message: string | null, container: Element): Error {
  const error = new Error();
  error.name = 'TestingLibraryElementError';
  Error.captureStackTrace(error, getElementError);
  const text = () => [message, prettyDOM(container)].filter(Boolean).join('\n\n');
  return Object.defineProperty(error, 'message', { get: text, configurable: true });
}

// As long as a machine that has much else to do may take.
configure({ asyncUtilTimeout: 60_000, getElementError });

/**
 * React's development build takes a stack for each element, ten thousand a second, for its warnings: a sixth of the time of these
 * tests. It stops when this counter is at its limit (react-jsx-dev-runtime: `trackActualOwner`).
 */
const internals: unknown = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
);
if (typeof internals === 'object' && internals !== null)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Infinity,
    set: () => {},
    configurable: true,
  });

type Store<S> = { getInitialState: () => S; setState: (state: S, replace: true) => void };

function reset<S>(store: Store<S>): void {
  store.setState(store.getInitialState(), true);
}

afterEach(() => {
  cleanup();
  // What is shown, and what is open over it: the next file of tests has the same stores, and would find it open.
  reset(usePlace);
  reset(useFailure);
  reset(questionStore);
  reset(useShownKnown);
  reset(uploadStore);
  // What React Aria says to screen readers would stay for seven seconds.
  for (const log of document.querySelectorAll('[data-live-announcer] [role=log]')) log.replaceChildren();
});

/*
 * jsdom draws its frames by an interval that lives as long as somebody waits for one. Begun by a clock that a test has stopped, it
 * would never come again, not in later files either.
 */
const { setTimeout: later, clearTimeout: forget } = globalThis;
globalThis.requestAnimationFrame = (draw) => {
  // jsdom, too, draws nothing after its window is gone.
  const frame = later(() => 'document' in globalThis && draw(performance.now()), 16);
  return Number(frame);
};
globalThis.cancelAnimationFrame = (frame) => forget(frame);

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
