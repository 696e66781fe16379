import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { AppFailure, type AppError, type AppErrorOf } from '../../shared/errors.ts';

/**
 * Whom to trust: the bundled roots, those of the system, and the profile's own. `ca` alone would replace the others.
 * @param authorities the text of a PEM file, or undefined
 */
export function createTrust(authorities: string | undefined): tls.SecureContext {
  return tls.createSecureContext({
    ca: [
      ...new Set([
        ...tls.getCACertificates('default'),
        ...tls.getCACertificates('system'),
        ...readPem(authorities),
      ]),
    ],
  });
}

/** Throws badAuthorityFile (with an empty file name: it is not known here) when the text holds no usable certificate. */
export function readPem(authorities: string | undefined): string[] {
  if (authorities === undefined) return [];
  const blocks = authorities.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0 || !blocks.every(isCertificate)) {
    throw new AppFailure({ code: 'badAuthorityFile', fileName: '' });
  }
  return blocks;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

type TrustProblem = AppErrorOf<'certificateNotTrusted'>['reason'];

const trustProblems: Record<string, TrustProblem> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknownAuthority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknownAuthority',
  CERT_HAS_EXPIRED: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrongHost',
  HOSTNAME_MISMATCH: 'wrongHost',
};

/** What OpenSSL's code means for trust; undefined when the certificate is not the problem. */
export function trustProblemOf(code: string): TrustProblem | undefined {
  return (
    trustProblems[code] ?? (/^(CERT_|INVALID_(CA|PURPOSE)|PATH_LENGTH_)/.test(code) ? 'other' : undefined)
  );
}

/**
 * Describes the certificate that was not trusted. A second connection without verification reads it, since a refused
 * one no longer shows it; nothing is sent over it.
 */
export async function describeCertificate(
  peer: { host: string; hostname: string; port: number; servername: string },
  reason: TrustProblem,
  timeoutMs: number,
): Promise<AppError> {
  const certificate = await readPeerCertificate(peer, timeoutMs);
  if (!certificate) return { code: 'unreachable', host: peer.host, reason: 'tls' };
  return {
    code: 'certificateNotTrusted',
    host: peer.host,
    reason,
    issuer: nameOf(certificate.issuer),
    subject: nameOf(certificate.subject),
    validUntil: new Date(certificate.validTo).toISOString(),
    fingerprint: certificate.fingerprint256,
  };
}

function readPeerCertificate(
  { hostname, port, servername }: { hostname: string; port: number; servername: string },
  timeoutMs: number,
): Promise<X509Certificate | undefined> {
  return new Promise((resolve) => {
    const socket = tls.connect({ host: hostname, port, servername, rejectUnauthorized: false });
    const finish = (certificate?: X509Certificate) => {
      socket.destroy();
      resolve(certificate);
    };
    socket.setTimeout(timeoutMs, () => finish());
    socket.on('error', () => finish());
    socket.on('close', () => finish());
    socket.on('secureConnect', () => finish(socket.getPeerX509Certificate()));
  });
}

/** One line, most specific part last, as in "O=Example, CN=service.test". A stranger wrote it: kept short. */
function nameOf(distinguishedName: string): string {
  return distinguishedName
    .replace(/\n/g, ', ')
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, 200);
}
