import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { AppFailure } from '../../shared/app-failure.ts';
import { createRemoteStore } from './remote-store.ts';

type Answer = { revision: number; text: string };

function createScene() {
  const waiting: PromiseWithResolvers<Answer>[] = [];
  let changed: (revision?: number) => void = () => undefined;
  const stopped = vi.fn<() => void>();
  const remote = createRemoteStore<Answer>({
    subscribe: (listener) => {
      changed = listener;
      return stopped;
    },
    load: () => {
      const answer = Promise.withResolvers<Answer>();
      waiting.push(answer);
      return answer.promise;
    },
    revisionOf: ({ revision }) => revision,
  });
  const shown = () => remote.store.getState().value;
  return { remote, waiting, shown, stopped, change: (revision?: number) => changed(revision) };
}

describe('remote', () => {
  it('subscribes before loading, and reloads once after events in between', async () => {
    const { remote, waiting, shown, change } = createScene();
    remote.start();
    change(2);
    change(3);
    change(3);
    expect(waiting).toHaveLength(1);
    waiting[0]?.resolve({ revision: 1, text: 'old' });
    await waitFor(() => expect(waiting).toHaveLength(2));
    waiting[1]?.resolve({ revision: 3, text: 'new' });
    await waitFor(() => expect(shown()?.text).toBe('new'));
    expect(waiting).toHaveLength(2);
  });

  it('does not ask for what it shows already, nor take an older answer', async () => {
    const { remote, waiting, shown, change } = createScene();
    remote.start();
    waiting[0]?.resolve({ revision: 5, text: 'five' });
    await waitFor(() => expect(shown()?.text).toBe('five'));
    change(5);
    expect(waiting).toHaveLength(1);
    const refreshed = remote.refresh();
    waiting[1]?.resolve({ revision: 4, text: 'four' });
    await refreshed;
    expect(shown()?.text).toBe('five');
  });

  it('keeps the value after an error, and stops', async () => {
    const { remote, waiting, shown, stopped } = createScene();
    const stop = remote.start();
    waiting[0]?.resolve({ revision: 1, text: 'one' });
    await waitFor(() => expect(shown()?.text).toBe('one'));
    const refreshed = remote.refresh();
    waiting[1]?.reject(new AppFailure({ code: 'notReady' }));
    await refreshed;
    expect(remote.store.getState()).toEqual({
      value: { revision: 1, text: 'one' },
      error: { code: 'notReady' },
    });
    stop();
    expect(stopped).toHaveBeenCalledOnce();
  });
});
