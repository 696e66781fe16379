import { readFileSync } from 'node:fs';
import type { ClientCertificate } from '../../../src/main/service/certificates.ts';

export const passphrase = 'open sesame';

/** The place of a fixture. Made for these tests, for names that are nobody's. */
export const fixtureFile = (name: string): URL =>
  new URL(`../../../src/main/service/fixtures/${name}`, import.meta.url);

export const fixture = (name: string): string => readFileSync(fixtureFile(name), 'utf8');

/** `client` is of the authority `client-ca.pem`, `stranger` of one that nobody knows. */
export function clientCertificate(
  name: 'client' | 'client-with-ca' | 'client-legacy' | 'stranger',
  opens: string | null = passphrase,
): ClientCertificate {
  return { pfx: readFileSync(fixtureFile(`${name}.pfx`)), passphrase: opens };
}
