import type { Actions } from './actions.ts';
import type { Enqueue } from './queue/enqueue.ts';
import type { Scheduler } from './queue/scheduler.ts';
import type { createSecretMemory } from './queue/secret-memory.ts';

/** Secrets are started at once: a person waits for them. */
export interface SecretRequests {
  readonly store: Enqueue['storeSecret'];
  /**
   * A deferred download whose result is held in memory and given to the caller alone. An abort stops following.
   * @throws AppFailure what the service or the window said
   */
  readonly read: (objectId: number, signal: AbortSignal) => Promise<Uint8Array>;
}

export function createSecretRequests(deps: {
  enqueue: Pick<Enqueue, 'storeSecret' | 'readSecret'>;
  scheduler: Pick<Scheduler, 'takeNow'>;
  actions: Pick<Actions, 'cancel'>;
  secrets: Pick<ReturnType<typeof createSecretMemory>, 'abandon'>;
}): SecretRequests {
  const { enqueue, scheduler, actions, secrets } = deps;
  return {
    async store(serviceId, secret) {
      const stored = await enqueue.storeSecret(serviceId, secret);
      await scheduler.takeNow(serviceId, stored.id);
      return stored;
    },
    async read(objectId, signal) {
      signal.throwIfAborted();
      const { id, serviceId, value } = await enqueue.readSecret(objectId);
      const onAbort = () => {
        secrets.abandon(id);
        void actions.cancel({ kind: 'ids', ids: [id] });
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      else await scheduler.takeNow(serviceId, id);
      try {
        return await value;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
