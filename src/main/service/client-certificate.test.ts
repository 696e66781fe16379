import https from 'node:https';
import type { AddressInfo } from 'node:net';
import tls, { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createServiceClient } from './client.ts';
import { openClientCertificate, type ClientCertificate } from './certificates.ts';
import { clientCertificateProblemOf } from './tls-problems.ts';
import { clientCertificate, fixture, fixtureFile } from '../../../test-support/main/service/pfx.ts';
import { startProxy } from '../../../e2e/faults/proxy.ts';
import { collect, createTestClient, errorOf } from '../../../test-support/main/service/test-server.ts';

type Version = 'TLSv1.2' | 'TLSv1.3';

/** A service that asks for a client certificate, and records the ones it gets. */
async function serveProven(pem: string, version: Version = 'TLSv1.3', isRequired = true) {
  const shown: string[] = [];
  const server = https.createServer(
    {
      key: pem,
      cert: pem,
      ca: fixture('client-ca.pem'),
      requestCert: true,
      rejectUnauthorized: isRequired,
      minVersion: version,
      maxVersion: version,
    },
    (request, response) => {
      const { socket } = request;
      const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
      shown.push(String(name ?? 'nobody'));
      response.setHeader('x-orginal-length', 5).end(request.method === 'HEAD' ? undefined : 'hello');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, shown };
}

const local = (port: number, certificate?: ClientCertificate, authorities = fixture('ca.pem')) =>
  createTestClient(`https://127.0.0.1:${port}`, { authorities, clientCertificate: certificate });

describe.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a service that asks for a client certificate, %s',
  (version) => {
    test('gets the certificate', async () => {
      const { port, shown } = await serveProven(fixture('trusted.pem'), version);
      const client = local(port, clientCertificate('client'));
      expect(await client.headData('a')).toEqual({ lengthBytes: 5 });
      expect((await collect((await client.downloadData('a')).body)).toString()).toBe('hello');
      expect(new Set(shown)).toEqual(new Set(['aino']));
    });

    test('gets no certificate of an authority that it does not accept', async () => {
      const { port, shown } = await serveProven(fixture('trusted.pem'), version);
      const { code } = await errorOf(local(port, clientCertificate('stranger')).headData('a'));
      // Node's server closes without an alert; others say what is wrong.
      expect(['connectionLost', 'unreachable']).toContain(code);
      expect(shown).toEqual([]);
    });
  },
);

test('reports a missing certificate with TLS 1.3, and carries out no request', async () => {
  const { port } = await serveProven(fixture('trusted.pem'));
  for (const call of [
    () => local(port).headData('a'),
    () => local(port).uploadData('a', Buffer.alloc(3_000_000), { lengthBytes: null, classification: null }),
  ]) {
    expect(await errorOf(call())).toEqual({
      code: 'clientCertificateRefused',
      reason: 'missing',
      host: `127.0.0.1:${port}`,
    });
  }
});

test.each([
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'missing'],
  ['ERR_SSL_TLSV1_CERTIFICATE_REQUIRED', 'missing'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'refused'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'refused'],
  ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', 'refused'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'expired'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', 'refused'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', undefined],
  ['ERR_SSL_WRONG_VERSION_NUMBER', undefined],
  ['ECONNRESET', undefined],
])('%s means %s', (code, problem) => expect(clientCertificateProblemOf(code)).toBe(problem));

test('over an https proxy, shows the certificate to the service and not to the proxy', async () => {
  const { port, shown } = await serveProven(fixture('named-host.pem'));
  const pem = fileURLToPath(fixtureFile('trusted.pem'));
  const proxy = await startProxy({ pem, hosts: { 'objects.test': port } });
  onTestFinished(() => proxy.kill());
  const client = createTestClient('https://objects.test', {
    authorities: fixture('ca.pem') + fixture('named-host-ca.pem'),
    clientCertificate: clientCertificate('client'),
    findProxy: async () => ({ origin: proxy.origin, proof: null }),
  });
  expect(await client.headData('a')).toEqual({ lengthBytes: 5 });
  expect(shown).toEqual(['aino']);
  expect(proxy.origin).toMatch(/^https:/);
  expect(proxy.requests).toMatchObject([{ method: 'CONNECT', client: undefined }]);
});

test('shows no certificate to another origin, such as that of the classifications', async () => {
  const service = await serveProven(fixture('trusted.pem'));
  const elsewhere = await serveProven(fixture('trusted.pem'), 'TLSv1.3', false);
  const client = local(service.port, clientCertificate('client'));
  await client.headData('a');
  await client.fetchClassifications(`https://127.0.0.1:${elsewhere.port}/list`);
  expect([service.shown, elsewhere.shown]).toEqual([['aino'], ['nobody']]);
});

test('does not trust an authority inside the certificate file', async () => {
  const { port, shown } = await serveProven(fixture('named-host.pem'));
  const proxy = await startProxy({ hosts: { 'objects.test': port } });
  onTestFinished(() => proxy.kill());
  const open = (authorities?: string) =>
    createTestClient('https://objects.test', {
      authorities,
      clientCertificate: clientCertificate('client-with-ca'),
      findProxy: async () => ({ origin: proxy.origin, proof: null }),
    });
  expect(await errorOf(open().headData('a'))).toMatchObject({
    code: 'certificateNotTrusted',
    reason: 'unknownAuthority',
  });
  expect(shown).toEqual([]);
  expect(await open(fixture('named-host-ca.pem')).headData('a')).toEqual({ lengthBytes: 5 });
});

test.each([
  ['a wrong passphrase', clientCertificate('client', 'wrong'), 'passphrase'],
  ['no passphrase any more', clientCertificate('client', null), 'passphrase'],
  ['another kind of file', { pfx: Buffer.from('hello'), passphrase: '' }, 'unreadable'],
  ['ciphers of long ago', clientCertificate('client-legacy'), 'format'],
])('%s is said at once', async (_name, certificate, problem) => {
  const open = async () =>
    createServiceClient({
      baseAddress: 'https://objects.test',
      getToken: () => null,
      clientCertificate: certificate,
    });
  expect(await errorOf(open())).toEqual({ code: 'badClientCertificate', problem, fileName: '' });
});

// What BoringSSL says in Electron, which opens other files than OpenSSL does: RC2 and RC4, but no Camellia, no SHA-3 and none without a MAC.
test.each([
  ['INCORRECT_PASSWORD', 'passphrase'],
  ['UNSUPPORTED_CIPHER', 'format'],
  ['UNKNOWN_ALGORITHM', 'format'],
  ['UNKNOWN_HASH', 'format'],
  ['MISSING_MAC', 'format'],
  ['BAD_PKCS12_DATA', 'unreadable'],
])('%s of BoringSSL means %s', (message, problem) => {
  const create = vi.spyOn(tls, 'createSecureContext').mockImplementation(() => {
    throw new Error(message);
  });
  onTestFinished(() => create.mockRestore());
  expect(() => openClientCertificate(clientCertificate('client'))).toThrow(
    expect.objectContaining({ error: { code: 'badClientCertificate', problem, fileName: '' } }),
  );
});
