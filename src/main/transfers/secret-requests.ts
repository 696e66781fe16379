import { toAppError } from '../../shared/app-failure.ts';
import type { Actions } from './actions.ts';
import type { Enqueue } from './queue/enqueue.ts';
import type { Scheduler } from './queue/scheduler.ts';
import type { Clock } from '../ports.ts';
import type { createSecretMemory } from './queue/secret-memory.ts';

/** Starts requests for secrets at once, because the user waits for them. */
export interface SecretRequests {
  readonly store: Enqueue['storeSecret'];
  /**
   * Downloads a secret by a deferred request; the value is held in memory and given only to the caller. An abort cancels it.
   * One that is missing is asked for again: a service may list late what it stored. @param absentMs for how long; at least once
   * @throws AppFailure of the service or of the expired window
   */
  readonly read: (objectId: number, signal: AbortSignal, absentMs?: number) => Promise<Uint8Array>;
}

/** Between two requests for a secret that is missing, in ms: the first time, and at most. */
const askAgainMs = 3000;
const longestAskAgainMs = 30_000;

export function createSecretRequests(deps: {
  enqueue: Pick<Enqueue, 'storeSecret' | 'readSecret'>;
  scheduler: Pick<Scheduler, 'takeNow'>;
  actions: Pick<Actions, 'cancel'>;
  secrets: Pick<ReturnType<typeof createSecretMemory>, 'abandon'>;
  clock: Clock;
}): SecretRequests {
  const { enqueue, scheduler, actions, secrets, clock } = deps;

  async function readOnce(objectId: number, signal: AbortSignal): Promise<Uint8Array> {
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
  }

  return {
    async store(serviceId, secret) {
      const stored = await enqueue.storeSecret(serviceId, secret);
      await scheduler.takeNow(serviceId, stored.id);
      return stored;
    },
    async read(objectId, signal, absentMs = 0) {
      const untilMs = clock.monotonicMs() + absentMs;
      for (let times = 1; ; times += 1) {
        try {
          return await readOnce(objectId, signal);
        } catch (cause) {
          const leftMs = untilMs - clock.monotonicMs();
          if (toAppError(cause)?.code !== 'missing' || (times > 1 && leftMs <= 0)) throw cause;
          const restMs = Math.min(askAgainMs * times, longestAskAgainMs);
          await clock.delay(times === 1 ? restMs : Math.min(restMs, leftMs), signal);
        }
      }
    },
  };
}
