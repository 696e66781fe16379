import { createHash, randomBytes } from 'node:crypto';
import type http from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ServiceClientOptions } from './client.ts';
import {
  basicAuthorization,
  createProxyCredentials,
  parseProxyAddress,
  type ProxyCredentials,
  type ProxyProblem,
  type ProxyServer,
} from './proxy.ts';
import { fixture, fixtureFile } from '../../../test-support/main/service/pfx.ts';
import { type ProxyOrders, startProxy, type TestProxy } from '../../../e2e/faults/proxy.ts';
import {
  collect,
  createTestClient,
  errorOf,
  serve,
  serveTls,
  testToken,
} from '../../../test-support/main/service/test-server.ts';
import { eventually } from '../../../test-support/eventually.ts';

const login = 'aino:p\u00e4ss:word';
const rightLogin = basicAuthorization('aino', 'p\u00e4ss:word');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** On a busy machine the proxy and the resolver may need this long. */
const patient = { connectMs: 30_000, headersMs: 30_000, idleBodyMs: 30_000 };

const proxies: TestProxy[] = [];
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.kill()));
});

/** A service that stores objects, under the name `objects.test`, which only the proxy can resolve. */
async function startService(scheme: 'http' | 'https') {
  const objects = new Map<string, Buffer>();
  const authorizations = new Set<string | undefined>();
  const listener: http.RequestListener = (request, response) => {
    authorizations.add(request.headers['proxy-authorization']);
    if (request.headers.authorization !== `Bearer ${testToken}`) return void response.writeHead(401).end();
    const key = request.url ?? '';
    const found = objects.get(key);
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        objects.set(key, Buffer.concat(chunks));
        response.end(JSON.stringify({ success: true, status: 200, message: 'done', activityToken: 'a' }));
      });
      return;
    }
    if (!found) return void response.writeHead(404).end();
    response.writeHead(200, { 'x-orginal-length': found.length, 'content-length': found.length });
    response.end(request.method === 'HEAD' ? undefined : found);
  };
  const server = await (scheme === 'https' ? serveTls(fixture('named-host.pem'), listener) : serve(listener));
  return { ...server, objects, authorizations, baseAddress: `${scheme}://objects.test` };
}

async function startBehind(
  scheme: 'http' | 'https',
  orders: Partial<ProxyOrders> = {},
  authorization: string | null = null,
  options: Partial<ServiceClientOptions> = {},
) {
  const service = await startService(scheme);
  const proxy = await startProxy({ hosts: { 'objects.test': service.port }, ...orders });
  proxies.push(proxy);
  const problems: ProxyProblem[] = [];
  const used: ProxyServer = {
    origin: proxy.origin,
    proof: authorization === null ? null : createProxyCredentials(authorization),
    onProblem: (problem) => problems.push(problem),
  };
  const open = (timeouts: ServiceClientOptions['timeouts']) =>
    createTestClient(service.baseAddress, {
      authorities: fixture('named-host-ca.pem'),
      insecureAllowed: true,
      findProxy: async () => used,
      timeouts,
      ...options,
    });
  return { service, proxy, open, client: open(patient), problems };
}

