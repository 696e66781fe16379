import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { AppFailure } from '../../../shared/app-failure.ts';

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
export function markOf(key: Uint8Array): Buffer {
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

export function damaged(cause?: unknown): AppFailure {
  return new AppFailure({ code: 'keptUnreadable', problem: 'damaged' }, { cause });
}
