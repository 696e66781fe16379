import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  createTestClient,
  errorOf,
  serve,
  testToken,
} from '../../../test-support/main/service/test-server.ts';

/** A service that asks for the token, and then answers with this listener. */
function asking(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers.authorization === `Bearer ${testToken}`) listener(request, response);
    else response.writeHead(401).end();
  };
}

describe('probe', () => {
  test('a service', async () => {
    const seen: string[] = [];
    const { address } = await serve((request, response) => {
      seen.push(`${request.method} ${request.url?.replace(/[0-9a-f-]{36}$/, 'UUID')}`);
      asking((_request, answer) => answer.writeHead(404).end())(request, response);
    });
    await createTestClient(`${address}/pre`).probe();
    expect(seen).toEqual(Array(2).fill('HEAD /pre/api/data/coffer-probe-UUID'));
  });

  test('a refused token, and none', async () => {
    const { address } = await serve(asking((_request, response) => response.writeHead(404).end()));
    expect(await errorOf(createTestClient(address, { getToken: () => 'old' }).probe())).toEqual({
      code: 'tokenRefused',
      status: 401,
    });
    expect(await errorOf(createTestClient(address, { getToken: () => null }).probe())).toEqual({
      code: 'tokenMissing',
    });
  });

  test.each([
    ['answers 404 to everybody', 404, { problem: 'asks for no token' }],
    ['has a page for everything', 200, { notService: 'page' }],
    ['redirects', 302, { notService: 'page', problem: 'status 302 to HEAD' }],
    ['does not modify', 304, { problem: 'status 304 to HEAD' }],
  ])('a web server that %s', async (_name, status, error) => {
    const { address } = await serve((_request, response) =>
      response.writeHead(status, { location: '/login', 'content-type': 'text/html' }).end(),
    );
    expect(await errorOf(createTestClient(address).probe())).toMatchObject({
      code: 'unexpectedAnswer',
      status,
      ...error,
    });
  });

  test.each([
    [403, 'forbidden'],
    [429, 'tooManyRequests'],
    [500, 'serverError'],
  ])('says %i as it is', async (status, code) => {
    const { address } = await serve(asking((_request, response) => response.writeHead(status).end()));
    expect(await errorOf(createTestClient(address).probe())).toMatchObject({ code, status });
  });
});

describe('classifications', () => {
  async function fetchFrom(text: string, contentType = 'application/json') {
    const { address } = await serve((request, response) => {
      if (
        request.url !== '/pre/api/classifications' ||
        request.headers.authorization !== `Bearer ${testToken}`
      ) {
        response.writeHead(404).end();
        return;
      }
      response.setHeader('content-type', contentType).end(text);
    });
    return createTestClient(`${address}/pre`).fetchClassifications('/api/classifications');
  }

  const open = { name: 'Public', description: null };
  const closed = { name: 'Top secret', description: 'For few' };

  test.each([
    ['an array of strings', '["Public","Top secret"]', [open, { ...closed, description: null }]],
    [
      'an array of objects',
      '[{"name":"Public"},{"name":"Top secret","description":"For few","x":1}]',
      [open, closed],
    ],
    [
      'an object of objects',
      '{"Public":{"description":null},"b":{"name":"Top secret","description":"For few"}}',
      [open, closed],
    ],
    ['lines', 'Public\r\n\r\n  Top secret  \n', [open, { ...closed, description: null }]],
    ['one twice', '["Public","Public"]', [open]],
    ['none', '[]', []],
    ['nothing', '', []],
  ])('%s', async (_name, text, expected) => {
    expect(await fetchFrom(text)).toEqual(expected);
  });

  test.each(['[1]', '[""]', '{"a":1}', '{"error":"no"}', '<html>', '["Public"', ' '.repeat(1_100_000)])(
    '%.20s is refused',
    async (text) => {
      expect(await errorOf(fetchFrom(text))).toMatchObject({ code: 'unexpectedAnswer', status: 200 });
    },
  );

  test('refuses a web page', async () => {
    expect(await errorOf(fetchFrom('Welcome', 'text/html; charset=utf-8'))).toMatchObject({
      code: 'unexpectedAnswer',
    });
  });

  test('sends the token to an absolute address at the same origin', async () => {
    let authorization: string | undefined;
    const { address } = await serve((request, response) => {
      authorization = request.headers.authorization;
      response.end('Public');
    });
    expect(await createTestClient(`${address}/pre`).fetchClassifications(`${address}/list?x=1`)).toEqual([
      open,
    ]);
    expect(authorization).toBe(`Bearer ${testToken}`);
  });
});
