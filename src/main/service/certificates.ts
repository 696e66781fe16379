import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { type AppErrorOf } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';

/** A PFX file (PKCS #12) and its passphrase. */
export interface ClientCertificate {
  readonly pfx: Uint8Array;
  /** null: no longer known. */
  readonly passphrase: string | null;
}

/** A PEM file with a certificate, its intermediate certificates and its key. */
export interface PemCertificate {
  readonly pem: string;
  /** null: the key is not encrypted. */
  readonly passphrase: string | null;
}

/** TLS options of a connection. */
export type Security = Pick<tls.ConnectionOptions, 'secureContext' | 'checkServerIdentity'>;

/**
 * Contexts without client certificates, by the text of their authorities. OpenSSL parses all roots for each context, which takes tens of
 * milliseconds; the map has one entry for each authority file that the person has chosen.
 */
const contexts = new Map<string | undefined, tls.SecureContext>();

/**
 * Trusts the bundled roots, those of the system, and the service's own. `ca` alone would replace the others.
 * @param authorities the text of a PEM file, or undefined
 * @throws AppFailure badClientCertificate
 */
export function createSecurity(
  authorities: string | undefined,
  clientCertificate?: ClientCertificate | PemCertificate,
): Security {
  const known = clientCertificate ? undefined : contexts.get(authorities);
  if (known) return { secureContext: known };
  const ca = [
    ...new Set([
      ...tls.getCACertificates('default'),
      ...tls.getCACertificates('system'),
      ...readPem(authorities),
    ]),
  ];
  if (!clientCertificate) {
    const secureContext = tls.createSecureContext({ ca });
    contexts.set(authorities, secureContext);
    return { secureContext };
  }
  if ('pem' in clientCertificate) return { secureContext: openPem(clientCertificate, ca) };
  let trusted: Set<string> | undefined;
  return {
    secureContext: openClientCertificate(clientCertificate, ca),
    // Node also trusts every authority inside a PFX file; trust is configured elsewhere.
    checkServerIdentity(hostname, certificate) {
      trusted ??= new Set(ca.map((pem) => new X509Certificate(pem).fingerprint256));
      if (isBelow(certificate, trusted)) return tls.checkServerIdentity(hostname, certificate);
      const error = new Error('trusted by the file of the client certificate alone');
      return Object.assign(error, { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
    },
  };
}

/** @throws AppFailure badClientCertificate, with an empty file name, which is not known here */
export function openClientCertificate(
  { pfx, passphrase }: ClientCertificate,
  ca: string[] = [],
): tls.SecureContext {
  if (passphrase === null) throw badClientCertificate('passphrase');
  try {
    return tls.createSecureContext({ ca, pfx: Buffer.from(pfx), passphrase });
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : '';
    // "mac verify failure" in OpenSSL, INCORRECT_PASSWORD in BoringSSL. OpenSSL refuses obsolete ciphers ("Unsupported PKCS12 PFX data"),
    // BoringSSL unusual ones and files without a MAC (seen with Node 24 and Electron 33).
    if (/mac verify|incorrect.?password|bad.?decrypt/i.test(text)) throw badClientCertificate('passphrase');
    throw badClientCertificate(
      /unsupported|unknown.?(digest|hash|cipher|alg)|missing.?mac/i.test(text) ? 'format' : 'unreadable',
    );
  }
}

function openPem({ pem, passphrase }: PemCertificate, ca: string[]): tls.SecureContext {
  try {
    return tls.createSecureContext({
      ca,
      cert: pem,
      key: pem,
      ...(passphrase !== null && { passphrase }),
    });
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : '';
    throw badClientCertificate(
      /passphrase|incorrect.?password|bad.?decrypt/i.test(text) ? 'passphrase' : 'unreadable',
    );
  }
}

function badClientCertificate(problem: AppErrorOf<'badClientCertificate'>['problem']): AppFailure {
  return new AppFailure({ code: 'badClientCertificate', problem, fileName: '' });
}

type PeerCertificate = tls.DetailedPeerCertificate | tls.PeerCertificate;

/** Whether one of `trusted` is in the chain of a certificate that was just verified. */
function isBelow(certificate: PeerCertificate, trusted: ReadonlySet<string>): boolean {
  const seen = new Set<string>();
  let link: PeerCertificate | undefined = certificate;
  // The last certificate of a chain is its own issuer.
  while (link && !seen.has(link.fingerprint256)) {
    if (trusted.has(link.fingerprint256)) return true;
    seen.add(link.fingerprint256);
    link = 'issuerCertificate' in link ? link.issuerCertificate : undefined;
  }
  return false;
}

/**
 * @throws AppFailure badAuthorityFile (with an empty file name, which is not known here) without a usable certificate
 */
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
