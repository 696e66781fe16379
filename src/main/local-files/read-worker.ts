import { codeOf } from './file-system.ts';
import type { FileStats } from './file-state.ts';
import type { SharedPiece } from './buffer-pool.ts';
import { blockingReads, readWhole, statsOf, type ReadFile } from './read-whole.ts';
import { Mutex } from '../lib/async.ts';
import { hostWorker, type Answering } from './worker-host.ts';

/** `path` is absolute. */
export type ReadOrder = { readonly id: number; readonly path: string } & (
  | {
      readonly kind: 'read';
      /** Destination of a file larger than `threadFromBytes`; one that does not fit is not read. */
      readonly memory: SharedPiece | null;
    }
  | { readonly kind: 'stat' }
);

/** `code` is that of the file system. */
export type ReadAnswer = { readonly id: number } & (
  | { readonly file: ReadFile }
  | { readonly stats: FileStats | null }
  | { readonly code: string | undefined; readonly message: string }
);

async function carryOut(order: ReadOrder): Promise<ReadAnswer> {
  const { id, path } = order;
  try {
    if (order.kind === 'read') return { id, file: await readWhole(path, order.memory, blockingReads) };
    const stats = await blockingReads.stat(path);
    return { id, stats: stats && statsOf(stats) };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return { id, code: codeOf(cause), message };
  }
}

async function answerTo(order: ReadOrder, answer: Answering<ReadAnswer>): Promise<void> {
  const done = await carryOut(order);
  const buffer = 'file' in done ? done.file.whole?.bytes.buffer : undefined;
  answer(done, buffer instanceof ArrayBuffer ? [buffer] : []);
}

const oneAtATime = new Mutex();
// Otherwise the files of all orders of a message would be open at once.
hostWorker<ReadOrder, ReadAnswer>(
  (order, answer) => void oneAtATime.runExclusive(() => answerTo(order, answer)),
);
