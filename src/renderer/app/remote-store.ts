import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type AppError } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';

export type RemoteState<T> = { value: T | null; error: AppError | null };

/** A value from main: null until it is first loaded; an error keeps the previous value. */
export type RemoteStore<T> = {
  store: StoreApi<RemoteState<T>>;
  /** Subscribes and loads. @returns stops */
  start: () => () => void;
  /** Reloads. Resolves when an answer requested after this call has arrived. */
  refresh: () => Promise<void>;
};

type Options<T> = {
  /** Calls `changed` for each event, with its revision if it has one. @returns unsubscribes */
  subscribe: (changed: (revision?: number) => void) => () => void;
  load: () => Promise<T>;
  /** Omit if answers cannot arrive out of order. */
  revisionOf?: (value: T) => number;
};

/**
 * Subscribes first, then loads; events and answers that are not newer than the value are dropped, and events that
 * arrive during a load cause a single reload.
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

/** Calls `hear` with the current value and each later one. @returns stops */
export function followRemote<T>({ store }: RemoteStore<T>, hear: (value: T) => void): () => void {
  const { value } = store.getState();
  if (value !== null) hear(value);
  return store.subscribe(({ value: now }, { value: before }) => {
    if (now !== null && now !== before) hear(now);
  });
}

/** A remote store that lives as long as the component. `create` is called once: use a key to replace it. */
export function useOwnRemoteStore<T>(
  create: () => RemoteStore<T>,
): RemoteState<T> & Pick<RemoteStore<T>, 'refresh'> {
  const [remote] = useState(create);
  useEffect(() => remote.start(), [remote]);
  return { ...useStore(remote.store), refresh: remote.refresh };
}

/** The error of a failed call; anything unexpected becomes `unexpected`. */
export function asAppError(cause: unknown): AppError {
  return toAppError(cause) ?? { code: 'unexpected', reference: 'window' };
}
