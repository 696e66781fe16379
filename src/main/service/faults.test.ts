import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { AppFailure } from '../../shared/app-failure.ts';
import {
  collect,
  createTestClient,
  errorOf,
  serve,
  serveBytes,
  serveRaw,
  serveTls,
  testToken,
} from '../../../test-support/main/service/test-server.ts';
import { ownPort } from '../../../e2e/faults/own-port.ts';
import { eventually } from '../../../test-support/eventually.ts';

const result = JSON.stringify({ success: true, status: 200, message: 'done', activityToken: 'activity-1' });
const noClass = { classification: null };
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}.pem`, import.meta.url), 'utf8');

/** `lengthBytes` of zeros in pieces; reports how much was read and whether it was destroyed. */
function zeros(lengthBytes: number, pieceBytes = 65_536) {
  let takenBytes = 0;
  const stream = new Readable({
    read() {
      const sizeBytes = Math.min(pieceBytes, lengthBytes - takenBytes);
      takenBytes += sizeBytes;
      this.push(sizeBytes === 0 ? null : Buffer.alloc(sizeBytes));
    },
  });
  return { stream, takenBytes: () => takenBytes };
}

/** A body that yields its first bytes and then stalls for ever. */
function stalled(): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push('abc');
  return stream;
}

function download(address: string, options = {}): Promise<Buffer> {
  return createTestClient(address, options)
    .downloadData('a')
    .then(({ body }) => collect(body));
}

describe('incomplete downloads', () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const lost = { code: 'connectionLost', outcomeUnknown: false };

  test.each([
    [
      'a length, ended early',
      `${head}content-length: 10\r\n\r\nabc`,
      'end',
      { ...lost, doneBytes: 3, expectedBytes: 10 },
    ],
    [
      'a length, connection: close, ended early',
      `${head}connection: close\r\ncontent-length: 10\r\n\r\nabc`,
      'end',
      { ...lost, doneBytes: 3, expectedBytes: 10 },
    ],
    ['a length, reset', `${head}content-length: 10\r\n\r\nabc`, 'reset', lost],
    [
      'a length, connection: close, reset',
      `${head}connection: close\r\ncontent-length: 10\r\n\r\nabc`,
      'reset',
      lost,
    ],
    [
      'chunked, ended early',
      `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`,
      'end',
      { ...lost, doneBytes: 3, expectedBytes: null },
    ],
    [
      'chunked, ended inside a chunk',
      `${head}transfer-encoding: chunked\r\n\r\na\r\nabc`,
      'end',
      { ...lost, doneBytes: 3 },
    ],
    [
      'chunked, connection: close, ended early',
      `${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`,
      'end',
      lost,
    ],
    [
      'chunked, connection: close, reset',
      `${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`,
      'reset',
      lost,
    ],
    ['chunked, nonsense inside', `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n`, 'keep', lost],
  ] as const)('%s', async (_name, answer, then, error) => {
    const { address } = await serveBytes(answer, then);
    expect(await errorOf(download(address))).toMatchObject(error);
  });

  test('until the connection ends, reset', async () => {
    let connection: Socket | undefined;
    const { address } = await serveRaw((socket) => {
      connection = socket;
      socket.once('data', () => socket.write(`${head}\r\nabc`));
    });
    const { body } = await createTestClient(address).downloadData('a');
    // Together with the last bytes a reset looks like an end, so it is sent separately.
    body.once('data', () => connection?.resetAndDestroy());
    expect(await errorOf(finished(body.resume(), { writable: false }))).toMatchObject(lost);
  });

  test.each(['', 'connection: close\r\n'])(
    'what follows the announced length is never part of the object (%j)',
    async (header) => {
      let connectionCount = 0;
      const { address } = await serveRaw((socket) => {
        connectionCount += 1;
        socket.on('data', () =>
          socket.write(`${head}${header}content-length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n`),
        );
      });
      const client = createTestClient(address);
      for (let round = 1; round <= 3; round += 1) {
        const { body } = await client.downloadData('a');
        expect((await collect(body)).toString()).toBe('abc');
        expect(connectionCount).toBe(round);
      }
    },
  );

  test.each([
    ['a length', `${head}content-length: 3\r\n\r\nabc`, 3],
    ['chunks', `${head}transfer-encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n`, null],
    ['the end of the connection', `${head}\r\nabc`, null],
  ] as const)('whole by %s', async (_name, answer, lengthBytes) => {
    const { address } = await serveBytes(answer);
    const answered = await createTestClient(address).downloadData('a');
    expect(answered).toMatchObject({ lengthBytes, originalLengthBytes: null });
    expect((await collect(answered.body)).toString()).toBe('abc');
  });

  test('understands a response that arrives byte by byte', async () => {
    const { address } = await serveRaw((socket) => {
      socket.setNoDelay(true);
      socket.once('data', () => {
        void (async () => {
          for (const byte of `${head}X-Orginal-Length: 3\r\ncontent-length: 3\r\n\r\nabc`) {
            socket.write(byte);
            await new Promise(setImmediate);
          }
        })();
      });
    });
    const answered = await createTestClient(address).downloadData('a');
    expect(answered).toMatchObject({ lengthBytes: 3, originalLengthBytes: 3 });
    expect((await collect(answered.body)).toString()).toBe('abc');
  });
});

describe('invalid responses', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', 'keep', { code: 'unexpectedAnswer', status: 0 }],
    ['nothing', '', 'end', { code: 'connectionLost', outcomeUnknown: false }],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-', 'end', { code: 'connectionLost' }],
    [
      'a head without end',
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`,
      'keep',
      { code: 'unexpectedAnswer', status: 0 },
    ],
    ['a reset', '', 'reset', { code: 'connectionLost' }],
  ] as const)('%s', async (_name, answer, then, error) => {
    const { address } = await serveBytes(answer, then);
    expect(await errorOf(createTestClient(address).headData('a'))).toMatchObject(error);
  });

  test.each(['uploadData', 'deleteData'] as const)(
    '%s: a lost answer leaves the outcome unknown',
    async (operation) => {
      const { address } = await serveBytes('', 'reset');
      const client = createTestClient(address);
      const call =
        operation === 'uploadData'
          ? client.uploadData('a', zeros(10).stream, { lengthBytes: 10, ...noClass })
          : client.deleteData('a');
      expect(await errorOf(call)).toMatchObject({ code: 'connectionLost', outcomeUnknown: true });
    },
  );

  test('a response lost in its body leaves the outcome of an upload unknown', async () => {
    const { address } = await serveBytes('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"succ');
    const call = createTestClient(address).uploadData('a', zeros(10).stream, { lengthBytes: 10, ...noClass });
    expect(await errorOf(call)).toMatchObject({ code: 'connectionLost', outcomeUnknown: true });
  });

  test('reports a refused connection and an unknown host name', async () => {
    const port = await ownPort();
    const upload = createTestClient(`http://127.0.0.1:${port}`).uploadData('a', stalled(), {
      lengthBytes: 9,
      ...noClass,
    });
    expect(await errorOf(upload)).toEqual({
      code: 'unreachable',
      host: `127.0.0.1:${port}`,
      reason: 'refused',
    });
    // A resolver on a busy machine may need this long.
    const timeouts = { connectMs: 30_000 };
    const nowhere = createTestClient('https://nowhere.invalid', { timeouts }).headData('a');
    expect(await errorOf(nowhere)).toMatchObject({ code: 'unreachable', reason: 'dns' });
  });
});

