import { hash } from 'node:crypto';
import { join } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { removeTemporaryFile } from './finish-temporary-file.ts';
import { borrowPiece, returnPiece, threadFromBytes, type SharedPiece } from './buffer-pool.ts';
import type { WriteAnswer, WriteOrder } from './temporary-file-worker.ts';
import type { TemporaryFile, Target } from './temporary-file.ts';
import { createWorkerPool } from './worker-pool.ts';

const writers = createWorkerPool<WriteOrder, WriteAnswer>('temporary-file', 4);
let lastId = 0;

/**
 * Like `createTemporaryFile`, for bytes that fit into memory: they are gathered here, and another thread creates,
 * flushes and names the file. That takes two messages; from this thread each step would cost as much.
 * @param temporaryNames the first free one is used
 * @param lengthBytes maximum number of bytes
 */
export function createSmallTemporaryFile(
  target: Target,
  temporaryNames: readonly [string, ...string[]],
  lengthBytes: number,
): TemporaryFile {
  const id = (lastId += 1);
  const own = lengthBytes > threadFromBytes ? null : new Uint8Array(lengthBytes);
  const bytes = own ?? borrowPiece();
  let filledBytes = 0;
  let path = join(target.folder, temporaryNames[0]);
  let handed: Handed | null = null;
  let isPlaced = false;
  let discarded: Promise<void> | null = null;

  function giveBack(): void {
    if (!own) returnPiece(bytes as SharedPiece);
  }

  /** From here on the thread owns the file. */
  function handOver(): Handed {
    const writer = writers.free();
    // Small files are hashed here, so creating them is lazy: many go in one message.
    const goesAlong = own !== null;
    const ask = async (kind: 'sync' | 'publish' | 'discard') =>
      unwrap(await writer.ask({ id, kind }, { isLong: true, goesAlong: goesAlong && kind === 'sync' }));
    const whole = bytes.subarray(0, filledBytes);
    const sha256 = goesAlong ? hash('sha256', whole) : null;
    const order: WriteOrder = { id, kind: 'make', target, temporaryNames, bytes: whole };
    const made = writer.ask(order, { given: own ? [own.buffer] : [], goesAlong }).then((answer) => {
      giveBack();
      const result = unwrap(answer);
      if (!('made' in result)) throw new Error('The thread answered something else');
      path = result.made.path;
      return result.made.sha256;
    });
    // Sent in the same message.
    const syncing = ask('sync');
    const synced = made.then(() => syncing).then(() => undefined);
    // Callers that await these get the failure; there may be none.
    made.catch(() => undefined);
    syncing.catch(() => undefined);
    synced.catch(() => undefined);
    return { sha256: sha256 ?? made, made, synced, ask };
  }

  function finish(): Handed {
    if (discarded && !handed) throw new Error('Nothing is made of what was thrown away');
    return (handed ??= handOver());
  }

  async function discard(): Promise<void> {
    if (isPlaced) return;
    if (handed === null) {
      giveBack();
      return;
    }
    const { made, ask } = handed;
    const isMade = await made.then(
      () => true,
      () => false,
    );
    // The thread may have died.
    if (isMade) await ask('discard').catch(() => removeTemporaryFile(path));
  }

  return {
    get path() {
      return path;
    },
    async write(piece) {
      if (handed || discarded) throw new Error('Nothing is written after the end');
      bytes.set(piece, filledBytes);
      filledBytes += piece.length;
    },
    digest: async () => finish().sha256,
    sync: async () => finish().synced,
    async publish() {
      const { synced, ask } = finish();
      await synced;
      const answer = await ask('publish');
      if (!('placed' in answer)) throw new Error('The thread answered something else');
      isPlaced = true;
      return answer.placed;
    },
    discard: () => (discarded ??= discard()),
  };
}

interface Handed {
  readonly sha256: string | Promise<string>;
  readonly made: Promise<string>;
  readonly synced: Promise<void>;
  readonly ask: (kind: 'sync' | 'publish' | 'discard') => Promise<WriteAnswer>;
}

/** @throws the temporary file's error */
function unwrap(answer: WriteAnswer): Exclude<WriteAnswer, { failure: unknown }> {
  if (!('failure' in answer)) return answer;
  const { error, code, message } = answer.failure;
  if (error) throw new AppFailure(error);
  throw Object.assign(new Error(message), code !== undefined && { code });
}

/** Ends the threads; the next file starts one again. */
export const closeTemporaryFileWriters = writers.close;
