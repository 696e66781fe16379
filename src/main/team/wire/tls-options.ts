import type tls from 'node:tls';
import { createSecurity } from '../../service/certificates.ts';
import type { TeamPlace } from '../place.ts';

/**
 * Always verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says.
 * @throws AppFailure badAuthorityFile, badClientCertificate
 */
export function tlsOptionsOf(
  { authority, clientCertificate: file }: TeamPlace,
  passphrase: string | null,
): tls.ConnectionOptions {
  const certificate =
    file?.form === 'pfx'
      ? { pfx: Buffer.from(file.base64, 'base64'), passphrase }
      : file && { pem: file.text, passphrase };
  return { ...createSecurity(authority ?? undefined, certificate ?? undefined), rejectUnauthorized: true };
}
