import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { startLocalService } from './service.ts';
import {
  startTestService,
  TestClient,
  testMasterKey,
  testToken,
  toJson,
} from '../../test-support/local-service/test-service.ts';
import { anyCharacter } from '../../test-support/any-character.ts';
import { runs } from '../../test-support/runs.ts';

test('upload, check, download, delete', async () => {
  const { client } = await startTestService();
  const bytes = randomBytes(200_000);
  const put = await client.send('POST', '/api/data/report', bytes);
  expect(put.status).toBe(200);
  expect(toJson(put)).toEqual({
    success: true,
    status: 200,
    message: 'Put completed.',
    activityToken: expect.stringMatching(/^[\da-f-]{36}$/),
  });

  const head = await client.send('HEAD', '/api/data/report');
  expect([head.status, head.headers['x-orginal-length'], head.bytes.length]).toEqual([200, '200000', 0]);
  const got = await client.send('GET', '/api/data/report', null, { accept: 'application/octet-stream' });
  expect([got.status, got.headers['content-type'], got.headers['content-length']]).toEqual([
    200,
    'application/octet-stream',
    '200000',
  ]);
  expect(got.bytes.equals(bytes)).toBe(true);

  const gone = await client.send('DELETE', '/api/data/report');
  expect(toJson(gone)).toMatchObject({ success: true, status: 200, message: 'Delete completed.' });
  for (const method of ['HEAD', 'GET', 'DELETE'] as const) {
    expect((await client.send(method, '/api/data/report')).status).toBe(404);
  }
  expect((await client.send('POST', '/api/data/report', 'again')).status).toBe(200);
});

test('an empty object is an object', async () => {
  const { client } = await startTestService();
  expect((await client.send('POST', '/api/data/empty', '')).status).toBe(200);
  expect((await client.send('HEAD', '/api/data/empty')).headers['x-orginal-length']).toBe('0');
  expect(await client.send('GET', '/api/data/empty')).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
});

test('a second upload is a conflict and changes nothing, even a concurrent one', async () => {
  const { client } = await startTestService();
  const bodies = Array.from({ length: 20 }, (_, index) => `body ${index}`);
  const answers = await Promise.all(bodies.map((body) => client.send('POST', '/api/data/one', body)));
  const winners = bodies.filter((_, index) => answers[index]?.status === 200);
  expect(winners).toHaveLength(1);
  const conflict = await client.send('POST', '/api/data/one', randomBytes(1_000_000));
  expect(conflict.status).toBe(409);
  expect(toJson(conflict)).toEqual({
    success: false,
    status: 409,
    message: 'The object identifier already exists in the metadata store.',
    activityToken: expect.any(String),
  });
  expect((await client.send('GET', '/api/data/one')).bytes.toString()).toBe(winners[0]);
});

test('lists policies, takes any by name, and refuses unknown ones', async () => {
  const { client } = await startTestService();
  const listed: unknown = JSON.parse((await client.send('GET', '/api/classifications')).bytes.toString());
  const names = ['Public', 'Internal', 'Confidential', 'Restricted'];
  expect(listed).toEqual(names.map((name) => ({ name, description: expect.stringMatching(/.+\./) })));
  for (const name of names) {
    expect((await client.send('POST', `/api/data/${name}?classstr=${name}`, name)).status).toBe(200);
    expect((await client.send('GET', `/api/data/${name}`)).bytes.toString()).toBe(name);
  }
  for (const query of [
    'classstr=public',
    'classstr=',
    'classstr=Public&classstr=Internal',
    'classstr=__proto__',
  ]) {
    expect((await client.send('POST', `/api/data/x?${query}`, 'x')).status).toBe(400);
  }
  expect((await client.send('HEAD', '/api/data/x')).status).toBe(404);
});

test('requests that are not as specified are 400', async () => {
  const { client } = await startTestService();
  const send = async (path: string, headers: Record<string, string>): Promise<number> =>
    (await client.send('POST', path, 'x', headers)).status;
  expect(await send('/api/data/x', { 'content-type': 'application/json' })).toBe(400);
  expect(await send('/api/data/x', { 'content-type': 'nonsense' })).toBe(400);
  expect(await send('/api/data/%FF', {})).toBe(400);
  expect(await send('/api/data/%zz', {})).toBe(400);
  expect(await send('/api/data/', {})).toBe(400);
  expect((await client.send('POST', '/api/data/x')).status).toBe(400);
  expect((await client.send('GET', '/api/data/x', null, { accept: 'text/html' })).status).toBe(400);
  expect((await client.send('GET', `/api/data/${'x'.repeat(70_000)}`)).status).toBe(400);
  expect((await client.send('GET', '/api/elsewhere')).status).toBe(404);
});

test('answers 401 to everything without the token, and does not read a large body', async () => {
  const { client, service } = await startTestService();
  for (const header of [
    '',
    'Bearer',
    'Bearer wrong',
    `Basic ${testToken}`,
    `Bearer ${testToken}x`,
    testToken,
  ]) {
    for (const path of [
      '/api/data/x',
      '/api/classifications',
      '/api/secrets/deferred/check/x',
      '/elsewhere',
    ]) {
      const answer = await client.send('GET', path, null, { authorization: header });
      expect([answer.status, toJson(answer)['success']]).toEqual([401, false]);
    }
  }
  const stranger = new TestClient(service.baseAddress, 'wrong');
  expect((await stranger.send('POST', '/api/data/x', Buffer.alloc(20_000_000))).status).toBe(401);
  expect(
    (await client.send('HEAD', '/api/data/x', null, { authorization: `bearer ${testToken}` })).status,
  ).toBe(404);
});

