import type { Actions } from './actions.ts';
import type { Enqueue } from './queue/enqueue.ts';
import type { Scheduler } from './queue/scheduler.ts';
import type { createSecretMemory } from './queue/secret-memory.ts';

/** Starts requests for secrets at once, because the user waits for them. */
export interface SecretRequests {
  readonly store: Enqueue['storeSecret'];
  /**
   * Downloads a secret by a deferred request; the value is held in memory and given only to the caller. An abort cancels it.
   * @throws AppFailure of the service or of the expired window
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
