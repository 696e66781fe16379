import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as passOn } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { startTestService, testToken } from '../../test-support/local-service/test-service.ts';
import { makeTestFolder } from '../../test-support/main/test-ports.ts';

/** What commands with `COFFER_ADDRESS` ask the real service, whose list is empty: requests per object, one after another. */
async function openCounted(sizeBytes = 10) {
  const files = await makeTestFolder();
  const { service, client } = await startTestService();
  const asked: string[] = [];
  const between = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const [, name = ''] = /^\/api\/data\/(.*)$/.exec(url.replace(/check\/.*$/, 'check')) ?? [];
    asked.push(`${method} ${decodeURIComponent(name)}`);
    request.pipe(
      passOn(service.baseAddress + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  onTestFinished(() => {
    between.close();
    between.closeAllConnections();
  });
  const { PATH } = process.env;
  const { port } = between.address() as AddressInfo;
  const env = {
    PATH,
    HOME: files,
    COFFER_ADDRESS: `http://127.0.0.1:${port}`,
    COFFER_TOKEN: testToken,
  };
  return {
    write: (name: string, sizeBytes: number) => writeFileSync(join(files, name), Buffer.alloc(sizeBytes, 1)),
    read: (name: string) => readFileSync(join(files, name)),
    put: async (...names: string[]) => {
      for (const name of names) await client.send('POST', `/api/data/${name}`, Buffer.alloc(sizeBytes, name));
    },
    has: async (name: string) => (await client.send('HEAD', `/api/data/${name}`)).status === 200,
    /** The requests of the command are sorted: objects go beside each other. */
    coffer: async (...words: string[]) => {
      asked.length = 0;
      const running = startInMemory(words, { cwd: files, env });
      running.end();
      const code = await running.ended;
      return { code, stdout: running.stdout(), stderr: running.stderr(), asked: asked.toSorted() };
    },
  };
}

test('check asks once', async () => {
  const { coffer, put } = await openCounted();
  await put('a', 'b');
  expect(await coffer('check', 'a', 'b', 'absent')).toEqual({
    code: 8,
    stdout: 'stored  a\nstored  b\n',
    stderr: expect.stringMatching(
      /^absent: not found at .*\n2 are there, 1 is missing, 0 not answered\n$/,
    ) as string,
    asked: ['HEAD a', 'HEAD absent', 'HEAD b'],
  });
});

describe('get --exact', () => {
  test('asks for the bytes at once', async () => {
    const { coffer, put } = await openCounted();
    await put('a', 'b');
    expect(await coffer('get', '--exact', 'a', 'b', 'absent', '--to', '.')).toEqual({
      code: 8,
      stdout: expect.stringMatching(/^[ab]: saved as [ab]\n[ab]: saved as [ab]\n$/) as string,
      stderr: expect.stringMatching(/^absent: not found at .*\n$/) as string,
      asked: ['GET a', 'GET absent', 'GET b'],
    });
  });

  test.each([
    ['a file', ['-o', 'file', '--force']],
    ['standard output', ['-o', '-']],
    ['a folder', ['--to', '.', '--json']],
  ])('into %s, says what is not there', async (_name, options) => {
    const { coffer, write, read } = await openCounted();
    write('file', 10);
    expect(await coffer('get', '--exact', 'absent', ...options)).toEqual({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^absent: not found at .*\n$/) as string,
      asked: ['GET absent'],
    });
    expect(read('file')).toHaveLength(10);
  });

  test.each([
    ['dry run', ['--dry-run']],
    ['deferred request', ['--deferred']],
  ])('looks before a %s', async (_name, options) => {
    const { coffer } = await openCounted();
    expect(await coffer('get', '--exact', 'absent', ...options)).toMatchObject({
      code: 3,
      asked: ['HEAD absent'],
    });
  });
});

describe('get', () => {
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `HEAD a@${from + index}`);

  test('looks once at the object, once at each of the versions ahead, and fetches the newest', async () => {
    const { coffer, put } = await openCounted();
    await put('a');
    expect(await coffer('get', 'a')).toEqual({
      code: 0,
      stdout: 'a: saved as a\n',
      stderr: '',
      asked: ['GET a', 'HEAD a', ...numbered(2, 12)].toSorted(),
    });
    // Past a gap as wide as it may be.
    await put('a@12');
    expect(await coffer('get', 'a')).toEqual({
      code: 0,
      stdout: 'a@12: saved as a@12\n',
      stderr: '',
      asked: ['GET a@12', 'HEAD a', ...numbered(2, 23)].toSorted(),
    });
  });

  test('looks once for what is not there', async () => {
    const { coffer } = await openCounted();
    expect(await coffer('get', 'absent')).toMatchObject({ code: 3, asked: ['HEAD absent'] });
  });
});