describe('redirects and origins', () => {
  test('does not follow a redirect or send the token anywhere else', async () => {
    const visits: (string | undefined)[] = [];
    const elsewhere = await serve((request, response) => {
      visits.push(request.headers.authorization);
      response.end('["Public"]');
    });
    const { address } = await serve((request, response) => {
      request.resume();
      response.writeHead(307, { location: elsewhere.address }).end();
    });
    const client = createTestClient(address);
    expect(await errorOf(client.headData('a'))).toMatchObject({ code: 'unexpectedAnswer', status: 307 });
    expect(
      await errorOf(client.uploadData('a', zeros(9).stream, { lengthBytes: 9, ...noClass })),
    ).toMatchObject({ status: 307 });
    expect(visits).toEqual([]);
    expect(await client.fetchClassifications(`${elsewhere.address}/list`)).toEqual([
      { name: 'Public', description: null },
    ]);
    expect(visits).toEqual([undefined]);
  });

  test('refuses a token that cannot be a header value, without showing it', async () => {
    const client = createTestClient('http://127.0.0.1:9', { getToken: () => 'secret\r\nx: y' });
    const error = await errorOf(client.headData('a'));
    expect(error).toMatchObject({ code: 'invalidInput', field: 'token' });
    expect(JSON.stringify(error)).not.toContain('secret');
  });
});

