import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkObjectId } from '../../shared/domain/object-id.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { ServiceClient } from './client.ts';
import {
  collect,
  createTestClient,
  errorOf,
  serve,
  testToken,
} from '../../../test-support/main/service/test-server.ts';
import { anyCharacter } from '../../../test-support/any-character.ts';
import { runs } from '../../../test-support/runs.ts';

const result = { success: true, status: 200, message: 'done', activityToken: 'activity-1' };
const upload = { lengthBytes: 3, classification: 'Top secret/&?' };
const bytes = () => Readable.from([Buffer.from('abc')]);
const query = '?classstr=Top%20secret%2F%26%3F';
const octets = 'application/octet-stream';

interface Operation {
  name: string;
  method: string;
  path: string;
  accept?: string;
  call: (client: ServiceClient) => Promise<unknown>;
  answer: unknown;
  expected: unknown;
}

/** Section 4 as a table. */
const operations: Operation[] = [
  {
    name: 'headData',
    method: 'HEAD',
    path: '/api/data/a%2Fb',
    call: (c) => c.headData('a/b'),
    answer: '',
    expected: { lengthBytes: 3 },
  },
  {
    name: 'uploadData',
    method: 'POST',
    path: `/api/data/a%2Fb${query}`,
    call: (c) => c.uploadData('a/b', bytes(), upload),
    answer: result,
    expected: result,
  },
  {
    name: 'downloadData',
    method: 'GET',
    path: '/api/data/a%2Fb',
    accept: octets,
    call: (c) => c.downloadData('a/b').then(bodyOf),
    answer: 'abc',
    expected: 'abc',
  },
  {
    name: 'deleteData',
    method: 'DELETE',
    path: '/api/data/a%2Fb',
    call: (c) => c.deleteData('a/b'),
    answer: result,
    expected: result,
  },
  ...(['data', 'secrets'] as const).flatMap((kind): Operation[] => {
    const isData = kind === 'data';
    const path = `/api/${kind}/deferred`;
    const start = { answer: { DeferredToken: 't/1' }, expected: { deferredToken: 't/1' } };
    return [
      {
        name: `${kind}: start upload`,
        method: 'POST',
        path: `${path}/start/a%2Fb${query}`,
        call: (c) =>
          isData ? c.startDataUpload('a/b', bytes(), upload) : c.startSecretUpload('a/b', bytes(), upload),
        ...start,
      },
      {
        name: `${kind}: start download`,
        method: 'GET',
        path: `${path}/start/a%2Fb`,
        accept: '*/*',
        call: (c) => (isData ? c.startDataDownload('a/b') : c.startSecretDownload('a/b')),
        ...start,
      },
      {
        name: `${kind}: check`,
        method: 'GET',
        path: `${path}/check/t%2F1`,
        accept: 'application/json',
        call: (c) => (isData ? c.checkDataDeferred('t/1') : c.checkSecretDeferred('t/1')),
        answer: result,
        expected: { state: 'complete', result },
      },
      {
        name: `${kind}: fetch`,
        method: 'GET',
        path: `${path}/fetch/t%2F1`,
        accept: octets,
        call: (c) => (isData ? c.fetchDataDeferred('t/1') : c.fetchSecretDeferred('t/1')).then(bodyOf),
        answer: 'abc',
        expected: 'abc',
      },
    ];
  }),
];

async function bodyOf({ body }: { body: Readable }): Promise<string> {
  return (await collect(body)).toString();
}

/** Section 7, and statuses that no operation specifies. */
function expectedOutcome(status: number, method: string, path: string): object {
  if (status === 202 && path.includes('/check/')) return { state: 'processing', text: '<h1>Sorry</h1>' };
  const problem = `status ${status} to ${method}`;
  const isPost = method === 'POST';
  const errors: Record<number, object> = {
    400: { code: 'badRequest' },
    401: { code: 'tokenRefused' },
    403: { code: 'forbidden' },
    404: isPost ? { code: 'unexpectedAnswer', problem } : { code: 'missing' },
    409: isPost ? { code: 'exists' } : { code: 'unexpectedAnswer', problem },
    413: { code: 'tooLarge' },
    429: { code: 'tooManyRequests', retryAfterMs: 7000 },
    500: { code: 'serverError', retryAfterMs: 7000 },
    503: { code: 'serverError', retryAfterMs: 7000 },
  };
  return { status, ...(errors[status] ?? { code: 'unexpectedAnswer', problem }) };
}

