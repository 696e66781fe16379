import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { readPem } from './certificates.ts';
import {
  collect,
  createTestClient,
  errorOf,
  serve,
  serveTls,
} from '../../../test-support/main/service/test-server.ts';

/** Made for these tests: an authority, certificates that it signed, and a self-signed one. All for loopback only. */
function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}.pem`, import.meta.url), 'utf8');
}

const authorities = fixture('ca');

async function headFrom(name: string, options: { authorities?: string } = {}) {
  let requestCount = 0;
  const { port } = await serveTls(fixture(name), (request, response) => {
    requestCount += 1;
    request.resume();
    response.setHeader('x-orginal-length', 5).end();
  });
  const client = createTestClient(`https://127.0.0.1:${port}`, options);
  return { port, client, requestCount: () => requestCount };
}

describe('certificates', () => {
  test('trusts a certificate of an added authority', async () => {
    const { client } = await headFrom('trusted', { authorities });
    expect(await client.headData('a')).toEqual({ lengthBytes: 5 });
  });

  test.each([
    ['trusted', undefined, 'unknownAuthority', 'O=Coffer tests, CN=Test authority'],
    ['self-signed', authorities, 'selfSigned', 'O=Coffer tests, CN=localhost'],
    ['expired', authorities, 'expired', 'O=Coffer tests, CN=Test authority'],
    ['other-host', authorities, 'wrongHost', 'O=Coffer tests, CN=Test authority'],
  ])('describes %s: %s %s', async (name, added, reason, issuer) => {
    const { client, port, requestCount } = await headFrom(
      name,
      added === undefined ? {} : { authorities: added },
    );
    const certificate = new X509Certificate(fixture(name));
    expect(await errorOf(client.headData('a'))).toEqual({
      code: 'certificateNotTrusted',
      host: `127.0.0.1:${port}`,
      reason,
      issuer,
      subject: certificate.subject.replace('\n', ', '),
      validUntil: new Date(certificate.validTo).toISOString(),
      fingerprint: certificate.fingerprint256,
    });
    expect(requestCount()).toBe(0);
  });

  test('verifies whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { client, requestCount } = await headFrom('self-signed');
    const error = await errorOf(client.headData('a')).finally(() => vi.unstubAllEnvs());
    expect(error).toMatchObject({ code: 'certificateNotTrusted', reason: 'selfSigned' });
    expect(requestCount()).toBe(0);
  });

  test('trusts a self-signed certificate once it is added', async () => {
    const { client } = await headFrom('self-signed', { authorities: fixture('self-signed') });
    expect(await client.headData('a')).toEqual({ lengthBytes: 5 });
  });

  test('an address that speaks no TLS', async () => {
    const { port } = await serve((_request, response) => response.end());
    const client = createTestClient(`https://127.0.0.1:${port}`);
    expect(await errorOf(client.headData('a'))).toMatchObject({ code: 'unreachable', reason: 'tls' });
  });

  test.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    '%j is no authority file',
    (text) => expect(() => readPem(text)).toThrow('badAuthorityFile'),
  );

  test('receives a 413 before the body is read, over TLS too', async () => {
    const { port } = await serveTls(fixture('trusted'), (request, response) => {
      response.writeHead(413, { connection: 'close' }).end(() => request.destroy());
    });
    const client = createTestClient(`https://127.0.0.1:${port}`, { authorities });
    const piece = Buffer.alloc(100_000);
    for (let round = 0; round < 5; round += 1) {
      const source = Readable.from(Array.from({ length: 500 }, () => piece));
      const call = client.uploadData('a', source, { lengthBytes: 50_000_000, classification: null });
      expect(await errorOf(call)).toEqual({ code: 'tooLarge', status: 413 });
    }
  });

  test('transfers all bytes over TLS', async () => {
    const content = Buffer.alloc(3_000_000, 'x');
    const { port } = await serveTls(fixture('trusted'), (_request, response) => response.end(content));
    const { body } = await createTestClient(`https://127.0.0.1:${port}`, { authorities }).downloadData('a');
    expect((await collect(body)).equals(content)).toBe(true);
  });
});
