import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, readlink, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { get, request } from 'node:http';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { makeFolder, startTestService, testToken } from '../../test-support/local-service/test-service.ts';
import type { LocalServiceOptions } from './service.ts';
import type { TestClient } from '../../test-support/local-service/test-service.ts';
import { eventually } from '../../test-support/eventually.ts';

const classes = ['Public', 'Internal', 'Confidential', 'Restricted'];

async function onlyBlob(dataFolder: string): Promise<string> {
  const names = await readdir(join(dataFolder, 'blobs'));
  expect(names).toHaveLength(1);
  return join(dataFolder, 'blobs', names.join());
}

async function listEverything(dataFolder: string): Promise<Buffer> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
}

test.each(classes.slice(1))('nothing of a %s object is readable in the data folder', async (name) => {
  const { client, options } = await startTestService();
  const marker = 'only-the-owner-reads-this';
  await client.send('POST', `/api/data/x?classstr=${name}`, marker.repeat(10_000));
  await client.defer('POST', 'secrets', `x?classstr=${name}`, marker);
  const everything = await listEverything(options.dataFolder);
  expect(everything.length).toBeGreaterThan(marker.length * 10_000);
  expect(everything.includes('the-owner')).toBe(false);
});

test('stores a Public object unencrypted', async () => {
  const { client, options } = await startTestService();
  await client.send('POST', '/api/data/x?classstr=Public', 'for everyone');
  expect((await listEverything(options.dataFolder)).includes('for everyone')).toBe(true);
});

describe.each(classes)('a damaged file of a %s object', (name) => {
  test('aborts a download of damaged data, wherever the damage is', async () => {
    const { client, options } = await startTestService();
    const bytes = randomBytes(1_000_000);
    await client.send('POST', `/api/data/x?classstr=${name}`, bytes);
    const file = await onlyBlob(options.dataFolder);
    const stored = await readFile(file);
    for (const at of [100_000, 500_000, stored.length - 20, stored.length - 1]) {
      const damaged = Buffer.from(stored);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      await writeFile(file, damaged);
      await expect(client.send('GET', '/api/data/x')).rejects.toBeInstanceOf(Error);
    }
    await writeFile(file, stored);
    expect((await client.send('GET', '/api/data/x')).bytes.equals(bytes)).toBe(true);
  });

  test('is a 500 when it is noticed before the first byte', async () => {
    const { client, options } = await startTestService();
    await client.send('POST', `/api/data/x?classstr=${name}`, randomBytes(100_000));
    const file = await onlyBlob(options.dataFolder);
    const stored = await readFile(file);
    await truncate(file, stored.length - 1);
    const answer = await client.send('GET', '/api/data/x');
    expect([answer.status, answer.bytes.toString()]).toEqual([500, expect.stringContaining('"status":500')]);
    await writeFile(file, stored.fill(0, 0, 10));
    expect((await client.send('GET', '/api/data/x')).status).toBe(500);
  });
});

test('keys and rows cannot be exchanged in the metadata', async () => {
  const { client, options, service } = await startTestService();
  await client.send('POST', '/api/data/a', 'value of a');
  await client.send('POST', '/api/data/b', 'value of b');
  await service.close();
  const database = new DatabaseSync(join(options.dataFolder, 'metadata.sqlite'));
  database.exec(`UPDATE blobs SET identifier = CASE identifier WHEN x'61' THEN x'62' ELSE x'61' END`);
  database.close();
  const again = await startTestService(options);
  expect((await again.client.send('GET', '/api/data/a')).status).toBe(500);
});

test('leaves no file of what it has deleted, refused or broken off', async () => {
  const { client, options, service } = await startTestService();
  const names = (): Promise<string[]> => readdir(join(options.dataFolder, 'blobs'));
  await client.send('POST', '/api/data/x', 'x');
  await client.send('DELETE', '/api/data/x');
  expect(await names()).toEqual([]);

  const upload = request(`${service.baseAddress}/api/data/y`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testToken}`, 'content-type': 'application/octet-stream' },
  });
  upload.on('error', () => upload.destroy());
  upload.write('half');
  await eventually(async () => expect(await names()).toHaveLength(1));
  upload.destroy();
  await eventually(async () => expect(await names()).toEqual([]));
  expect((await client.send('HEAD', '/api/data/y')).status).toBe(404);
});

test('a body lies on the disk, and not in memory, while it arrives', async () => {
  const { options, service } = await startTestService();
  const upload = request(`${service.baseAddress}/api/data/x`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testToken}`, 'content-type': 'application/octet-stream' },
  });
  upload.on('error', () => upload.destroy());
  upload.write(Buffer.alloc(10_000_000));
  await eventually(async () =>
    expect((await stat(await onlyBlob(options.dataFolder))).size).toBeGreaterThan(9_000_000),
  );
  upload.destroy();
});

test.runIf(process.platform === 'linux')('downloads that are broken off leave no file open', async () => {
  const { client, options, service } = await startTestService();
  await client.send('POST', '/api/data/x', Buffer.alloc(20_000_000));
  const file = await onlyBlob(options.dataFolder);
  const countOpen = async (): Promise<number> => {
    const links = (await readdir('/proc/self/fd')).map((fd) =>
      readlink(`/proc/self/fd/${fd}`).catch(() => ''),
    );
    return (await Promise.all(links)).filter((target) => target === file).length;
  };
  const headers = { authorization: `Bearer ${testToken}` };
  const downloads = Array.from({ length: 5 }, () => get(`${service.baseAddress}/api/data/x`, { headers }));
  await Promise.all(downloads.map((download) => once(download, 'response')));
  expect(await countOpen()).toBe(5);
  for (const download of downloads) download.destroy();
  await eventually(async () => expect(await countOpen()).toBe(0));
});