describe.each(operations)('$name', ({ method, path, accept, call, answer, expected }) => {
  test('sends what section 4 specifies and understands the answer', async () => {
    const seen: { request: IncomingMessage; body: string }[] = [];
    const { address } = await serve((request, response) => {
      void collect(request).then((body) => {
        seen.push({ request, body: body.toString() });
        response.setHeader('X-Orginal-Length', '3');
        response.end(
          typeof answer === 'string' ? answer : JSON.stringify({ ...(answer as object), later: [1] }),
        );
      });
    });
    expect(await call(createTestClient(`${address}/prefix/`))).toEqual(expected);
    expect(seen).toHaveLength(1);
    const [{ request, body } = {}] = seen;
    expect(request?.method).toBe(method);
    expect(request?.url).toBe(`/prefix${path}`);
    expect(request?.headers.authorization).toBe(`Bearer ${testToken}`);
    expect(request?.headers.accept).toBe(accept);
    expect(request?.headers['content-type']).toBe(method === 'POST' ? octets : undefined);
    expect(request?.headers['content-length']).toBe(method === 'POST' ? '3' : undefined);
    expect(body).toBe(method === 'POST' ? 'abc' : '');
  });

  test('sends nothing without a token', async () => {
    let requestCount = 0;
    const { address } = await serve((_request, response) => {
      requestCount += 1;
      response.end();
    });
    expect(await errorOf(call(createTestClient(address, { getToken: () => null })))).toEqual({
      code: 'tokenMissing',
    });
    expect(requestCount).toBe(0);
  });

  test.each([202, 201, 204, 206, 301, 302, 307, 304, 400, 401, 403, 404, 409, 413, 418, 429, 500, 503])(
    'status %i',
    async (status) => {
      const { address } = await serve((request, response) => {
        request.resume();
        response.writeHead(status, {
          'retry-after': '7',
          location: '/elsewhere',
          'content-type': 'text/html',
        });
        response.end(status === 204 || status === 304 ? undefined : '<h1>Sorry</h1>');
      });
      const outcome = await call(createTestClient(address)).catch((cause: unknown) => toAppError(cause));
      expect(outcome).toMatchObject(expectedOutcome(status, method, path));
      expect(JSON.stringify(outcome)).not.toContain(testToken);
    },
  );
});

describe('response bodies', () => {
  test.each([
    ['uploadData', (c: ServiceClient) => c.uploadData('a', bytes(), upload)],
    ['deleteData', (c: ServiceClient) => c.deleteData('a')],
    ['checkDataDeferred', (c: ServiceClient) => c.checkDataDeferred('t')],
  ] as const)('%s: a wrong shape is named', async (_name, call) => {
    let answer = '';
    const { address } = await serve((request, response) => {
      request.resume().on('end', () => response.end(answer));
    });
    const client = createTestClient(address);
    for (const field of ['success', 'status', 'message', 'activityToken']) {
      for (const wrong of [undefined, null, []]) {
        answer = JSON.stringify({ ...result, [field]: wrong });
        const error = await errorOf(call(client));
        expect(error).toMatchObject({ code: 'unexpectedAnswer', status: 200 });
        expect(error).toHaveProperty('problem', expect.stringContaining(field));
      }
    }
    for (const text of ['', 'null', '[]', '<html>', '{"success":true', ' '.repeat(70_000)]) {
      answer = text;
      expect(await errorOf(call(client))).toMatchObject({
        code: 'unexpectedAnswer',
        problem: expect.stringContaining('body'),
      });
    }
  });

  test('refuses a deferred token that cannot be used', async () => {
    let answer: object = {};
    const { address } = await serve((_request, response) => response.end(JSON.stringify(answer)));
    const client = createTestClient(address);
    for (const token of [undefined, '', '..', 5]) {
      answer = { DeferredToken: token };
      const error = await errorOf(client.startDataDownload('a'));
      expect(error).toHaveProperty('problem', expect.stringContaining('DeferredToken'));
    }
  });

  test('treats a 200 whose body reports failure as a failure', async () => {
    let answer: object = {};
    const { address } = await serve((request, response) => {
      request.resume().on('end', () => response.end(JSON.stringify(answer)));
    });
    const client = createTestClient(address);
    const outcome = () => errorOf(client.uploadData('a', bytes(), upload));
    answer = { ...result, success: false };
    expect(await outcome()).toMatchObject({
      code: 'unexpectedAnswer',
      problem: 'success: false, status: 200',
    });
    answer = { ...result, status: 201 };
    expect(await outcome()).toMatchObject({ code: 'unexpectedAnswer' });
    answer = { ...result, success: false, status: 409, message: 'already there' };
    expect(await outcome()).toEqual({
      code: 'exists',
      status: 409,
      message: 'already there',
      activityToken: 'activity-1',
    });
  });

  test('returns the message and the activity token of a 409', async () => {
    const conflict = { success: false, status: 409, message: 'already exists', activityToken: 'activity-2' };
    const { address } = await serve((request, response) => {
      request.resume();
      response.writeHead(409).end(JSON.stringify(conflict));
    });
    expect(await errorOf(createTestClient(address).uploadData('a', bytes(), upload))).toEqual({
      code: 'exists',
      status: 409,
      message: 'already exists',
      activityToken: 'activity-2',
    });
  });

  test.each([
    ['12', 12],
    ['0', 0],
    [undefined, null],
    ['many', null],
    ['-1', null],
    ['1.5', null],
    ['1, 2', null],
    ['9'.repeat(20), null],
  ])('x-orginal-length %j is %j', async (value, lengthBytes) => {
    const { address } = await serve((request, response) => {
      if (request.url !== '/api/data/a') response.statusCode = 404;
      else if (value !== undefined) response.setHeader('X-ORGINAL-LENGTH', value);
      response.end();
    });
    expect(await createTestClient(address).headData('a')).toEqual({ lengthBytes });
  });
});

