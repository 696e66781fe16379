import { X509Certificate } from 'node:crypto';
import { basename } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { readFile, stat } from '../local-files/fs.ts';
import type { StoredService } from './service-repository.ts';

const maxBytes = 1024 * 1024;

/** Reads an extra CA file (PEM, one certificate or more); the first one names it. Throws badAuthorityFile. */
export async function readAuthority(path: string): Promise<NonNullable<StoredService['authority']>> {
  const fileName = basename(path);
  try {
    if ((await stat(path)).size > maxBytes) throw new Error('too large for a CA file');
    const text = await readFile(path, 'utf8');
    const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const [first] = blocks.map((block) => new X509Certificate(block));
    if (!first) throw new Error('no certificate in it');
    // Store only the certificates: the file may also contain a private key.
    const pem = `${blocks.join('\n')}\n`;
    return { fileName, subject: first.subject.replace(/\n/g, ', '), fingerprint: first.fingerprint256, pem };
  } catch (cause) {
    throw new AppFailure({ code: 'badAuthorityFile', fileName }, { cause });
  }
}
