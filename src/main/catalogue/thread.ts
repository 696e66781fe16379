import { startHeapLimitedWorker } from '../lib/heap-limited-worker.ts';
import { connect, makeRoom, type Ask, type ThreadGone } from './worker-rpc.ts';
import type { FileRoom } from './worker.ts';

/** A thread that the catalogue can be opened on. */
export interface Thread {
  readonly ask: Ask;
  readonly file: FileRoom;
  /** Resolves when it has ended, however that came. */
  readonly ended: Promise<ThreadGone>;
  terminate(): Promise<void>;
}

/** In the bundle the entry stands beside the main file; in tests Node runs the source. */
export function startThread(nowMs: () => number, onEvent: (event: unknown) => void): Thread {
  const entry = import.meta.url.endsWith('.ts') ? './worker.ts' : './catalogue-worker.js';
  const worker = startHeapLimitedWorker(new URL(entry, import.meta.url), 8);
  const { ask, ended } = connect(worker, nowMs, onEvent);
  return {
    ask,
    ended,
    file: makeRoom<FileRoom>(ask, 'file', { open: true, replace: true, copy: true, close: true }),
    async terminate() {
      await worker.terminate();
    },
  };
}
