import { describe, expect, test } from 'vitest';

import { startTestService, toJson } from '../../test-support/local-service/test-service.ts';
import type { Answer } from '../../test-support/local-service/test-service.ts';
import { eventually } from '../../test-support/eventually.ts';

const minuteMs = 60_000;

describe.each(['data', 'secrets'] as const)('deferred %s', (kind) => {
  const base = `/api/${kind}/deferred`;

  test('upload, check, download, check, fetch', async () => {
    const { client } = await startTestService();
    const upload = await client.defer('POST', kind, 'one%2Ftwo?classstr=Restricted', 'the value');
    expect(toJson(await client.send('GET', `${base}/check/${upload}`))).toEqual({
      success: true,
      status: 200,
      message: 'Deferred POST workflow completed.',
      activityToken: expect.any(String),
    });
    const download = await client.defer('GET', kind, 'one%2Ftwo');
    expect(toJson(await client.send('GET', `${base}/check/${download}`))).toMatchObject({
      success: true,
      status: 200,
    });
    for (let times = 0; times < 2; times += 1) {
      const fetched = await client.send('GET', `${base}/fetch/${download}`);
      expect([fetched.status, fetched.bytes.toString()]).toEqual([200, 'the value']);
    }
    expect((await client.send('GET', `${base}/fetch/${upload}`)).status).toBe(400);
  });

  test('it answers 202 while processing, and starts without waiting', async () => {
    const { client } = await startTestService({ processingMs: 3_600_000 });
    const token = await client.startDeferred('GET', kind, 'x');
    const check = await client.send('GET', `${base}/check/${token}`, null, { accept: 'application/json' });
    expect([check.status, check.headers['content-type'], check.bytes.toString()]).toEqual([
      202,
      'text/plain',
      'The deferred GET request is still processing.',
    ]);
    expect((await client.send('GET', `${base}/fetch/${token}`)).status).toBe(400);
  });

  test('the result contains the failure of a request', async () => {
    const { client } = await startTestService();
    await client.defer('POST', kind, 'x', 'first');
    const second = await client.defer('POST', kind, 'x', 'second');
    expect(toJson(await client.send('GET', `${base}/check/${second}`))).toMatchObject({
      success: false,
      status: 409,
      message: expect.stringContaining('already exists in the metadata store'),
    });
    const download = await client.defer('GET', kind, 'x');
    expect((await client.send('GET', `${base}/fetch/${download}`)).bytes.toString()).toBe('first');
    const missing = await client.defer('GET', kind, 'y');
    expect(toJson(await client.send('GET', `${base}/check/${missing}`))).toMatchObject({
      success: false,
      status: 404,
    });
    expect((await client.send('GET', `${base}/fetch/${missing}`)).status).toBe(404);
  });

  test('the tokens of the other kind and unknown ones are 404', async () => {
    const { client } = await startTestService();
    const token = await client.defer('GET', kind, 'x');
    const other = kind === 'data' ? 'secrets' : 'data';
    for (const path of [`/api/${other}/deferred/check/${token}`, `${base}/check/unknown`, `${base}/check/`]) {
      expect((await client.send('GET', path)).status).toBe(404);
      expect((await client.send('GET', path.replace('check', 'fetch'))).status).toBe(404);
    }
  });

  test('refuses an unknown policy at the start', async () => {
    const { client } = await startTestService();
    expect((await client.send('POST', `${base}/start/x?classstr=none`, 'x')).status).toBe(400);
  });

  test('tokens and work survive a restart', async () => {
    const first = await startTestService({ processingMs: 3_600_000 });
    const upload = await first.client.startDeferred('POST', kind, 'x', 'kept');
    await first.service.close();
    const second = await startTestService({ ...first.options, processingMs: 0 });
    await expectCompleted(() => second.client.send('GET', `${base}/check/${upload}`));
    const download = await second.client.defer('GET', kind, 'x');
    await second.service.close();
    const third = await startTestService(first.options);
    expect((await third.client.send('GET', `${base}/fetch/${download}`)).bytes.toString()).toBe('kept');
  });

  test.each([
    ['fixed', [200, 200, 404]],
    ['sliding', [200, 200, 200]],
  ] as const)('the window, %s', async (window, statuses) => {
    let nowMs = 0;
    const { client } = await startTestService({ window, now: () => nowMs });
    await client.defer('POST', kind, 'x', 'value');
    const token = await client.defer('GET', kind, 'x');
    for (const status of statuses) {
      nowMs += 14 * minuteMs;
      expect((await client.send('GET', `${base}/check/${token}`)).status).toBe(status);
    }
    nowMs += 30 * minuteMs;
    expect((await client.send('GET', `${base}/check/${token}`)).status).toBe(404);
    expect((await client.send('GET', `${base}/fetch/${token}`)).status).toBe(404);
  });
});

test('data objects and secrets do not share identifiers', async () => {
  const { client } = await startTestService();
  await client.send('POST', '/api/data/same', 'data');
  await client.defer('POST', 'secrets', 'same', 'secret');
  const token = await client.defer('GET', 'secrets', 'same');
  expect((await client.send('GET', `/api/secrets/deferred/fetch/${token}`)).bytes.toString()).toBe('secret');
  expect((await client.send('GET', '/api/data/same')).bytes.toString()).toBe('data');
});

test('a deferred download returns the object as of its processing', async () => {
  const { client } = await startTestService();
  await client.send('POST', '/api/data/x', 'before');
  const token = await client.defer('GET', 'data', 'x');
  await client.send('DELETE', '/api/data/x');
  await client.send('POST', '/api/data/x', 'after');
  expect((await client.send('GET', `/api/data/deferred/fetch/${token}`)).bytes.toString()).toBe('before');
});

test('carries out an upload although its token is lost', async () => {
  let nowMs = 0;
  const { client } = await startTestService({ processingMs: 50, now: () => nowMs });
  const token = await client.startDeferred('POST', 'data', 'x', 'value');
  nowMs += 30 * minuteMs;
  expect((await client.send('GET', `/api/data/deferred/check/${token}`)).status).toBe(404);
  await expectCompleted(() => client.send('HEAD', '/api/data/x'));
});

test('processes many concurrent requests', async () => {
  const { client } = await startTestService({ processingMs: 5 });
  const names = Array.from({ length: 60 }, (_, index) => `many-${index}`);
  await Promise.all(names.map((name) => client.defer('POST', 'data', name, name)));
  const heads = await Promise.all(names.map((name) => client.send('HEAD', `/api/data/${name}`)));
  expect(heads.every((head) => head.status === 200)).toBe(true);
});

async function expectCompleted(send: () => Promise<Answer>): Promise<void> {
  await eventually(async () => expect((await send()).status).toBe(200), 10);
}