test('over the rate is 429 with the seconds to wait', async () => {
  let nowMs = 1_000_000;
  const { client } = await startTestService({ ratePerSecond: 2, now: () => nowMs });
  const head = async (): Promise<number> => (await client.send('HEAD', '/api/data/x')).status;
  expect([await head(), await head()]).toEqual([404, 404]);
  const refused = await client.send('POST', '/api/data/x', Buffer.alloc(1_000_000));
  expect([refused.status, refused.reason, refused.headers['retry-after']]).toEqual([429, 'Bad Request', '1']);
  nowMs += 500;
  expect([await head(), await head()]).toEqual([404, 429]);
});

test('preserves identifiers exactly and confuses none', async () => {
  const { client } = await startTestService();
  const odd = [
    'a b',
    'a/b',
    'a%b',
    'a%2Fb',
    '100%',
    'a%41',
    'a#b',
    'a?b',
    'a+b',
    'a;b',
    'a\0b',
    ' ',
    '%',
    '%25',
    '//',
  ];
  const foreign = [
    '😀',
    'שלום',
    '\u202Eabc',
    'é',
    'e\u0301',
    '..%2F',
    '__proto__',
    'A',
    'a',
    '*',
    ':id',
    'deferred',
  ];
  const long = ['x'.repeat(60_000), '/'.repeat(20_000), 'deferred/start/x'];
  const identifiers = fc.uniqueArray(
    fc.string({ minLength: 1, maxLength: 80, unit: anyCharacter }).filter((id) => id !== '.' && id !== '..'),
    { minLength: 1, maxLength: 5 },
  );
  const pathOf = (id: string): string => `/api/data/${encodeURIComponent(id)}`;
  const roundTrip = async (ids: string[]): Promise<void> => {
    const put = await Promise.all(ids.map((id) => client.send('POST', pathOf(id), id)));
    expect(ids.filter((_, index) => put[index]?.status !== 200)).toEqual([]);
    for (const id of ids) {
      expect((await client.send('GET', pathOf(id))).bytes.toString()).toBe(id);
      expect((await client.send('DELETE', pathOf(id))).status).toBe(200);
      expect((await client.send('HEAD', pathOf(id))).status).toBe(404);
    }
  };
  await roundTrip([...odd, ...foreign, ...long]);
  await fc.assert(fc.asyncProperty(identifiers, roundTrip), { numRuns: runs(30) });
});

async function sendAtOnce(count: number): Promise<void> {
  const { client } = await startTestService();
  const indexes = Array.from({ length: count }, (_, index) => index);
  const put = await Promise.all(
    indexes.map((index) => client.send('POST', `/api/data/${index}`, `body ${index}`)),
  );
  expect(new Set(put.map((answer) => answer.status))).toEqual(new Set([200]));
  const got = await Promise.all(indexes.map((index) => client.send('GET', `/api/data/${index}`)));
  expect(got.every((answer, index) => answer.bytes.toString() === `body ${index}`)).toBe(true);
}

test('200 parallel requests', () => expect(sendAtOnce(200)).resolves.toBeUndefined());
test('1,000 parallel requests', { tags: 'all' }, () => expect(sendAtOnce(1000)).resolves.toBeUndefined());

test('downloads and deletions at the same time: whole or not there', async () => {
  const { client } = await startTestService();
  for (let round = 0; round < 5; round += 1) {
    const body = randomBytes(300_000);
    await client.send('POST', '/api/data/contended', body);
    const reads = Array.from({ length: 20 }, () => client.send('GET', '/api/data/contended'));
    const [removed, ...answers] = await Promise.all([client.send('DELETE', '/api/data/contended'), ...reads]);
    expect(removed.status).toBe(200);
    for (const answer of answers) {
      expect(answer.status === 404 || (answer.status === 200 && answer.bytes.equals(body))).toBe(true);
    }
  }
});

test('it listens on 127.0.0.1 and closes in the middle of requests', async () => {
  const { service } = await startTestService();
  expect(service.baseAddress).toBe(`http://127.0.0.1:${service.port}`);
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write(
    `POST /api/data/stalled HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testToken}\r\n` +
      'Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\nhalf',
  );
  const [answer] = await Promise.all([text(socket).catch(() => ''), service.close()]);
  expect(answer).not.toContain(' 200 ');
});

test('a failed start gives the reason', async () => {
  const { options } = await startTestService();
  await expect(startLocalService(options)).rejects.toThrow('in use by another service');
  await expect(startLocalService({ ...options, masterKey: new Uint8Array(31) })).rejects.toThrow('32 bytes');
  await expect(startLocalService({ ...options, token: '' })).rejects.toThrow('token');
});

test('another master key does not open the folder', async () => {
  const { service, options, client } = await startTestService();
  await client.send('POST', '/api/data/kept', 'kept');
  await service.close();
  const otherKey = new Uint8Array(32).fill(8);
  await expect(startLocalService({ ...options, masterKey: otherKey })).rejects.toThrow('another master key');
  const again = await startTestService({ ...options, masterKey: testMasterKey });
  expect((await again.client.send('GET', '/api/data/kept')).bytes.toString()).toBe('kept');
});
