import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  makeFolder,
  startTestService,
  testToken,
} from '../../../../test-support/local-service/test-service.ts';
import { distinctBytes, sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { partIdOf, writeManifest } from './manifest.ts';

const script = fileURLToPath(new URL('../../../../docs/restore-parts.sh', import.meta.url));
const execute = promisify(execFile);

/** Windows has neither; elsewhere `npm test` installs what is missing. */
const hasPrograms = await execute('sh', [
  '-c',
  'command -v curl && command -v jq && command -v sha256sum',
]).then(
  () => true,
  () => false,
);
if (!hasPrograms)
  process.stderr.write(
    '\nNOT TESTED: docs/restore-parts.sh, because curl, jq or sha256sum is missing here\n\n',
  );

const identifier = 'films/ä launch & more.mov';
const bytes = distinctBytes(7_500);

async function storeInParts() {
  const { service, client } = await startTestService();
  const pieces = [0, 2_000, 4_000, 6_000].map((start) => bytes.subarray(start, start + 2_000));
  const upload = '0123456789abcdef'.repeat(2);
  const parts = pieces.map((_, index) => ({ id: partIdOf({ base: identifier, upload }, index) }));
  const post = (id: string, body: Uint8Array | string) =>
    client.send('POST', `/api/data/${encodeURIComponent(id)}`, body);
  for (const [index, { id }] of parts.entries()) await post(id, pieces[index] ?? '');
  const text = writeManifest({
    base: identifier,
    size: bytes.length,
    sha256: sha256Of(bytes),
    split: { method: 'fixed', bytes: 2_000 },
    name: 'launch.mov',
    modified: '2026-11-20T09:00:00.000Z',
    classification: 'Internal',
    created: '2026-11-20T09:00:00.000Z',
    client: 'Coffer',
    upload,
    digests: pieces.map(sha256Of),
  });
  await post(identifier, text);
  const folder = await makeFolder();
  const file = join(folder, 'launch.mov');
  const restore = () =>
    execute('sh', [script, service.baseAddress, identifier, file], {
      env: { ...process.env, TOKEN: testToken },
    });
  return { client, parts, folder, file, restore, post };
}

test.runIf(hasPrograms)('restores and verifies a file in parts without Coffer', async () => {
  const { folder, file, restore } = await storeInParts();
  await restore();
  expect(await readdir(folder)).toEqual(['launch.mov']);
  expect(
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ).toBe(sha256Of(bytes));
  await expect(restore()).rejects.toThrow(/is there already/);
});

test.runIf(hasPrograms)('a missing part ends it, and another run continues', async () => {
  const { client, parts, folder, file, restore, post } = await storeInParts();
  const third = parts[2]?.id ?? '';
  await client.send('DELETE', `/api/data/${encodeURIComponent(third)}`);
  await expect(restore()).rejects.toThrow(/404/);
  expect(await readdir(folder)).toEqual(['launch.mov.parts']);
  await post(third, bytes.subarray(4_000, 6_000));
  await restore();
  expect(await readFile(file)).toEqual(bytes);
});

test.runIf(hasPrograms)('refuses a damaged manifest, and a file that is none', async () => {
  const { client, restore, post, folder } = await storeInParts();
  const path = `/api/data/${encodeURIComponent(identifier)}`;
  const text = (await client.send('GET', path)).bytes.toString();
  await client.send('DELETE', path);
  await post(identifier, text.replace('"name":"l', '"name":"L'));
  await expect(restore()).rejects.toThrow(/damaged/);
  await client.send('DELETE', path);
  await post(identifier, 'a file');
  await expect(restore()).rejects.toThrow(/does not lie in parts/);
  expect(await readdir(folder)).toEqual(['launch.mov.parts']);
});