describe('the service’s clock', () => {
  const aheadMs = 600_000;

  test('is that of its answers, whatever they say', async () => {
    const { address } = await serve((request, response) => {
      const isSilly = request.url?.endsWith('silly') === true;
      response.setHeader('Date', isSilly ? 'soon' : new Date(Date.now() + aheadMs).toUTCString());
      response.writeHead(404).end();
    });
    const client = createTestClient(address);
    const offset = (ownMs = Date.now()) => client.momentOf(ownMs) - ownMs;
    expect(offset()).toBe(0);
    await errorOf(client.headData('silly'));
    expect(offset()).toBe(0);
    await errorOf(client.headData('a'));
    expect(Math.abs(offset() - aheadMs)).toBeLessThan(60_000);
  });

  test('is the one that a date in Retry-After is of', async () => {
    const { address } = await serve((_request, response) => {
      const nowMs = Date.now() + aheadMs;
      response.setHeader('Date', new Date(nowMs).toUTCString());
      response.setHeader('Retry-After', new Date(nowMs + 120_000).toUTCString());
      response.writeHead(429).end();
    });
    const error = await errorOf(createTestClient(address).headData('a'));
    expect(error).toMatchObject({ code: 'tooManyRequests' });
    const { retryAfterMs } = error as { retryAfterMs: number };
    expect(Math.abs(retryAfterMs - 120_000)).toBeLessThan(60_000);
  });
});

