import { createHash, type Hash } from 'node:crypto';
import type { SharedPiece } from './buffer-pool.ts';
import { hostWorker } from './worker-host.ts';

/** Orders for the thread, carried out in sequence. */
export type DigestOrder = { readonly id: number } & (
  | { readonly kind: 'add'; readonly piece: SharedPiece }
  | { readonly kind: 'end' }
  /** This digest is no longer needed. */
  | { readonly kind: 'drop' }
);

/** One for each `add` and each `end`, in order. */
export interface DigestAnswer {
  readonly id: number;
  /** Hex; null: a piece was added. */
  readonly sha256: string | null;
}

const hashes = new Map<number, Hash>();

function hashOf(id: number): Hash {
  const found = hashes.get(id) ?? createHash('sha256');
  hashes.set(id, found);
  return found;
}

hostWorker<DigestOrder, DigestAnswer>((order, answer) => {
  const { id } = order;
  if (order.kind === 'add') {
    hashOf(id).update(order.piece);
    answer({ id, sha256: null });
    return;
  }
  if (order.kind === 'end') answer({ id, sha256: hashOf(id).digest('hex') });
  hashes.delete(id);
});