describe('a response before the body is read', () => {
  const answer = 'HTTP/1.1 413 Bad Request\r\ncontent-length: 0\r\n\r\n';

  for (const [name, respond] of [
    ['closes at once', (socket: Socket) => socket.end(answer)],
    ['resets', (socket: Socket) => socket.write(answer, () => socket.resetAndDestroy())],
    ['destroys', (socket: Socket) => socket.write(answer, () => socket.destroy())],
    ['stays and reads nothing more', (socket: Socket) => socket.write(answer)],
    ['announces a body that never comes', (socket: Socket) => socket.write(answer.replace(': 0', ': 50'))],
  ] as const)
    test(`a service that ${name}`, { tags: ['resets', 'destroys'].includes(name) ? 'all' : [] }, async () => {
      const { address, sockets } = await serveRaw((socket) => {
        socket.once('data', () => {
          socket.pause();
          respond(socket);
        });
      });
      const client = createTestClient(address);
      for (let round = 0; round < (name.startsWith('announces') ? 1 : 10); round += 1) {
        const { stream, takenBytes } = zeros(50_000_000);
        expect(
          await errorOf(client.uploadData('a', stream, { lengthBytes: 50_000_000, ...noClass })),
        ).toEqual({
          code: 'tooLarge',
          status: 413,
        });
        expect(stream.destroyed).toBe(true);
        expect(takenBytes()).toBeLessThan(50_000_000);
      }
      await client.close();
      // The other side does not read, and only reading reveals that the connection is gone.
      for (const socket of sockets) socket.resume();
      await eventually(() =>
        expect([...sockets].filter((socket) => !socket.readableEnded && !socket.destroyed)).toEqual([]),
      );
    });

  test('reads the response that is in the receive buffer when a write fails', async () => {
    const source = stalled();
    const { address } = await serveRaw((socket) => {
      socket.once('data', () => {
        socket.write(answer);
        socket.resetAndDestroy();
        source.push(Buffer.alloc(100_000));
      });
    });
    expect(
      await errorOf(createTestClient(address).uploadData('a', source, { lengthBytes: null, ...noClass })),
    ).toEqual({
      code: 'tooLarge',
      status: 413,
    });
  });

  test('reports a 401 before the source has yielded a byte', async () => {
    const { address } = await serve((_request, response) => response.writeHead(401).end());
    const source = stalled();
    expect(
      await errorOf(createTestClient(address).uploadData('a', source, { lengthBytes: 9, ...noClass })),
    ).toEqual({
      code: 'tokenRefused',
      status: 401,
    });
    expect(source.destroyed).toBe(true);
  });

  test('rejects a success before the whole body was sent', async () => {
    const { address } = await serve((_request, response) => response.end(result));
    const call = createTestClient(address).uploadData('a', stalled(), { lengthBytes: 9, ...noClass });
    expect(await errorOf(call)).toMatchObject({ code: 'unexpectedAnswer', status: 200 });
  });

  test('lets a source that reaches its end late finish', async () => {
    const { address } = await serve((request, response) => {
      request.resume().on('end', () => response.end(result));
    });
    const source = stalled();
    await createTestClient(address).uploadData('a', source, { lengthBytes: 3, ...noClass });
    expect(source.destroyed).toBe(false);
    source.push(null);
    await eventually(() => expect(source.readableEnded).toBe(true));
  });
});

