import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { SharedPiece } from './memory.ts';

/** What the thread is told; it carries it out in order. */
export type DigestOrder = { readonly id: number } & (
  | { readonly kind: 'add'; readonly piece: SharedPiece }
  | { readonly kind: 'end' }
  /** Nobody wants this digest any more. */
  | { readonly kind: 'drop' }
);

/** One for each `add` and each `end`, in their order. */
export interface DigestAnswer {
  readonly id: number;
  /** Hex; null: a piece was added. */
  readonly sha256: string | null;
}

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a thread');

const hashes = new Map<number, Hash>();

function hashOf(id: number): Hash {
  const found = hashes.get(id) ?? createHash('sha256');
  hashes.set(id, found);
  return found;
}

port.on('message', (order: DigestOrder) => {
  const { id } = order;
  if (order.kind === 'add') {
    hashOf(id).update(order.piece);
    port.postMessage({ id, sha256: null } satisfies DigestAnswer);
    return;
  }
  if (order.kind === 'end') port.postMessage({ id, sha256: hashOf(id).digest('hex') } satisfies DigestAnswer);
  hashes.delete(id);
});
