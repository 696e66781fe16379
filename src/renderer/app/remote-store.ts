import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type AppError } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';

export type RemoteState<T> = { value: T | null; error: AppError | null };

/** What main says, kept here: `value` is null until the first answer; an error keeps the value before it. */
export type RemoteStore<T> = {
  store: StoreApi<RemoteState<T>>;
  /** Subscribes and loads; answers a function that stops. */
  start: () => () => void;
  /** Asks again. Resolves when an answer that was asked for after this call has arrived. */
  refresh: () => Promise<void>;
};

type Options<T> = {
  /** Calls `changed` for each event, with its revision when it has one; answers a function that stops. */
  subscribe: (changed: (revision?: number) => void) => () => void;
  load: () => Promise<T>;
  /** Leave it out where nothing can arrive out of order. */
  revisionOf?: (value: T) => number;
};

/**
 * Subscribes first, then loads; an event or answer that is not newer than what is shown is dropped, and events that
 * arrive while an answer is on its way cost one more question, not one each.
 */
export function createRemoteStore<T>({ subscribe, load, revisionOf }: Options<T>): RemoteStore<T> {
  const store = createStore<RemoteState<T>>(() => ({ value: null, error: null }));
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function shownRevision(): number {
    const { value } = store.getState();
    return value === null || revisionOf === undefined ? -Infinity : revisionOf(value);
  }

  async function ask(): Promise<void> {
    try {
      const value = await load();
      if (revisionOf === undefined || revisionOf(value) >= shownRevision())
        store.setState({ value, error: null });
    } catch (cause) {
      store.setState({ error: asAppError(cause) });
    }
  }

  function refresh(): Promise<void> {
    if (running === null) {
      running = ask().finally(() => {
        running = null;
      });
      return running;
    }
    next ??= running.then(() => {
      next = null;
      return refresh();
    });
    return next;
  }

  function start(): () => void {
    const stop = subscribe((changedTo) => {
      if (changedTo === undefined || changedTo > shownRevision()) void refresh();
    });
    void refresh();
    return stop;
  }

  return { store, start, refresh };
}

/** Calls `hear` with what it holds, and with each value after that; answers a function that stops. */
export function followRemote<T>({ store }: RemoteStore<T>, hear: (value: T) => void): () => void {
  const { value } = store.getState();
  if (value !== null) hear(value);
  return store.subscribe(({ value: now }, { value: before }) => {
    if (now !== null && now !== before) hear(now);
  });
}

/** A remote that lives as long as the component. `create` is called once: give the component a key. */
export function useOwnRemoteStore<T>(
  create: () => RemoteStore<T>,
): RemoteState<T> & Pick<RemoteStore<T>, 'refresh'> {
  const [remote] = useState(create);
  useEffect(() => remote.start(), [remote]);
  return { ...useStore(remote.store), refresh: remote.refresh };
}

/** What a failed call is told as; anything that was not thrown on purpose is `unexpected`. */
export function asAppError(cause: unknown): AppError {
  return toAppError(cause) ?? { code: 'unexpected', reference: 'window' };
}