describe('the source of an upload', () => {
  async function uploadFrom(
    source: Readable | AsyncIterable<Uint8Array>,
    lengthBytes: number | null,
  ): Promise<unknown> {
    const { address, sockets } = await serve((request, response) => {
      request.resume().on('end', () => response.end(result));
    });
    const client = createTestClient(address);
    const outcome = await client
      .uploadData('a', source, { lengthBytes, ...noClass })
      .catch((cause: unknown) => cause);
    await client.close();
    await eventually(() => expect(sockets.size).toBe(0));
    return outcome;
  }

  test("throws the source's own error as it is", async () => {
    const failure = new AppFailure({ code: 'fileUnreadable', fileName: 'x' });
    async function* failing() {
      yield Buffer.alloc(5);
      throw failure;
    }
    expect(await uploadFrom(failing(), 10)).toBe(failure);
    expect(await uploadFrom(failing(), null)).toBe(failure);
  });

  test.each([
    ['shorter', 11],
    ['longer', 9],
  ])('%s than announced', async (_name, lengthBytes) => {
    async function* pieces() {
      yield Buffer.alloc(5);
      await new Promise(setImmediate);
      yield Buffer.alloc(5);
    }
    const outcome = await uploadFrom(pieces(), lengthBytes);
    expect(outcome).toMatchObject({ error: { code: 'invalidInput', field: 'lengthBytes' } });
  });

  test('destroys the source when nothing is sent', async () => {
    const source = stalled();
    const client = createTestClient('http://127.0.0.1:9', { getToken: () => null });
    const call = client.uploadData('a', source, { lengthBytes: 9, ...noClass });
    expect(await errorOf(call)).toEqual({ code: 'tokenMissing' });
    expect(source.destroyed).toBe(true);
  });

  test('destroyed early', async () => {
    const source = stalled();
    const outcome = uploadFrom(source, 10);
    await eventually(() => expect(source.readableLength).toBe(0));
    source.destroy();
    expect(await outcome).toBeInstanceOf(Error);
  });
});

