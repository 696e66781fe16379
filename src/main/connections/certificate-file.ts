import { createHash } from 'node:crypto';
import { readFile, stat } from '../local-files/fs.ts';
import { basename } from 'node:path';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import { openClientCertificate } from '../service/certificates.ts';
import type { StoredService } from './service-repository.ts';

type StoredCertificate = NonNullable<StoredService['clientCertificate']>;

/** Files over this are refused: a client certificate with its key has a few kilobytes. */
const maxBytes = 256 * 1024;

/** Reads a PFX file. Its passphrase is stored elsewhere. @throws AppFailure badClientCertificate */
export async function readCertificateFile(path: string): Promise<StoredCertificate> {
  const fileName = basename(path);
  try {
    if ((await stat(path)).size > maxBytes) throw new Error('too large for a client certificate');
    const pfx = await readFile(path);
    const digest = createHash('sha256').update(pfx).digest('hex');
    return { fileName, digest, pfx: pfx.toString('base64') };
  } catch (cause) {
    throw new AppFailure({ code: 'badClientCertificate', problem: 'unreadable', fileName }, { cause });
  }
}

/** @throws AppFailure badClientCertificate with the file's name */
export function requireOpens(certificate: StoredCertificate, passphrase: string | null): void {
  named(certificate, () =>
    openClientCertificate({ pfx: Buffer.from(certificate.pfx, 'base64'), passphrase }),
  );
}

/** Adds the file's name to errors about a certificate. */
export function named<T>(certificate: StoredCertificate | null, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const error = toAppError(cause);
    if (error?.code !== 'badClientCertificate' || certificate === null) throw cause;
    throw new AppFailure({ ...error, fileName: certificate.fileName });
  }
}
