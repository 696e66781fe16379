import { readFileSync } from 'node:fs';
import type { ClientCertificate } from '../../../src/main/service/certificates.ts';

export const passphrase = 'open sesame';

/** The URL of a fixture, made for these tests with reserved names. */
export const fixtureFile = (name: string): URL =>
  new URL(`../../../src/main/service/fixtures/${name}`, import.meta.url);

export const fixture = (name: string): string => readFileSync(fixtureFile(name), 'utf8');

/** `client` is issued by the authority `client-ca.pem`, `stranger` by an unknown one. */
export function clientCertificate(
  name: 'client' | 'client-with-ca' | 'client-legacy' | 'stranger',
  opens: string | null = passphrase,
): ClientCertificate {
  return { pfx: readFileSync(fixtureFile(`${name}.pfx`)), passphrase: opens };
}