describe('what an upload sends', () => {
  test('leaves out an absent classification; sends chunked when the length is unknown', async () => {
    const seen: IncomingMessage[] = [];
    const { address } = await serve((request, response) => {
      seen.push(request);
      request.resume().on('end', () => response.end(JSON.stringify(result)));
    });
    const client = createTestClient(address);
    await client.uploadData('a', bytes(), { lengthBytes: null, classification: null });
    await client.uploadData('a', bytes(), { lengthBytes: 3, classification: '' });
    await client.uploadData('a', Readable.from([]), { lengthBytes: 0, classification: null });
    expect(seen.map(({ url }) => url)).toEqual(['/api/data/a', '/api/data/a', '/api/data/a']);
    expect(seen.map(({ headers }) => headers['content-length'])).toEqual([undefined, '3', '0']);
    expect(seen[0]?.headers['transfer-encoding']).toBe('chunked');
  });

  test.each([0, 1, 65_536, 65_537, 1_048_576])('bytes in memory: %i', async (sizeBytes) => {
    const seen: { lengthBytes: string | undefined; received: Buffer }[] = [];
    const { address } = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({ lengthBytes: request.headers['content-length'], received: Buffer.concat(chunks) });
        response.end(JSON.stringify(request.url?.includes('deferred') ? { DeferredToken: 't' } : result));
      });
    });
    const client = createTestClient(address);
    const content = Buffer.from(Array.from({ length: sizeBytes }, (_, index) => index % 251));
    await client.uploadData('a', content, { lengthBytes: sizeBytes, classification: null });
    await client.startDataUpload('a', new Uint8Array(content), { lengthBytes: null, classification: null });
    for (const { lengthBytes, received } of seen) {
      expect(lengthBytes).toBe(String(sizeBytes));
      expect(received.equals(content)).toBe(true);
    }
    expect(seen).toHaveLength(2);
    const other = client.uploadData('a', content, { lengthBytes: sizeBytes + 1, classification: null });
    expect(await errorOf(other)).toMatchObject({ code: 'invalidInput', field: 'lengthBytes' });
    expect(seen).toHaveLength(2);
  });

  test('sends any classification unchanged', async () => {
    let received: string | null = null;
    const { address } = await serve((request, response) => {
      received = new URL(request.url ?? '', 'http://x').searchParams.get('classstr');
      request.resume().on('end', () => response.end(JSON.stringify(result)));
    });
    const client = createTestClient(address);
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, async (classification) => {
        await client.uploadData('a', bytes(), { lengthBytes: 3, classification });
        expect(received).toBe(classification);
      }),
      { numRuns: runs(50) },
    );
  });
});

describe('through a real HTTP server', () => {
  test('stores and returns identifiers and bytes unchanged', async () => {
    const stored = new Map<string, Buffer>();
    const { address } = await serve((request, response) => {
      const id = decodeURIComponent((request.url ?? '').slice('/api/data/'.length));
      if (request.method === 'GET') {
        response.setHeader('content-type', 'application/octet-stream').end(stored.get(id));
        return;
      }
      void collect(request).then((body) => {
        stored.set(id, body);
        response.end(JSON.stringify(result));
      });
    });
    const client = createTestClient(address);
    const ids = fc.oneof(
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }).filter((id) => checkObjectId(id).ok),
      fc.constantFrom(
        ' ',
        'a b',
        '/',
        'a/../b',
        './x',
        '%',
        '%2e',
        '%2E%2E',
        '%00',
        '#',
        '?x=1',
        '+',
        '🗝️',
        'שלום/عربي',
        '\u202e',
        '\\',
        '...',
      ),
    );
    await fc.assert(
      fc.asyncProperty(ids, fc.uint8Array({ maxLength: 2000 }), async (id, content) => {
        stored.clear();
        await client.uploadData(id, Readable.from([Buffer.from(content)]), {
          lengthBytes: content.length,
          classification: null,
        });
        expect([...stored.keys()]).toEqual([id]);
        const { body } = await client.downloadData(id);
        expect((await collect(body)).equals(content)).toBe(true);
      }),
      { numRuns: runs(150) },
    );
  });

  test('5 MB in small and in one large piece, with and without a length', { tags: 'all' }, async () => {
    const content = randomBytes(5_000_000);
    let received: Buffer = Buffer.alloc(0);
    const { address } = await serve((request, response) => {
      void collect(request).then((body) => {
        received = body;
        response.end(JSON.stringify(result));
      });
    });
    const client = createTestClient(address);
    async function* pieces() {
      for (let start = 0; start < content.length; start += 9_999)
        yield content.subarray(start, start + 9_999);
    }
    for (const source of [() => pieces(), () => Readable.from([content])]) {
      for (const lengthBytes of [content.length, null]) {
        received = Buffer.alloc(0);
        await client.uploadData('a', source(), { lengthBytes, classification: null });
        expect(received.equals(content)).toBe(true);
      }
    }
  });

  test('refuses identifiers that cannot be sent before it sends anything', async () => {
    let requestCount = 0;
    const { address } = await serve((_request, response) => {
      requestCount += 1;
      response.end();
    });
    const client = createTestClient(address);
    for (const id of ['', '.', '..', '\ud83d']) {
      expect(await errorOf(client.headData(id))).toMatchObject({ code: 'badIdentifier' });
      expect(await errorOf(client.uploadData(id, bytes(), upload))).toMatchObject({ code: 'badIdentifier' });
      expect(await errorOf(client.checkDataDeferred(id))).toMatchObject({ code: 'badIdentifier' });
    }
    expect(requestCount).toBe(0);
  });
});