describe('timeouts', () => {
  const timeouts = { headersMs: 300 };

  test('no response', async () => {
    const { address, sockets } = await serveRaw((socket) => void socket.resume());
    const client = createTestClient(address, { timeouts });
    expect(await errorOf(client.headData('a'))).toEqual({
      code: 'answerTimeout',
      phase: 'headers',
      afterMs: 300,
    });
    const upload = client.uploadData('a', zeros(10).stream, { lengthBytes: 10, ...noClass });
    expect(await errorOf(upload)).toEqual({ code: 'answerTimeout', phase: 'headers', afterMs: 300 });
    await eventually(() => expect([...sockets].every((socket) => socket.readableEnded)).toBe(true));
  });

  test('a body that stalls', async () => {
    const { address } = await serveBytes('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', 'keep');
    expect(await errorOf(download(address, { timeouts: { idleBodyMs: 300 } }))).toEqual({
      code: 'answerTimeout',
      phase: 'body',
      afterMs: 300,
    });
  });

  test('a service that stops taking the body', async () => {
    const { address } = await serveRaw((socket) => void socket.pause());
    const { stream } = zeros(50_000_000);
    const call = createTestClient(address, { timeouts }).uploadData('a', stream, {
      lengthBytes: 50_000_000,
      ...noClass,
    });
    expect(await errorOf(call)).toMatchObject({ code: 'answerTimeout', phase: 'headers' });
    expect(stream.destroyed).toBe(true);
  });

  test.each([10, 20_000_000])(
    '%i bytes that are all there, and nobody takes or answers them',
    async (size) => {
      const { address } = await serveRaw((socket) => void socket.pause());
      const call = createTestClient(address, { timeouts }).uploadData('a', Buffer.alloc(size), {
        lengthBytes: size,
        ...noClass,
      });
      expect(await errorOf(call)).toEqual({ code: 'answerTimeout', phase: 'headers', afterMs: 300 });
    },
  );

  // Such as during a drag on Windows, or asleep. Of undici's own timeouts too (lib/util/timers.js: ticks are counted, not time).
  test.each(['headers', 'an upload', 'a body'])(
    'an answer that came while this process stood still counts: %s',
    async (what) => {
      const arrived = Promise.withResolvers<ServerResponse>();
      const { address } = await serve((request, response) => {
        response.setHeader('content-length', what === 'headers' ? 0 : result.length);
        response.setHeader('x-orginal-length', result.length);
        if (what === 'a body') response.write(result.slice(0, 1));
        request.resume().on('end', () => arrived.resolve(response));
      });
      // More than one of undici's ticks, which are half a second, and less than the standstill.
      const client = createTestClient(address, { timeouts: { headersMs: 1200, idleBodyMs: 1200 } });
      const call = {
        headers: () => client.headData('a'),
        'an upload': () => client.uploadData('a', zeros(10).stream, { lengthBytes: 10, ...noClass }),
        'a body': async () => collect((await client.downloadData('a')).body),
      }[what];
      const answered = call?.();
      answered?.catch(() => undefined);
      const response = await arrived.promise;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
      response.end(what === 'a body' ? result.slice(1) : what === 'headers' ? '' : result);
      await expect(answered).resolves.toBeTruthy();
    },
  );

  test('reports a slow request without its identifier', async () => {
    const { address } = await serve((request, response) => {
      void setTimeout(150).then(() => response.end(request.method === 'POST' ? result : 'x'));
    });
    const slow: object[] = [];
    const client = createTestClient(address, {
      timeouts: { slowMs: 100 },
      onSlow: (told) => slow.push(told),
    });
    await client.uploadData('plans.txt', Buffer.from('abc'), { lengthBytes: 3, ...noClass });
    const facts = { method: 'POST', operation: 'api/data', sentBytes: 3, status: 200 };
    expect(slow).toEqual([{ ...facts, elapsedMs: expect.any(Number) }]);
  });

  test('waits for a slow source', async () => {
    const { address } = await serve((request, response) => {
      request.resume().on('end', () => response.end(result));
    });
    async function* slow() {
      yield Buffer.alloc(10);
      // Longer than the timeout, on purpose.
      await setTimeout(600);
      yield Buffer.alloc(20);
    }
    const client = createTestClient(address, { timeouts: { headersMs: 500 } });
    expect(await client.uploadData('a', slow(), { lengthBytes: 30, ...noClass })).toMatchObject({
      success: true,
    });
  });

  test('does not cut a body that moves slowly through buffers', async () => {
    // The buffers of both ends take longer than the limit to drain.
    const lengthBytes = 12_000_000;
    const { stream } = zeros(lengthBytes);
    const { address } = await serve((request, response) => {
      // Reads whatever is due by now, so that late timers do not slow it down.
      const readSlowly = async () => {
        const bytesPerMs = 1_500;
        const startedMs = performance.now();
        let takenBytes = 0;
        for await (const chunk of request) {
          takenBytes += (chunk as Buffer).length;
          const earlyMs = takenBytes / bytesPerMs - (performance.now() - startedMs);
          if (earlyMs > 0) await setTimeout(earlyMs);
        }
        response.end(result);
      };
      readSlowly().catch(() => response.destroy());
    });
    const client = createTestClient(address, { timeouts: { headersMs: 2_000 } });
    const answer = await client.uploadData('a', stream, { lengthBytes, ...noClass });
    expect(answer).toMatchObject({ success: true });
  });

  test('a connection that is never established', async () => {
    const { port } = await serveRaw((socket) => void socket.resume());
    const client = createTestClient(`https://127.0.0.1:${port}`, { timeouts: { connectMs: 300 } });
    expect(await errorOf(client.headData('a'))).toMatchObject({ code: 'unreachable', reason: 'timeout' });
  });
});

