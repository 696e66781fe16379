import type { Task } from '../../../shared/domain/task.ts';
import { useClient } from '../../app/client.ts';
import { createRemoteStore, useOwnRemoteStore } from '../../app/remote-store.ts';

/** Running and recently ended bulk operations; null before the first answer. */
export function useTasks(): readonly Task[] | null {
  const client = useClient();
  const { value } = useOwnRemoteStore(() =>
    createRemoteStore({
      subscribe: (changed) => client.on('tasks.changed', ({ revision }) => changed(revision)),
      load: () => client.call('tasks.list'),
      revisionOf: ({ revision }) => revision,
    }),
  );
  return value?.tasks ?? null;
}
