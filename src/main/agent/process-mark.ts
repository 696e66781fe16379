import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { writeFileSync } from '../local-files/fs.ts';

/*
 * How the app knows which process asks for secrets, on Linux. The process makes a key, takes on its digest as its name (comm in proc(5)),
 * and signs what it asks for. Only code that runs in a process can set its name, and a program begins with a name of its own (execve(2)):
 * unlike an open file or a connection, it cannot be handed over.
 */

/** The kernel keeps 15 bytes of a name (TASK_COMM_LEN): 90 bits of the digest. */
const maxNameBytes = 15;

/** What a request asks for. `key`: of its values, see sealed-value.ts; null: they are only copied to the clipboard. */
export interface SecretsRequest {
  readonly ticket: string;
  readonly key: string | null;
  readonly serviceId: string;
  readonly secrets: { name: string; identifier: string }[];
}

/** Both in base64url. */
export interface Signature {
  readonly signer: string;
  readonly signature: string;
}

let ownKey: { readonly signer: string; readonly sign: (bytes: Buffer) => Buffer } | null = null;

/** Of this process, until it ends. */
function keyOfProcess(): NonNullable<typeof ownKey> {
  if (ownKey) return ownKey;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const signer = publicKey.export({ format: 'jwk' }).x ?? '';
  return (ownKey = { signer, sign: (bytes) => sign(null, bytes, privateKey) });
}

export function signRequest(request: SecretsRequest): Signature {
  const { signer, sign: signBytes } = keyOfProcess();
  return { signer, signature: signBytes(bytesOf(request)).toString('base64url') };
}

export function isSigned(request: SecretsRequest, { signer, signature }: Signature): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: signer }, format: 'jwk' });
  return verify(null, bytesOf(request), key, Buffer.from(signature, 'base64url'));
}

/** The name of a process that signs with this key. */
export function markOf(signer: string): string {
  return createHash('sha256').update(signer).digest('base64url').slice(0, maxNameBytes);
}

/** Gives this process the name that goes with its key. */
export function markProcess(): void {
  writeFileSync('/proc/self/comm', markOf(keyOfProcess().signer));
}

function bytesOf({ ticket, key, serviceId, secrets }: SecretsRequest): Buffer {
  const asked = secrets.map(({ name, identifier }) => [name, identifier]);
  return Buffer.from(JSON.stringify([ticket, key, serviceId, asked]));
}
