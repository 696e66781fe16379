import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

/*
 * Values of secrets on their way to the command that asked. Node cannot say which process is at the other end of a socket, and any program
 * of this user can stand between: rename the socket, serve its old name, and pass everything on. Only the command can open the values.
 */

const cipherName = 'aes-256-gcm';
/** Every value has a key of its own, which is used once. */
const nonce = Buffer.alloc(12);
const tagBytes = 16;
/** Of a public key of X25519. */
const keyBytes = 32;

/** For one request. */
export function createValueKey() {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const own = textOf(publicKey);
  return {
    /** base64url, for the request. */
    publicKey: own,
    /** @throws if it was not sealed for this key, or was changed */
    open: (sealed: string) => {
      const bytes = Buffer.from(sealed, 'base64');
      const from = bytes.subarray(0, keyBytes).toString('base64url');
      const decipher = createDecipheriv(
        cipherName,
        sharedKey(privateKey, keyOf(from), from + own),
        nonce,
      ).setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(keyBytes, -tagBytes)), decipher.final()]);
    },
  };
}

/** base64: a public key that is used once, the encrypted value, and its tag. */
export function sealValue(value: Uint8Array, forKey: string): string {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const own = textOf(publicKey);
  const cipher = createCipheriv(cipherName, sharedKey(privateKey, keyOf(forKey), own + forKey), nonce);
  return Buffer.concat([
    Buffer.from(own, 'base64url'),
    cipher.update(value),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64');
}

function sharedKey(privateKey: KeyObject, publicKey: KeyObject, keys: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', diffieHellman({ privateKey, publicKey }), '', keys, 32));
}

function keyOf(text: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: text }, format: 'jwk' });
}

function textOf(key: KeyObject): string {
  return key.export({ format: 'jwk' }).x ?? '';
}
