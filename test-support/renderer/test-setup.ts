import { cleanup, configure, prettyDOM } from '@testing-library/react';
import * as React from 'react';
import { afterEach } from 'vitest';
import { useFailure } from '../../src/renderer/app/dock-list/failure-store.ts';
import { useDropFolder } from '../../src/renderer/app/drops.ts';
import { usePlace } from '../../src/renderer/app/place.ts';
import { useUndo } from '../../src/renderer/app/undo.ts';
import { conflictPromptStore } from '../../src/renderer/app/conflict-prompt-store.ts';
import { useShownKnown } from '../../src/renderer/features/objects/shown-known.ts';
import { uploadStore } from '../../src/renderer/features/upload/upload-store.ts';

declare global {
  interface ErrorConstructor {
    /** V8's: the stack starts at the caller of `above`. */
    captureStackTrace(target: Error, above: (...args: never[]) => unknown): void;
  }
}

/**
 * Adds the page to the message only when it is read: a wait checks at each change of the page, and discards all of these errors except
 * the last.
 */
function getElementError(message: string | null, container: Element): Error {
  const error = new Error();
  error.name = 'TestingLibraryElementError';
  Error.captureStackTrace(error, getElementError);
  const text = () => [message, prettyDOM(container)].filter(Boolean).join('\n\n');
  return Object.defineProperty(error, 'message', { get: text, configurable: true });
}

// As long as a very busy machine may take.
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
  // The shown place, open dialogs and what can be undone: the next test file uses the same stores.
  reset(usePlace);
  reset(useUndo);
  reset(useDropFolder);
  reset(useFailure);
  reset(conflictPromptStore);
  reset(useShownKnown);
  reset(uploadStore);
  // React Aria's announcements would stay for seven seconds.
  for (const log of document.querySelectorAll('[data-live-announcer] [role=log]')) log.replaceChildren();
});

/*
 * jsdom draws frames by an interval that exists while a callback is pending. If a test's fake clock starts it, it never
 * fires again, not in later files either.
 */
const { setTimeout: later, clearTimeout: forget } = globalThis;
globalThis.requestAnimationFrame = (draw) => {
  // Like jsdom, draw nothing after the window is gone.
  const frame = later(() => 'document' in globalThis && draw(performance.now()), 16);
  return Number(frame);
};
globalThis.cancelAnimationFrame = (frame) => forget(frame);

/** Stubs of browser features that jsdom lacks and React Aria or our measuring need. */
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
/** jsdom loads no fonts. A listener is added once for all test files of the process. */
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() });
/** jsdom cannot paint, and would warn at each call. */
HTMLCanvasElement.prototype.getContext = () => null;