describe.each(['http', 'https'] as const)('%s over a proxy', (scheme) => {
  for (const [name, asked, given] of [
    ['without a password', null, null],
    ['with a password', login, rightLogin],
  ] as const)
    test(
      `bytes go and come whole: ${name}`,
      { tags: (scheme === 'https') === (given === null) ? 'all' : [] },
      async () => {
        const { service, proxy, client } = await startBehind(scheme, { login: asked }, given);
        await client.probe();
        const bytes = randomBytes(6_000_000);
        const source = (async function* () {
          for (let at = 0; at < bytes.length; at += 1_000_000) yield bytes.subarray(at, at + 1_000_000);
        })();
        await client.uploadData('a b', source, { lengthBytes: bytes.length, classification: 'Public' });
        const [stored] = service.objects.entries();
        expect([stored?.[0], sha256(stored?.[1] ?? Buffer.alloc(0))]).toEqual([
          '/api/data/a%20b?classstr=Public',
          sha256(bytes),
        ]);

        service.objects.set('/api/data/c', bytes);
        for (let round = 0; round < 20; round += 1) {
          expect(await client.headData('c')).toEqual({ lengthBytes: bytes.length });
        }
        const { body } = await client.downloadData('c');
        expect(sha256(await collect(body))).toBe(sha256(bytes));
        expect(await errorOf(client.headData('nothing'))).toEqual({ code: 'missing', status: 404 });

        // Only the proxy gets its password, and connections are reused.
        expect([...service.authorizations]).toEqual([undefined]);
        expect(service.sockets.size).toBeLessThanOrEqual(2);
        expect(proxy.bytesThrough()).toBeGreaterThan(12_000_000);
        const requests = proxy.requests;
        const targets = requests.map(({ method, target }) => `${method} ${target}`);
        // A tunnel hides the tokens; a forwarder sees them. One request carries none.
        const tokens = requests.filter(({ head }) => head.includes(testToken)).length;
        const seen = { tunnels: new Set(targets), tokens };
        const forwarded = { last: targets.at(-1), tokens: targets.length - 1 };
        expect(scheme === 'https' ? seen : { last: targets.at(-1), tokens: seen.tokens }).toEqual(
          scheme === 'https' ? { tunnels: new Set(['CONNECT objects.test:443']), tokens: 0 } : forwarded,
        );
        expect(forwarded.last).toMatch(/^(CONNECT|HEAD http:..objects.test.api.data.nothing)/);
      },
    );

  test('no password, a wrong one, then the right one: nothing reaches the service before', async () => {
    const service = await startService(scheme);
    const proxy = await startProxy({ login, hosts: { 'objects.test': service.port } });
    proxies.push(proxy);
    let proof: ProxyCredentials | null = null;
    const problems: string[] = [];
    const client = createTestClient(service.baseAddress, {
      authorities: fixture('named-host-ca.pem'),
      insecureAllowed: true,
      findProxy: async () => ({
        origin: proxy.origin,
        proof,
        onProblem: (problem) => problems.push(problem),
      }),
    });
    const failed = { code: 'proxyFailed', proxy: proxy.origin, answered: 407 };
    expect(await errorOf(client.headData('a'))).toEqual({ ...failed, reason: 'passwordMissing' });
    proof = createProxyCredentials(basicAuthorization('aino', 'wrong'));
    const upload = client.uploadData('a', Buffer.alloc(3_000_000), {
      lengthBytes: 3_000_000,
      classification: null,
    });
    expect(await errorOf(upload)).toEqual({ ...failed, reason: 'passwordRefused' });
    expect(problems).toEqual(['passwordMissing', 'passwordRefused']);
    expect(service.authorizations.size).toBe(0);
    proof = createProxyCredentials(rightLogin);
    expect(await errorOf(client.headData('a'))).toEqual({ code: 'missing', status: 404 });
  });

  test('sends a wrong password once, however many requests there are', async () => {
    const wrong = basicAuthorization('aino', 'wrong');
    const { client, proxy, service } = await startBehind(scheme, { login }, wrong);
    const failed = { code: 'proxyFailed', proxy: proxy.origin, answered: 407, reason: 'passwordRefused' };
    const ask = (name: string) => errorOf(client.headData(name));
    const errors = await Promise.all(Array.from({ length: 12 }, (_, number) => ask(`a${number}`)));
    expect(errors).toEqual(errors.map(() => failed));
    expect(await ask('b')).toEqual(failed);
    const requests = proxy.requests;
    expect(requests.length).toBeGreaterThan(12);
    expect(requests.filter(({ head }) => head.includes(wrong))).toHaveLength(1);
    expect(service.authorizations.size).toBe(0);
  });

  test('when the first request gets no answer the next one tries, and then all are sent at once', async () => {
    const orders = { login, instead: 'silence' } as const;
    const { client, open, proxy } = await startBehind(scheme, orders, rightLogin);
    const impatient = open({ ...patient, [scheme === 'http' ? 'headersMs' : 'connectMs']: 1000 });
    const first = errorOf(impatient.headData('a'));
    await eventually(() => expect(proxy.requests).toHaveLength(1));
    const others = Array.from({ length: 6 }, (_, number) => errorOf(client.headData(`b${number}`)));
    proxy.change({ instead: null });
    expect(await first).toMatchObject({ code: scheme === 'http' ? 'answerTimeout' : 'proxyFailed' });
    expect(await Promise.all(others)).toEqual(others.map(() => ({ code: 'missing', status: 404 })));
  });

  test('a proxy that asks for something other than a password', async () => {
    const { client, proxy } = await startBehind(scheme, { instead: 'negotiate' });
    expect(await errorOf(client.headData('a'))).toEqual({
      code: 'proxyFailed',
      proxy: proxy.origin,
      reason: 'passwordScheme',
      answered: 407,
    });
  });

  test('reports a refused connection and an unknown host name', async () => {
    const { client, proxy, problems } = await startBehind(scheme);
    await proxy.kill();
    const failed = { code: 'proxyFailed', proxy: proxy.origin, answered: null };
    expect(await errorOf(client.headData('a'))).toEqual({ ...failed, reason: 'refused' });
    expect(problems).toEqual(['refused']);
    const { client: lost } = await startBehind(scheme, {}, null, {
      findProxy: async () => ({ origin: 'http://proxy.invalid:3128', proof: null }),
    });
    expect(await errorOf(lost.headData('a'))).toMatchObject({
      code: 'proxyFailed',
      proxy: 'http://proxy.invalid:3128',
      reason: 'dns',
    });
  });

  test('recovers from a proxy killed in the middle of an upload and of a download', async () => {
    const { service, client, proxy } = await startBehind(scheme);
    const piece = Buffer.alloc(500_000);
    const source = (async function* () {
      yield piece;
      await eventually(() => expect(proxy.bytesThrough()).toBeGreaterThan(400_000));
      await proxy.kill();
      for (let sent = 1; sent < 40; sent += 1) yield piece;
    })();
    const upload = client.uploadData('a', source, { lengthBytes: 20_000_000, classification: null });
    expect(await errorOf(upload)).toMatchObject({ code: 'connectionLost', outcomeUnknown: true });
    // Another connection may not have noticed yet that its peer is gone.
    await eventually(async () =>
      expect(await errorOf(client.headData('a'))).toMatchObject({
        code: 'proxyFailed',
        reason: expect.stringMatching(/refused|reset/),
      }),
    );

    const again = await startProxy({ port: proxy.port, hosts: { 'objects.test': service.port } });
    proxies.push(again);
    service.objects.set('/api/data/b', Buffer.alloc(20_000_000));
    const { body } = await client.downloadData('b');
    let received = 0;
    const read = async () => {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (received > 1_000_000) await again.kill();
      }
    };
    expect(await errorOf(read())).toMatchObject({ code: 'connectionLost', expectedBytes: 20_000_000 });
  });

  test('an https proxy', async () => {
    const pem = fileURLToPath(fixtureFile('trusted.pem'));
    const authorities = fixture('ca.pem') + fixture('named-host-ca.pem');
    const { client, proxy, service } = await startBehind(scheme, { pem, login }, rightLogin, { authorities });
    service.objects.set('/api/data/a', Buffer.from('hello'));
    expect((await collect((await client.downloadData('a')).body)).toString()).toBe('hello');
    expect(proxy.requests).toHaveLength(1);
    const { client: other, proxy: untrusted } = await startBehind(scheme, { pem });
    expect(await errorOf(other.headData('a'))).toEqual({
      code: 'proxyFailed',
      proxy: untrusted.origin,
      reason: 'untrusted',
      answered: null,
    });
    expect(untrusted.requests).toEqual([]);
  });

  test('releases it with its last request', async () => {
    const { client, proxy, problems } = await startBehind(scheme, { instead: 'silence' });
    const stop = new AbortController();
    const call = errorOf(client.headData('a', { signal: stop.signal }));
    await eventually(() => expect(proxy.requests).toHaveLength(1));
    stop.abort();
    expect(await call).toEqual({ code: 'cancelled' });
    const left = errorOf(client.headData('b'));
    await eventually(() => expect(proxy.requests).toHaveLength(2));
    await client.close();
    expect(await left).toEqual({ code: 'cancelled' });
    expect(await errorOf(client.headData('c'))).toEqual({ code: 'cancelled' });
    // Not the proxy's fault, so the proxy is not skipped.
    expect(problems).toEqual([]);
  });
});

