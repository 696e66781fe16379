/** Files are read in pieces of this size; a smaller file is read whole. */
export const pieceBytes = 1024 * 1024;

/** More bytes are hashed by a worker; for less the message takes longer than the hash. */
export const threadFromBytes = 64 * 1024;

/** Memory of one piece, shared with the digest worker. */
export type SharedPiece = Uint8Array<SharedArrayBuffer>;

const free: SharedPiece[] = [];

/**
 * Borrows memory for a piece, pooled between files: the garbage collector does not count shared memory, so discarded
 * buffers would pile up. Callers must return it only when nothing can read from it any more.
 */
export function borrowPiece(): SharedPiece {
  return free.pop() ?? new Uint8Array(new SharedArrayBuffer(pieceBytes));
}

export function returnPiece(piece: SharedPiece): void {
  free.push(piece);
}