describe('abort', () => {
  const goneFrom = (sockets: Set<Socket>) => eventually(() => expect(sockets.size).toBe(0));

  test('rejects when aborted before anything is sent', async () => {
    const source = stalled();
    const signal = AbortSignal.abort();
    const call = createTestClient('http://127.0.0.1:9').uploadData('a', source, {
      lengthBytes: 9,
      ...noClass,
      signal,
    });
    expect(await errorOf(call)).toEqual({ code: 'cancelled' });
    expect(source.destroyed).toBe(true);
  });

  test('while connecting', async () => {
    const abort = new AbortController();
    const { port, sockets } = await serveRaw((socket) => {
      socket.resume().once('end', () => socket.destroy());
      abort.abort();
    });
    const source = stalled();
    const client = createTestClient(`https://127.0.0.1:${port}`);
    const call = client.uploadData('a', source, { lengthBytes: 9, ...noClass, signal: abort.signal });
    expect(await errorOf(call)).toEqual({ code: 'cancelled' });
    expect(source.destroyed).toBe(true);
    await goneFrom(sockets);
  });

  test('while connecting, with another request right after', async () => {
    const abort = new AbortController();
    let connectionCount = 0;
    const { port } = await serveRaw((socket) => {
      connectionCount += 1;
      // Not TLS: the first connection hangs, the second is refused.
      if (connectionCount === 1) abort.abort();
      else socket.end('no TLS');
    });
    const client = createTestClient(`https://127.0.0.1:${port}`);
    expect(await errorOf(client.headData('a', { signal: abort.signal }))).toEqual({ code: 'cancelled' });
    expect(await errorOf(client.headData('a'))).toMatchObject({ code: 'unreachable', reason: 'tls' });
    expect(connectionCount).toBe(2);
  });

  test('while the source has nothing to send', async () => {
    const abort = new AbortController();
    const { address, sockets } = await serve(() => abort.abort());
    const source = stalled();
    const call = createTestClient(address).uploadData('a', source, {
      lengthBytes: 9,
      ...noClass,
      signal: abort.signal,
    });
    expect(await errorOf(call)).toEqual({ code: 'cancelled' });
    expect(source.destroyed).toBe(true);
    await goneFrom(sockets);
  });

  test('while the service accepts nothing', async () => {
    const abort = new AbortController();
    let blocked: IncomingMessage | undefined;
    const { address, sockets } = await serve((request) => (blocked = request));
    const { stream, takenBytes } = zeros(50_000_000);
    const call = createTestClient(address).uploadData('a', stream, {
      lengthBytes: 50_000_000,
      ...noClass,
      signal: abort.signal,
    });
    const error = errorOf(call);
    await eventually(() => expect(takenBytes()).toBeGreaterThan(200_000));
    await eventually(() => expect(blocked).toBeDefined());
    abort.abort();
    expect(await error).toEqual({ code: 'cancelled' });
    expect(stream.destroyed).toBe(true);
    // Only reading reveals that a connection is gone.
    blocked?.resume();
    await goneFrom(sockets);
  });

  test('while waiting for the response', async () => {
    const abort = new AbortController();
    const { address, sockets } = await serve(
      (request) => void request.resume().on('end', () => abort.abort()),
    );
    expect(await errorOf(createTestClient(address).deleteData('a', { signal: abort.signal }))).toEqual({
      code: 'cancelled',
    });
    await goneFrom(sockets);
  });

  test('while the body arrives, also by destroying it', async () => {
    const { address, sockets } = await serve((_request, response) => void response.write('abc'));
    const client = createTestClient(address);
    const abort = new AbortController();
    const { body } = await client.downloadData('a', { signal: abort.signal });
    const reading = errorOf(collect(body));
    abort.abort();
    expect(await reading).toEqual({ code: 'cancelled' });
    await goneFrom(sockets);

    const second = await client.downloadData('a');
    second.body.destroy();
    await goneFrom(sockets);
  });

  test('after the response and before anybody reads it', async () => {
    const { address, sockets } = await serve((_request, response) => void response.write('abc'));
    const abort = new AbortController();
    const { body } = await createTestClient(address).downloadData('a', { signal: abort.signal });
    abort.abort();
    await goneFrom(sockets);
    expect(await errorOf(collect(body))).toEqual({ code: 'cancelled' });
  });

  test('close cancels running requests', async () => {
    const { address, sockets } = await serve((_request, response) => void response.write('abc'));
    const client = createTestClient(address);
    const { body } = await client.downloadData('a');
    const waiting = errorOf(collect(body));
    await client.close();
    expect(await waiting).toEqual({ code: 'cancelled' });
    expect(await errorOf(client.headData('a'))).toEqual({ code: 'cancelled' });
    await goneFrom(sockets);
  });
});

