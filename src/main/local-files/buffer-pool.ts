/** A file goes in pieces of this size; one that is not larger goes whole. */
export const pieceBytes = 1024 * 1024;

/** The digest of more is another thread's; for less the way there takes longer than the work. */
export const threadFromBytes = 64 * 1024;

/** Memory of one piece that the digest worker reads too. */
export type SharedPiece = Uint8Array<SharedArrayBuffer>;

const free: SharedPiece[] = [];

/**
 * Memory for a piece, kept between files: the garbage collector does not count what is shared, so that what is thrown away
 * would pile up. Whoever borrowed it gives it back only when nobody can read from it any more.
 */
export function borrowPiece(): SharedPiece {
  return free.pop() ?? new Uint8Array(new SharedArrayBuffer(pieceBytes));
}

export function returnPiece(piece: SharedPiece): void {
  free.push(piece);
}
