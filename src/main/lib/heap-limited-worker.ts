import type { Worker, WorkerOptions } from 'node:worker_threads';
import { startThread } from './start-thread.ts';

/** false once a thread could not be started with limits, or died of them. */
let areLimitsUsable = true;

/**
 * Starts a thread with a small young generation. Electron's own tests skip some of Node's for `resourceLimits`
 * (script/node-disabled-tests.json), so it may not work there: once a thread could not be started with limits, or
 * died of them, threads start without limits, which only costs memory. In the command, the option that `bin/coffer`
 * gives Node goes before this one.
 */
export function startHeapLimitedWorker(
  entry: URL,
  maxYoungGenerationSizeMb: number,
  options: WorkerOptions = {},
): Worker {
  if (!areLimitsUsable) return startThread(entry, options);
  let worker: Worker;
  try {
    worker = startThread(entry, { ...options, resourceLimits: { maxYoungGenerationSizeMb } });
  } catch {
    areLimitsUsable = false;
    return startThread(entry, options);
  }
  worker.once('error', (cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ERR_WORKER_OUT_OF_MEMORY' || code === 'ERR_WORKER_INIT_FAILED') areLimitsUsable = false;
  });
  return worker;
}