describe('rm', () => {
  test('looks, deletes, and looks whether it is gone', async () => {
    const { coffer, put } = await openCounted();
    await put('a', 'b');
    expect(await coffer('rm', '--yes', 'a', 'b', 'absent')).toEqual({
      code: 8,
      stdout: '2 deleted\n',
      stderr: expect.stringMatching(/^absent: not found at .*\n$/) as string,
      asked: ['DELETE a', 'DELETE b', 'HEAD a', 'HEAD a', 'HEAD absent', 'HEAD b', 'HEAD b'],
    });
  });

  test('reads what its length allows to be a manifest', async () => {
    const { coffer, put } = await openCounted(700);
    await put('a');
    expect(await coffer('rm', '--yes', 'a', '--json')).toEqual({
      code: 0,
      stdout: '{"deleted":1,"requested":0,"leftOut":0,"failed":0,"failures":[]}\n',
      stderr: '',
      asked: ['DELETE a', 'GET a', 'HEAD a', 'HEAD a'],
    });
  });

  test('of what is not there, says so and deletes nothing', async () => {
    const { coffer } = await openCounted();
    expect(await coffer('rm', '--yes', 'absent', '--json')).toEqual({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^absent: not found at .*\n$/) as string,
      asked: ['HEAD absent'],
    });
  });

  test('looks first for what is written like a folder, and deletes nothing', async () => {
    const { coffer } = await openCounted();
    const { code, stderr, asked } = await coffer('rm', '--yes', 'folder/');
    expect({ code, asked }).toEqual({ code: 3, asked: ['HEAD folder/'] });
    expect(stderr).toContain('With COFFER_ADDRESS there is no list');
  });

  test('names before it asks what is not there', async () => {
    const { coffer, put, has } = await openCounted();
    await put('a');
    expect(await coffer('rm', '--dry-run', 'a', 'absent')).toMatchObject({
      code: 8,
      asked: ['HEAD a', 'HEAD absent'],
    });
    expect(await has('a')).toBe(true);
  });
});

describe('put --deferred', () => {
  test('sends a small file without a look', async () => {
    const { coffer, write } = await openCounted();
    write('small', 1024 * 1024);
    const { code, asked } = await coffer('put', 'small', '--deferred');
    expect(code).toBe(0);
    expect(new Set(asked)).toEqual(
      new Set(['POST deferred/start/small', 'GET deferred/check', 'HEAD small']),
    );
    expect(asked.filter((each) => each === 'HEAD small')).toHaveLength(1);
  });

  test('looks before a large one is sent to be refused', async () => {
    const { coffer, put, write } = await openCounted();
    await put('large');
    write('large', 1024 * 1024 + 1);
    expect(await coffer('put', 'large', '--deferred', '--if-exists', 'fail')).toMatchObject({
      code: 6,
      asked: ['HEAD large'],
    });
  });

  test.each([
    ['fail', 6, 10],
    ['skip', 0, 10],
    ['keep-both', 0, 11],
  ])('looks at the 409 of a small one: %s', async (ifExists, code, sizeBytes) => {
    const { coffer, put, write, has } = await openCounted();
    await put('a');
    write('a', sizeBytes);
    const ended = await coffer('put', 'a', '--deferred', '--if-exists', ifExists);
    expect(ended.code).toBe(code);
    expect(ended.asked.filter((each) => each === 'POST deferred/start/a')).toHaveLength(1);
    expect(await has('a-2')).toBe(ifExists === 'keep-both');
  });
});
