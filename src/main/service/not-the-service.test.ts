import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  collect,
  createTestClient,
  errorOf,
  serve,
  testToken,
} from '../../../test-support/main/service/test-server.ts';
import type { ServiceClient } from './client.ts';

const page = '<!doctype html><title>Sign in</title>';
const html = { 'content-type': 'text/html; charset=utf-8' };

function asPage(_request: unknown, response: ServerResponse): void {
  response.writeHead(200, html).end(page);
}

const calls: readonly [string, (client: ServiceClient) => Promise<unknown>][] = [
  ['HEAD', (client) => client.headData('a')],
  ['GET', (client) => client.downloadData('a')],
  ['POST', (client) => client.uploadData('a', Buffer.from('a'), { lengthBytes: 1, classification: null })],
  ['DELETE', (client) => client.deleteData('a')],
  ['a deferred start', (client) => client.startDataDownload('a')],
  ['a deferred check', (client) => client.checkDataDeferred('token')],
  ['a deferred fetch', (client) => client.fetchDataDeferred('token')],
  ['the fetch of a secret', (client) => client.fetchSecretDeferred('token')],
  ['a test of the connection', (client) => client.probe()],
];

describe.each(calls)('%s', (_name, call) => {
  test('answered by a sign-in page', async () => {
    const { address, port } = await serve(asPage);
    expect(await errorOf(call(createTestClient(address)))).toMatchObject({
      code: 'unexpectedAnswer',
      status: 200,
      notService: 'page',
      host: `127.0.0.1:${port}`,
    });
  });

  test.each([302, 511])('answered %i on the way to one', async (status) => {
    const { address, port } = await serve((_request, response) =>
      response.writeHead(status, { location: 'https://login.example/' }).end(page),
    );
    expect(await errorOf(call(createTestClient(address)))).toMatchObject({
      code: 'unexpectedAnswer',
      status,
      notService: 'page',
      host: `127.0.0.1:${port}`,
    });
  });
});

const ofBytes = calls.filter(([name]) => !/POST|DELETE|start|check/.test(name));
test.each(ofBytes)('%s, answered with the same JSON for everything', async (_name, call) => {
  const { address } = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":"sign in"}'),
  );
  expect(await errorOf(call(createTestClient(address)))).toMatchObject({
    code: 'unexpectedAnswer',
    status: 200,
    notService: 'everything',
  });
});

test('a page that knows HEAD for nothing, and answers every GET', async () => {
  const { address } = await serve((request, response) => {
    if (request.method === 'HEAD') response.writeHead(404).end();
    else asPage(request, response);
  });
  expect(await errorOf(createTestClient(address).downloadData('a'))).toMatchObject({ notService: 'page' });
});

/** A service that stores one web page, names its type, and may omit the length. */
function withStoredPage(headers: Record<string, string>): RequestListener {
  return (request, response) => {
    if (request.headers.authorization !== `Bearer ${testToken}`) response.writeHead(401).end();
    else if (request.url === '/api/data/page.html') response.writeHead(200, headers).end(page);
    else response.writeHead(404, html).end(page);
  };
}

test.each([
  ['with its length', { ...html, 'x-orginal-length': String(page.length) }],
  ['without', html],
  ['JSON', { 'content-type': 'application/json' }],
])('a stored web page is there, and read: %s', async (_name, headers) => {
  const { address } = await serve(withStoredPage(headers));
  const client = createTestClient(address);
  const lengthBytes = 'x-orginal-length' in headers ? page.length : null;
  expect(await client.headData('page.html')).toEqual({ lengthBytes });
  const { body } = await client.downloadData('page.html');
  expect((await collect(body)).toString()).toBe(page);
});

test('JSON of the interface counts, whatever type it has', async () => {
  const result = { success: true, status: 200, message: 'deleted', activityToken: 'a' };
  const { address } = await serve((_request, response) =>
    response.writeHead(200, html).end(JSON.stringify(result)),
  );
  expect(await createTestClient(address).deleteData('a')).toEqual(result);
});

test('an address that has every identifier is no service', async () => {
  const { address, port } = await serve((request, response) => {
    const isSent = request.headers.authorization !== undefined;
    response.writeHead(isSent ? 200 : 401, { 'x-orginal-length': '1' }).end();
  });
  expect(await errorOf(createTestClient(address).probe())).toMatchObject({
    code: 'unexpectedAnswer',
    notService: 'everything',
    host: `127.0.0.1:${port}`,
  });
});

/** A service whose requests of one method something before it answers with a page, or sends to one. */
function withFilter(method: string, answer: RequestListener): RequestListener {
  return (request, response) => {
    if (request.method === method) answer(request, response);
    else response.writeHead(request.headers.authorization === `Bearer ${testToken}` ? 404 : 401).end();
  };
}

const ofJson = calls.filter(([name]) => /^(POST|DELETE)$|start|check/.test(name));
describe.each(ofJson)('%s alone', (name, call) => {
  const method = name === 'POST' || name === 'DELETE' ? name : 'GET';
  test.each<[number, RequestListener]>([
    [200, asPage],
    [302, (_request, response) => response.writeHead(302, { location: '/login' }).end()],
  ])('answered %i in front of a service that is there', async (status, answer) => {
    const { address } = await serve(withFilter(method, answer));
    const error = await errorOf(call(createTestClient(address)));
    expect(error).toMatchObject({ code: 'unexpectedAnswer', status });
    // Its other requests need not wait.
    expect(error).not.toHaveProperty('notService');
  });
});

test('bytes of such a type have the length that HEAD gives', async () => {
  const { address } = await serve((request, response) => {
    if (request.method === 'HEAD') response.writeHead(200, { 'x-orginal-length': '5' }).end();
    else asPage(request, response);
  });
  expect(await createTestClient(address).downloadData('a')).toMatchObject({ originalLengthBytes: 5 });
});
