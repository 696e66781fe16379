import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { AppError, AppErrorOf } from '../../shared/errors.ts';

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

/** The trust problem of an OpenSSL code; undefined when the certificate is not the problem. */
export function trustProblemOf(code: string): TrustProblem | undefined {
  return (
    trustProblems[code] ?? (/^(CERT_|INVALID_(CA|PURPOSE)|PATH_LENGTH_)/.test(code) ? 'other' : undefined)
  );
}

/**
 * The peer's complaint about our certificate (RFC 8446, 6.2); undefined: none. With TLS 1.3 the alert comes after the
 * connection is established, in place of a response. The codes are OpenSSL's or BoringSSL's.
 */
export function clientCertificateProblemOf(
  code: string,
): AppErrorOf<'clientCertificateRefused'>['reason'] | undefined {
  if (/^ERR_SSL_TLSV1(3_ALERT)?_CERTIFICATE_REQUIRED$/.test(code)) return 'missing';
  if (/^ERR_SSL_\w+_ALERT_CERTIFICATE_EXPIRED$/.test(code)) return 'expired';
  const isRefused =
    /^ERR_SSL_\w+_ALERT_(UNKNOWN_CA|ACCESS_DENIED|(BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_\w+)$/;
  return isRefused.test(code) ? 'refused' : undefined;
}

export interface Peer {
  host: string;
  hostname: string;
  port: number;
  servername: string;
}

/**
 * Describes the certificate that was not trusted. A refused connection no longer shows it, so a second one without
 * verification reads it; nothing is sent over that one.
 * @param open opens the second connection where the peer is not reached directly
 */
export async function describeCertificate(
  peer: Peer,
  reason: TrustProblem,
  timeoutMs: number,
  open?: () => Promise<Socket>,
): Promise<AppError> {
  const certificate = await readPeerCertificate(peer, timeoutMs, await open?.());
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
  { hostname, port, servername }: Peer,
  timeoutMs: number,
  over: Socket | undefined,
): Promise<X509Certificate | undefined> {
  return new Promise((resolve) => {
    const to = over ? { socket: over } : { host: hostname, port };
    const socket = tls.connect({ ...to, servername, rejectUnauthorized: false });
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

/** One line, most specific part last, as in "O=Example, CN=service.test". Untrusted text, so it is shortened. */
function nameOf(distinguishedName: string): string {
  return distinguishedName
    .replace(/\n/g, ', ')
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, 200);
}