describe('back-pressure', () => {
  /** Resolves when the count has started and then stays still for longer than the idle timeout below. */
  async function untilStill(count: () => number): Promise<void> {
    let seen = 0;
    for (let stillChecks = 0; stillChecks < 3;) {
      await setTimeout(400);
      stillChecks = count() > 0 && count() === seen ? stillChecks + 1 : 0;
      seen = count();
    }
  }

  test('a download waits for its reader for longer than the idle timeout', async () => {
    const { stream, takenBytes } = zeros(50_000_000);
    const { address } = await serve((_request, response) => void stream.pipe(response));
    const { body } = await createTestClient(address, { timeouts: { idleBodyMs: 1000 } }).downloadData('a');
    await untilStill(takenBytes);
    expect(takenBytes()).toBeLessThan(20_000_000);
    expect(body.readableLength).toBeLessThan(500_000);
    expect((await collect(body)).length).toBe(50_000_000);
  });

  test('an upload waits for the service', async () => {
    const { stream, takenBytes } = zeros(50_000_000);
    const { address } = await serve((request, response) => {
      void untilStill(takenBytes).then(() => {
        expect(takenBytes()).toBeLessThan(20_000_000);
        request.resume().on('end', () => response.end(result));
      });
    });
    await createTestClient(address).uploadData('a', stream, { lengthBytes: 50_000_000, ...noClass });
    expect(takenBytes()).toBe(50_000_000);
  });

  for (const scheme of ['http', 'https'])
    test(
      `a piece's memory is free when the next one is asked for, ${scheme}`,
      { tags: scheme === 'https' ? 'all' : [] },
      async () => {
        let received: Buffer = Buffer.alloc(0);
        const take: RequestListener = (request, response) => {
          // The connection fills up first.
          void setTimeout(200)
            .then(() => collect(request))
            .then((bytes) => {
              received = bytes;
              response.end(result);
            });
        };
        const { port } = await (scheme === 'http' ? serve(take) : serveTls(fixture('trusted'), take));
        const pieceBytes = 1024 * 1024;
        async function* overwritten() {
          const memory = Buffer.alloc(pieceBytes);
          for (let number = 0; number < 24; number += 1) yield memory.fill(number);
        }
        const client = createTestClient(`${scheme}://127.0.0.1:${port}`, { authorities: fixture('ca') });
        await client.uploadData('a', overwritten(), { lengthBytes: 24 * pieceBytes, ...noClass });
        for (let number = 0; number < 24; number += 1) {
          const piece = received.subarray(number * pieceBytes, (number + 1) * pieceBytes);
          expect(piece.equals(Buffer.alloc(pieceBytes, number))).toBe(true);
        }
      },
    );

  test('reuses connections', async () => {
    let connectionCount = 0;
    const { address } = await serveRaw((socket) => {
      connectionCount += 1;
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc'));
    });
    const client = createTestClient(address);
    for (let round = 0; round < 5; round += 1) {
      const { body } = await client.downloadData('a');
      await collect(body);
    }
    // The pool may open a second one while the first is about to become free.
    expect(connectionCount).toBeLessThanOrEqual(2);
  });
});

test('no error ever shows the token', async () => {
  const { address } = await serve((request, response) => {
    request.resume();
    response
      .writeHead(400, { 'x-echo': request.headers.authorization })
      .end(JSON.stringify({ message: testToken }));
  });
  expect(JSON.stringify(await errorOf(createTestClient(address).headData('a')))).not.toContain(testToken);
});

