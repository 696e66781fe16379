import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Wraps an object's key with the master key: nonce, AES-256-GCM of the key, tag.
 * @param context what the key belongs to: it can only be unwrapped with the same context, so rows cannot be exchanged
 */
export function wrapKey(masterKey: Uint8Array, key: Uint8Array, context: string): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', masterKey, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if the master key or the context differs, or the wrapped key was changed. */
export function unwrapKey(masterKey: Uint8Array, wrapped: Uint8Array, context: string): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', masterKey, wrapped.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(wrapped.subarray(-tagBytes));
  return Buffer.concat([decipher.update(wrapped.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}