describe('a tunnel', () => {
  test.each([
    [403, 'denied', 403],
    [503, 'noWay', 503],
    ['silence', 'timeout', null],
    ['gibberish', 'notAProxy', null],
  ] as const)('%s in its place', async (instead, reason, answered) => {
    const timeouts = instead === 'silence' ? { connectMs: 500 } : patient;
    const { client, proxy } = await startBehind('https', { instead }, null, { timeouts });
    expect(await errorOf(client.headData('a'))).toEqual({
      code: 'proxyFailed',
      proxy: proxy.origin,
      reason,
      answered,
    });
  });

  test('reports a service that the proxy does not find as behind it', async () => {
    const { client, proxy } = await startBehind('https', { hosts: {} });
    expect(await errorOf(client.headData('a'))).toMatchObject({ proxy: proxy.origin, reason: 'noWay' });
  });

  test('verifies the service through the tunnel, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { client, service } = await startBehind('https', {}, null, { authorities: fixture('ca.pem') });
    expect(await errorOf(client.headData('a'))).toMatchObject({
      code: 'certificateNotTrusted',
      host: 'objects.test',
      reason: 'unknownAuthority',
      subject: 'O=Coffer tests, CN=objects.test',
    });
    expect(service.authorizations.size).toBe(0);
  });
});

describe('the address of a proxy', () => {
  test.each([
    ['proxy.test:3128', 'http://proxy.test:3128'],
    [' http://proxy.test:80/ ', 'http://proxy.test'],
    ['HTTPS://Proxy.Test:8443', 'https://proxy.test:8443'],
    ['[::1]:3128', 'http://[::1]:3128'],
  ])('%s', (address, origin) => expect(parseProxyAddress(address)).toBe(origin));

  test.each([
    ['', 'notUrl'],
    ['http://', 'notUrl'],
    ['proxy.test:99999', 'notUrl'],
    ['socks5://proxy.test:1080', 'scheme'],
    ['http://aino:secret@proxy.test', 'credentials'],
    ['http://proxy.test/proxy.pac', 'path'],
    ['http://proxy.test/?', 'path'],
  ])('refuses %s', async (address, problem) => {
    const parse = async () => parseProxyAddress(address);
    expect(await errorOf(parse())).toEqual({ code: 'badProxyAddress', problem });
  });
});
