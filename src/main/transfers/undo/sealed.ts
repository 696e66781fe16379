import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { AppFailure } from '../../../shared/app-failure.ts';
import { pieceBytes as wholeBytes } from '../../local-files/buffer-pool.ts';
import { untilAborted } from '../../lib/async.ts';
import type { OpenFile } from '../../local-files/file-system.ts';
import type { BodyOptions, SourceFile } from '../../local-files/source-file.ts';

/**
 * Format of undo copies on the disk: a header, then pieces, each AES-256-GCM under a key of this file alone (HKDF of
 * the data folder's key and the file's salt). The nonce counts the pieces and marks the last, so that none can be
 * removed, repeated or moved unnoticed.
 */
const magic = Buffer.from('coffer kept 1\n');
const markBytes = 8;
const saltBytes = 16;
const tagBytes = 16;
export const keyBytes = 32;
export const headerBytes = magic.length + markBytes + saltBytes;
/** Plain bytes of a piece; only the last is shorter. */
export const pieceBytes = 256 * 1024;
export const sealedPieceBytes = pieceBytes + tagBytes;

/** Identifies the key without revealing anything of it. */
function markOf(key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('coffer kept mark').digest().subarray(0, markBytes);
}

function keyOf(key: Uint8Array, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, 'coffer kept file', keyBytes));
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 4);
  nonce.writeUInt8(Number(isLast), 11);
  return nonce;
}

export interface Sealer {
  readonly header: Buffer;
  /** Call in order; `isLast` exactly once, even if that piece is empty. */
  seal(piece: Uint8Array, isLast: boolean): Buffer;
}

export function createSealer(key: Uint8Array): Sealer {
  const salt = randomBytes(saltBytes);
  const own = keyOf(key, salt);
  let index = 0;
  return {
    header: Buffer.concat([magic, markOf(key), salt]),
    seal(piece, isLast) {
      const cipher = createCipheriv('aes-256-gcm', own, nonceOf(index, isLast));
      index += 1;
      return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
    },
  };
}

export interface Opener {
  /** In order, unless an index says which piece it is. @throws AppFailure keptUnreadable (damaged) */
  open(sealed: Uint8Array, isLast: boolean, index?: number): Buffer;
}

/** @throws AppFailure keptUnreadable: damaged, or sealed with another key */
export function createOpener(key: Uint8Array, header: Uint8Array): Opener {
  if (header.length !== headerBytes || !magic.equals(header.subarray(0, magic.length))) throw damaged();
  if (!timingSafeEqual(markOf(key), header.subarray(magic.length, magic.length + markBytes)))
    throw new AppFailure({ code: 'keptUnreadable', problem: 'key' });
  const own = keyOf(key, header.subarray(magic.length + markBytes));
  let next = 0;
  return {
    open(sealed, isLast, index = next) {
      if (sealed.length < tagBytes) throw damaged();
      const decipher = createDecipheriv('aes-256-gcm', own, nonceOf(index, isLast));
      next = index + 1;
      decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
      const piece = decipher.update(sealed.subarray(0, sealed.length - tagBytes));
      try {
        return Buffer.concat([piece, decipher.final()]);
      } catch (cause) {
        throw damaged(cause);
      }
    },
  };
}

function damaged(cause?: unknown): AppFailure {
  return new AppFailure({ code: 'keptUnreadable', problem: 'damaged' }, { cause });
}