describe('responses that are encoded although no encoding was requested', () => {
  const bytes = Buffer.from('the bytes of the object '.repeat(500));
  const encode: Record<string, (of: Buffer) => Buffer> = {
    gzip: gzipSync,
    'X-GZip': gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    'identity, gzip': gzipSync,
    identity: (of) => of,
  };
  const encoded =
    (encoding: string, body: Buffer, status = 200): RequestListener =>
    (request, response) => {
      request.resume();
      const coded = encode[encoding]?.(body) ?? body;
      response.writeHead(status, {
        'content-encoding': encoding,
        'content-length': coded.length,
        'x-orginal-length': bytes.length,
      });
      response.end(request.method === 'HEAD' ? undefined : coded);
    };

  test.each(Object.keys(encode))('%s: the bytes are those that were stored', async (encoding) => {
    const { address } = await serve(encoded(encoding, bytes));
    const client = createTestClient(address);
    for (const answer of [
      client.downloadData('a'),
      client.fetchDataDeferred('t'),
      client.fetchSecretDeferred('t'),
    ]) {
      const { body, lengthBytes, originalLengthBytes } = await answer;
      expect(lengthBytes).toBe(encoding === 'identity' ? bytes.length : null);
      expect(originalLengthBytes).toBe(bytes.length);
      expect((await collect(body)).equals(bytes)).toBe(true);
    }
    expect(await client.headData('a')).toEqual({ lengthBytes: bytes.length });
  });

  test('requests no encoding', async () => {
    const asked: unknown[] = [];
    const { address } = await serve((request, response) => {
      asked.push(request.headers['accept-encoding']);
      response.end('abc');
    });
    await download(address);
    expect(asked).toEqual(['identity']);
  });

  test.each(Object.keys(encode))('%s: results and errors are read', async (encoding) => {
    const conflict = JSON.stringify({ success: false, status: 409, message: 'is there', activityToken: 'a' });
    const { address } = await serve((request, response) => {
      const answer = request.url?.includes('start')
        ? JSON.stringify({ DeferredToken: 'token' })
        : request.url?.endsWith('/there')
          ? conflict
          : result;
      encoded(encoding, Buffer.from(answer), answer === conflict ? 409 : 200)(request, response);
    });
    const client = createTestClient(address);
    const options = { lengthBytes: null, ...noClass };
    const bytesOf = () => Readable.from([Buffer.from('abc')]);
    expect(await client.uploadData('a', bytesOf(), options)).toMatchObject({ activityToken: 'activity-1' });
    expect(await client.deleteData('a')).toMatchObject({ success: true });
    expect(await client.startDataUpload('a', bytesOf(), options)).toEqual({ deferredToken: 'token' });
    expect(await client.checkSecretDeferred('t')).toMatchObject({ state: 'complete' });
    expect(await errorOf(client.uploadData('there', bytesOf(), options))).toMatchObject({
      code: 'exists',
      message: 'is there',
    });
  });

  test.each(['zstd', 'gzip, br', 'x-compress'])(
    'cannot decode %s, and hands nothing of it on',
    async (encoding) => {
      const { address, sockets } = await serve(encoded(encoding, bytes));
      const client = createTestClient(address);
      const error = { code: 'unexpectedAnswer', status: 200, encoding };
      expect(await errorOf(client.downloadData('a'))).toMatchObject(error);
      expect(await errorOf(client.deleteData('a'))).toMatchObject(error);
      // HEAD has no body to be decoded.
      expect(await client.headData('a')).toEqual({ lengthBytes: bytes.length });
      await client.close();
      await eventually(() => expect(sockets.size).toBe(0));
    },
  );

  test("falls back to the status when an error's body cannot be decoded", async () => {
    const { address } = await serve(encoded('zstd', bytes, 403));
    expect(await errorOf(createTestClient(address).downloadData('a'))).toMatchObject({ code: 'forbidden' });
  });

  test('treats an empty body as empty, whatever encoding it names', async () => {
    const type = { 'content-type': 'application/octet-stream' };
    const { address } = await serve((_, response) =>
      response.writeHead(200, { ...type, 'content-encoding': 'gzip', 'content-length': 0 }).end(),
    );
    expect(await download(address)).toHaveLength(0);
  });

  test.each([
    ['without its end', (whole: Buffer) => whole.subarray(0, -3)],
    ['with something behind it', (whole: Buffer) => Buffer.concat([whole, Buffer.from('more')])],
    ['not encoded at all', () => bytes],
  ])('what was encoded, %s, is not taken for whole', async (_name, change) => {
    const { address, sockets } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(change(gzipSync(bytes)));
    });
    const client = createTestClient(address);
    const { body } = await client.downloadData('a');
    expect(await errorOf(collect(body))).toMatchObject({ code: 'unexpectedAnswer', status: 200 });
    await client.close();
    await eventually(() => expect(sockets.size).toBe(0));
  });

  test('reports a connection lost inside an encoded body as lost', async () => {
    const coded = gzipSync(bytes);
    const { address } = await serveRaw((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${coded.length}\r\n\r\n`);
        socket.end(coded.subarray(0, coded.length >> 1));
      });
    });
    expect(await errorOf(download(address))).toMatchObject({ code: 'connectionLost', outcomeUnknown: false });
  });

  test('does not read a small body that decodes to a large one to its end', async () => {
    const { address } = await serve(encoded('gzip', Buffer.alloc(50_000_000)));
    const client = createTestClient(address);
    expect(await errorOf(client.deleteData('a'))).toMatchObject({ code: 'unexpectedAnswer' });
    const { body } = await client.downloadData('a');
    // A reader that knows the length leaves early, which frees the connection.
    for await (const piece of body as AsyncIterable<Buffer>) if (piece.length > 0) break;
    expect(body.destroyed).toBe(true);
  });
});
