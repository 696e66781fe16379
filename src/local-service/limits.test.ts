import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { expect, test } from 'vitest';

import { cleanLater, startTestService, testToken } from '../../test-support/local-service/test-service.ts';

type Body = Uint8Array | AsyncIterable<Uint8Array>;

const megabyte = new Uint8Array(1_000_000).fill(1);

async function* chunked(lengthBytes: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < lengthBytes; sent += megabyte.length)
    yield megabyte.subarray(0, lengthBytes - sent);
}

const secrets = { path: '/api/secrets/deferred/start/', limitBytes: 10_000, status: 400 };
const large = [
  { path: '/api/data/', limitBytes: 50_000_000, status: 413 },
  { path: '/api/data/deferred/start/', limitBytes: 50_000_000, status: 400 },
];
type Limit = typeof secrets;

async function takesUpTo({ path, status }: Limit, most: Body, more: Body): Promise<void> {
  const { client } = await startTestService();
  expect((await client.send('POST', `${path}a`, most)).status).toBe(200);
  const answer = await client.send('POST', `${path}c`, more);
  expect([answer.status, answer.reason]).toEqual([status, 'Bad Request']);
  expect((await client.send('GET', '/api/data/c')).status).toBe(404);
}

for (const limit of [...large, secrets])
  test(
    `${limit.path} takes ${String(limit.limitBytes)} bytes and not one more`,
    { tags: limit.path === '/api/data/deferred/start/' ? 'all' : [] },
    async () => {
      const whole = Buffer.alloc(limit.limitBytes + 1, 1);
      await expect(takesUpTo(limit, whole.subarray(1), whole)).resolves.toBeUndefined();
    },
  );

const inPieces = (limit: Limit) => takesUpTo(limit, chunked(limit.limitBytes), chunked(limit.limitBytes + 1));
test('in pieces too', () => expect(inPieces(secrets)).resolves.toBeUndefined());
test.each(large)('$path in pieces', { tags: 'all' }, (limit) =>
  expect(inPieces(limit)).resolves.toBeUndefined(),
);

async function openRaw(port: number, headers: string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  cleanLater(async () => void socket.destroy());
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  const all = [
    `Authorization: Bearer ${testToken}`,
    'Content-Type: application/octet-stream',
    'Host: x',
    ...headers,
  ];
  socket.write(`POST /api/data/raw HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`);
  return socket;
}

async function readUntil(socket: Socket, end: string): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += String(piece);
    if (text.includes(end)) return text;
  }
  return text;
}

test('refuses a declared length over the limit before a byte of the body', async () => {
  const { service } = await startTestService();
  const socket = await openRaw(service.port, ['Content-Length: 50000001']);
  expect(await readUntil(socket, '}')).toMatch(/^HTTP\/1.1 413 Bad Request\r\n[^]*connection: close\r\n/i);
});

test('a client that waits for 100 Continue gets it only when its body is wanted', async () => {
  const { service } = await startTestService();
  const refused = await openRaw(service.port, ['Content-Length: 50000001', 'Expect: 100-continue']);
  expect(await readUntil(refused, '}')).toMatch(/^HTTP\/1.1 413 /);
  const wanted = await openRaw(service.port, ['Content-Length: 4', 'Expect: 100-continue']);
  expect(await readUntil(wanted, '\r\n\r\n')).toMatch(/^HTTP\/1.1 100 Continue\r\n/);
  wanted.write('body');
  expect(await readUntil(wanted, '}')).toMatch(/^HTTP\/1.1 200 OK\r\n/);
});

test('reads no more of an endless body than the limit and what is in buffers', async () => {
  const { service } = await startTestService();
  const socket = await openRaw(service.port, ['Transfer-Encoding: chunked']);
  const chunk = Buffer.concat([Buffer.from('f4240\r\n'), megabyte, Buffer.from('\r\n')]);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let handedOver = 0;
  let isRefused = false;
  const answer = readUntil(socket, '}').finally(() => (isRefused = true));
  const send = async (): Promise<void> => {
    while (!isRefused && !socket.destroyed) {
      handedOver += 1;
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answer]);
    }
  };
  await send();
  expect(await answer).toMatch(/^HTTP\/1.1 413 /);
  expect(handedOver).toBeLessThan(75);
  await closed;
});
