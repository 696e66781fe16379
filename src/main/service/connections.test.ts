import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  collect,
  createTestClient,
  errorOf,
  serve,
  serveRaw,
} from '../../../test-support/main/service/test-server.ts';

const result = JSON.stringify({ success: true, status: 200, message: 'done', activityToken: 'activity-1' });
const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${result.length}\r\n\r\n${result}`;
const noClass = { classification: null };
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';

describe('1xx responses', () => {
  /** Answers each complete request with these pieces, each written separately. */
  function serveInterim(pieces: string[]) {
    return serveRaw((socket) => {
      socket.setNoDelay(true);
      let received = '';
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1');
        const [head, body] = received.split('\r\n\r\n');
        const lengthBytes = Number(/content-length: (\d+)/i.exec(head ?? '')?.[1] ?? 0);
        if (body === undefined || body.length < lengthBytes) return;
        received = '';
        void (async () => {
          for (const piece of pieces) {
            socket.write(piece);
            await new Promise((resolve) => setImmediate(resolve));
          }
        })();
      });
    });
  }

  test.each([
    ['one 100', [goOn, answer]],
    ['together with the answer', [goOn + answer]],
    ['several, of other kinds too', [goOn + hints, goOn, answer]],
    ['a byte at a time', (goOn + hints + answer).split('')],
    ['none, a byte at a time', answer.split('')],
  ])('are skipped: %s', async (_name, pieces) => {
    const { address, sockets } = await serveInterim(pieces);
    const client = createTestClient(address);
    for (let round = 0; round < 3; round += 1) {
      const source = (async function* () {
        yield Buffer.from('hello');
      })();
      await expect(client.uploadData('a', source, { lengthBytes: 5, ...noClass })).resolves.toMatchObject({
        success: true,
      });
      await expect(client.deleteData('a')).resolves.toMatchObject({ success: true });
    }
    expect(sockets.size).toBe(1);
  });

  test('leaves what looks like a 1xx inside a body', async () => {
    const text = goOn + answer;
    const { address } = await serveInterim([
      `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n`,
      text,
    ]);
    const { body } = await createTestClient(address).downloadData('a');
    expect((await collect(body)).toString()).toBe(text);
  });

  test('reports a protocol change as an error', async () => {
    const { address } = await serveInterim([
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ]);
    expect((await errorOf(createTestClient(address).headData('a'))).code).toBe('unexpectedAnswer');
  });

  test.each([
    ['an end after it', goOn, { code: 'connectionLost' }],
    ['an end within it', 'HTTP/1.1 10', { code: 'connectionLost' }],
    ['another word', 'HTTP/1.1 1xx\r\n\r\n', { code: 'unexpectedAnswer' }],
  ])('%s is no answer', async (_name, bytes, expected) => {
    const { address } = await serveRaw((socket) => {
      socket.once('data', () => socket.end(bytes));
    });
    expect(await errorOf(createTestClient(address).deleteData('a'))).toMatchObject(expected);
  });

  test('gives up on a service that sends nothing but 1xx', async () => {
    const { address } = await serveRaw((socket) => {
      const again = setInterval(() => socket.write(goOn), 5);
      socket.on('close', () => clearInterval(again));
    });
    const client = createTestClient(address, { timeouts: { headersMs: 300 } });
    expect(await errorOf(client.deleteData('a'))).toMatchObject({ code: 'answerTimeout', phase: 'headers' });
  });
});

test('uses few connections for many HEADs, four at a time', async () => {
  const connections = new Set<unknown>();
  const { address } = await serve((request, response) => {
    connections.add(request.socket);
    response.setHeader('x-orginal-length', 5).end();
  });
  const client = createTestClient(address);
  let left = 30;
  const work = async () => {
    while (left-- > 0) expect(await client.headData('a')).toEqual({ lengthBytes: 5 });
  };
  await Promise.all([work(), work(), work(), work()]);
  expect(connections.size).toBeLessThanOrEqual(4);
});

test('keeps nothing of finished requests on a long-lived signal', async () => {
  const { address } = await serve((request, response) => {
    if (request.url?.includes('gone')) response.writeHead(404).end();
    else response.end('content');
  });
  const client = createTestClient(address);
  const { signal } = new AbortController();
  for (let round = 0; round < 20; round += 1) {
    const { body } = await client.downloadData('a', { signal });
    await collect(body);
    await errorOf(client.downloadData('gone', { signal }));
  }
  await expect.poll(() => getEventListeners(signal, 'abort').length).toBe(0);
  // Node's internal set of signals that depend on this one.
  const inside = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const dependants: unknown = inside && Reflect.get(signal, inside);
  expect(dependants instanceof Set ? dependants.size : 0).toBe(0);
});

test('closing when idle lets the last request end and takes no other', async () => {
  const half = Promise.withResolvers<ServerResponse>();
  const { address, sockets } = await serve((_request, response) => {
    response.setHeader('content-length', 5).write('he');
    half.resolve(response);
  });
  const client = createTestClient(address);
  const { body } = await client.downloadData('a');
  const closed = client.close({ whenIdle: true });
  expect((await errorOf(client.downloadData('b'))).code).toBe('cancelled');
  (await half.promise).end('llo');
  expect((await collect(body)).toString()).toBe('hello');
  await closed;
  await expect.poll(() => sockets.size).toBe(0);
});
