import { createHmac, timingSafeEqual } from 'node:crypto';

type Side = 'app' | 'command';

/** Proves to the other end of a connection that this side knows the key, without revealing it. @param nonce of the command */
export function proofOf(key: string, side: Side, nonce: string): string {
  return createHmac('sha256', key).update(`${side} ${nonce}`).digest('base64url');
}

export function isProof(given: unknown, key: string, side: Side, nonce: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(proofOf(key, side, nonce))];
  return one.length === other.length && timingSafeEqual(one, other);
}
