import { Worker } from 'node:worker_threads';

/** Whether a thread has died of its limits, here and now. */
let areLimitsUsable = true;

/**
 * Starts a thread with little room for what is new. That it runs elsewhere says nothing of Electron, whose own tests leave
 * out Node's of `resourceLimits` in part (script/node-disabled-tests.json): where a thread cannot be started with them, or
 * dies of them, threads are started without from then on, and only need more memory.
 */
export function startHeapLimitedWorker(entry: URL, maxYoungGenerationSizeMb: number): Worker {
  if (!areLimitsUsable) return new Worker(entry);
  let worker: Worker;
  try {
    worker = new Worker(entry, { resourceLimits: { maxYoungGenerationSizeMb } });
  } catch {
    areLimitsUsable = false;
    return new Worker(entry);
  }
  worker.once('error', (cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ERR_WORKER_OUT_OF_MEMORY' || code === 'ERR_WORKER_INIT_FAILED') areLimitsUsable = false;
  });
  return worker;
}