/** The plain content of a file of the vault. */
export interface VaultBytes {
  readonly lengthBytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** An open file of the vault. */
export type VaultFile = OpenFile & {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
};

/**
 * Opens a sealed file to be sent. The last piece is sent only when all of them had the recorded length and digest: a
 * service that never gets a whole body stores nothing.
 * @throws AppFailure keptUnreadable (key, damaged); the body throws it too
 */
export async function openSealed(handle: VaultFile, key: Uint8Array, bytes: VaultBytes): Promise<SourceFile> {
  let opener: () => Opener;
  let extent: Extent;
  let inode: string;
  let mtimeMs: number;
  try {
    const header = await read(handle, 0, headerBytes);
    createOpener(key, header);
    opener = () => createOpener(key, header);
    const stats = await handle.stat({ bigint: true });
    extent = extentOf(stats);
    inode = String(stats.ino);
    mtimeMs = Number(stats.mtimeMs);
  } catch (cause) {
    await handle.close();
    throw cause;
  }
  const { lengthBytes, sha256 } = bytes;
  const { lastIndex } = extent;
  let isOut = false;

  async function* pieces({ take, onProgress, signal }: BodyOptions): AsyncGenerator<Uint8Array> {
    isOut = false;
    const sealing = opener();
    const digest = createHash('sha256');
    let doneBytes = 0;
    for (let index = 0; index <= lastIndex; index += 1) {
      const sealed = await readPiece(handle, extent, index);
      signal.throwIfAborted();
      const piece = sealing.open(sealed, index === lastIndex);
      digest.update(piece);
      await untilAborted(take?.(piece.length), signal);
      onProgress(doneBytes);
      doneBytes += piece.length;
      if (index === lastIndex && (doneBytes !== lengthBytes || digest.digest('hex') !== sha256))
        throw damaged();
      isOut = index === lastIndex;
      yield piece;
    }
    onProgress(doneBytes);
  }

  return {
    sizeBytes: lengthBytes,
    identity: { sizeBytes: lengthBytes, mtimeMs, inode },
    async body(options) {
      if (lengthBytes > wholeBytes) return pieces(options);
      const all: Uint8Array[] = [];
      for await (const piece of pieces(options)) all.push(piece);
      return Buffer.concat(all);
    },
    sha256: async () => (isOut ? sha256 : null),
    hasChanged: async () => false,
    close: () => handle.close(),
  };
}

/**
 * Measures a file without a row: the seal alone proves that it is unchanged and complete. null: its writing was not
 * finished. Closes the file.
 * @throws AppFailure keptUnreadable (key, damaged)
 */
export async function measureSealed(handle: VaultFile, key: Uint8Array): Promise<VaultBytes | null> {
  const extent = extentOf(await handle.stat({ bigint: true }));
  const { sealedBytes, lastIndex } = extent;
  try {
    if (sealedBytes < 0) return null;
    const header = await read(handle, 0, headerBytes);
    const end = await readPiece(handle, extent, lastIndex);
    if (!isEnd(createOpener(key, header), end, lastIndex)) return null;
    const opener = createOpener(key, header);
    const digest = createHash('sha256');
    let lengthBytes = 0;
    for (let index = 0; index <= lastIndex; index += 1) {
      const piece = opener.open(await readPiece(handle, extent, index), index === lastIndex);
      digest.update(piece);
      lengthBytes += piece.length;
    }
    return { lengthBytes, sha256: digest.digest('hex') };
  } finally {
    await handle.close();
  }
}

/** The end of a seal is written last. */
function isEnd(opener: Opener, sealed: Uint8Array, index: number): boolean {
  try {
    opener.open(sealed, true, index);
    return true;
  } catch {
    return false;
  }
}

interface Extent {
  readonly sealedBytes: number;
  readonly lastIndex: number;
}

function extentOf({ size }: { size: bigint }): Extent {
  const sealedBytes = Number(size) - headerBytes;
  return { sealedBytes, lastIndex: Math.max(Math.ceil(sealedBytes / sealedPieceBytes) - 1, 0) };
}

function readPiece(handle: VaultFile, { sealedBytes }: Extent, index: number): Promise<Buffer> {
  const start = index * sealedPieceBytes;
  return read(handle, headerBytes + start, Math.min(sealedPieceBytes, sealedBytes - start));
}

/** @throws AppFailure keptUnreadable (damaged) when the file is shorter */
async function read(handle: VaultFile, atBytes: number, lengthBytes: number): Promise<Buffer> {
  if (lengthBytes < 0) throw damaged();
  const into = Buffer.allocUnsafe(lengthBytes);
  for (let doneBytes = 0; doneBytes < lengthBytes;) {
    const { bytesRead } = await handle.read(into, doneBytes, lengthBytes - doneBytes, atBytes + doneBytes);
    if (bytesRead === 0) throw damaged();
    doneBytes += bytesRead;
  }
  return into;
}