test('a start removes partial files after a kill, and no complete ones', async () => {
  const dataFolder = await makeFolder();
  const first = await startTestService({ dataFolder });
  await first.client.send('POST', '/api/data/x', 'kept');
  await first.service.close();
  const blob = await onlyBlob(dataFolder);
  await writeFile(join(dataFolder, 'blobs', 'left.part'), 'half');
  await writeFile(join(dataFolder, 'blobs', 'newer'), 'whole, and newer than the metadata');
  const { client } = await startTestService({ dataFolder });
  expect((await readdir(join(dataFolder, 'blobs'))).toSorted()).toEqual([basename(blob), 'newer'].toSorted());
  await expectText(client, 'kept');
});

test('removes a snapshot when its token is lost', async () => {
  let nowMs = 0;
  // Long enough that the service does not check for expiry by itself.
  const { client, options } = await startTestService({ now: () => nowMs, tokenTtlMs: 60_000 });
  await client.send('POST', '/api/data/x', 'x');
  const token = await client.defer('GET', 'data', 'x');
  await client.send('DELETE', '/api/data/x');
  await onlyBlob(options.dataFolder);
  nowMs += 60_000;
  expect((await client.send('GET', `/api/data/deferred/check/${token}`)).status).toBe(404);
  expect(await readdir(join(options.dataFolder, 'blobs'))).toEqual([]);
});

test('removes the snapshot of a deleted object when it expires, without a request', async () => {
  let nowMs = 0;
  const { client, options } = await startTestService({ now: () => nowMs, tokenTtlMs: 1000 });
  const names = (): Promise<string[]> => readdir(join(options.dataFolder, 'blobs'));
  await client.send('POST', '/api/data/x', 'x');
  await client.defer('GET', 'data', 'x');
  await client.defer('GET', 'data', 'x');
  await client.send('DELETE', '/api/data/x');
  expect(await names()).toHaveLength(1);
  nowMs += 1000;
  await eventually(async () => expect(await names()).toEqual([]), 50);
});

test('removes snapshots that expired while the service was stopped', async () => {
  let nowMs = 0;
  const { client, options, service } = await startTestService({ now: () => nowMs, tokenTtlMs: 500 });
  await client.send('POST', '/api/data/x', 'x');
  await client.defer('GET', 'data', 'x');
  await client.send('DELETE', '/api/data/x');
  await service.close();
  await onlyBlob(options.dataFolder);
  nowMs += 500;
  await startTestService(options);
  const names = (): Promise<string[]> => readdir(join(options.dataFolder, 'blobs'));
  await eventually(async () => expect(await names()).toEqual([]), 50);
});

describe('missing metadata', () => {
  async function storeAndStop(): Promise<{ options: LocalServiceOptions; bytes: Buffer }> {
    const { client, options, service } = await startTestService();
    await client.send('POST', '/api/data/x?classstr=Public', 'all there is');
    await service.close();
    return { options, bytes: await readFile(await onlyBlob(options.dataFolder)) };
  }

  test.each([
    ['gone', (file: string) => rm(file)],
    ['empty', (file: string) => truncate(file, 0)],
    ['no database', (file: string) => writeFile(file, 'not a database at all '.repeat(1000))],
  ])('%s: the blobs are set aside, whole, and the service begins empty', async (_name, damage) => {
    const { options, bytes } = await storeAndStop();
    const { dataFolder } = options;
    await damage(join(dataFolder, 'metadata.sqlite'));
    const { service, client } = await startTestService({
      ...options,
      now: () => Date.UTC(2026, 10, 20, 12, 30),
    });
    expect(service.setAside).toBe('set-aside-2026-11-20T12-30-00');
    expect((await client.send('HEAD', '/api/data/x')).status).toBe(404);
    const aside = join(dataFolder, 'set-aside-2026-11-20T12-30-00');
    expect((await readFile(await onlyBlob(aside))).equals(bytes)).toBe(true);

    // The service works, and the next start has nothing to set aside.
    expect((await client.send('POST', '/api/data/x', 'anew')).status).toBe(200);
    await service.close();
    const again = await startTestService(options);
    expect(again.service.setAside).toBeNull();
    await expectText(again.client, 'anew');
    expect((await readFile(await onlyBlob(aside))).equals(bytes)).toBe(true);
  });

  test('twice in the same second: each has a folder of its own', async () => {
    const { options } = await storeAndStop();
    const now = () => Date.UTC(2026, 10, 20);
    for (const expected of ['set-aside-2026-11-20T00-00-00', 'set-aside-2026-11-20T00-00-00-2']) {
      await rm(join(options.dataFolder, 'metadata.sqlite'));
      const { service, client } = await startTestService({ ...options, now });
      expect(service.setAside).toBe(expected);
      await client.send('POST', '/api/data/x', 'again');
      await service.close();
    }
  });

  test('another master key sets nothing aside', async () => {
    const { options } = await storeAndStop();
    const start = startTestService({ ...options, masterKey: new Uint8Array(32).fill(8) });
    await expect(start).rejects.toThrow('another master key');
    await onlyBlob(options.dataFolder);
  });
});

async function expectText(client: TestClient, text: string): Promise<void> {
  expect((await client.send('GET', '/api/data/x')).bytes.toString()).toBe(text);
}
