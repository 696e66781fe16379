import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createCleartextMessage, generateKey, readPrivateKey, sign } from 'openpgp';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestFolder } from '../../test-support/main/test-ports.ts';
import { fetchNode, UnreachableError } from './fetch-node.ts';

async function makeReleaser() {
  const made = await generateKey({ userIDs: [{ name: 'Releaser' }], format: 'armored' });
  const key = await readPrivateKey({ armoredKey: made.privateKey });
  return { key, armored: made.publicKey, fingerprint: key.getFingerprint().toUpperCase() };
}

const [releaser, other] = await Promise.all([makeReleaser(), makeReleaser()]);

type Change = (files: Map<string, string | Buffer>) => void | Promise<void>;

/** A server with a release as nodejs.org has it, after a change; and how to download from it. */
async function serveRelease(change: Change = () => undefined) {
  const folder = await makeTestFolder();
  const inside = 'node-v26.12.1-linux-x64';
  mkdirSync(join(folder, inside, 'bin'), { recursive: true });
  writeFileSync(join(folder, inside, 'bin', 'node'), 'Node for Linux');
  execFileSync('tar', ['-czf', 'archive', inside], { cwd: folder });
  const files = new Map<string, string | Buffer>([
    [`/dist/v26.12.1/${inside}.tar.gz`, readFileSync(join(folder, 'archive'))],
    ['/dist/v26.12.1/win-x64/node.exe', 'Node for Windows'],
    ['/dist/v26.12.1/win-arm64/node.exe', 'Node for Windows on ARM'],
    [`/keys/${releaser.fingerprint}.asc`, releaser.armored],
    [`/keys/${other.fingerprint}.asc`, other.armored],
  ]);
  await signSums(files, releaser);
  await change(files);
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url);
    response.writeHead(file ? 200 : 404).end(file);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const from = { dist: `${address}/dist`, keys: `${address}/keys`, fingerprints: [releaser.fingerprint] };
  return (target = 'linux-x64', fingerprints = from.fingerprints) =>
    fetchNode(target, '26.12.1', folder, { ...from, fingerprints });
}

const list = '/dist/v26.12.1/SHASUMS256.txt.asc';

async function signSums(
  files: Map<string, string | Buffer>,
  by: { key: typeof releaser.key },
): Promise<void> {
  const lines = [...files]
    .filter(([path]) => path.startsWith('/dist/'))
    .map(([path, body]) => {
      const sum = createHash('sha256').update(body).digest('hex');
      return `${sum}  ${path.replace('/dist/v26.12.1/', '')}\n`;
    });
  const message = await createCleartextMessage({ text: lines.join('') });
  files.set(list, await sign({ message, signingKeys: by.key }));
}

test("Node's program is the one whose sum a releaser has signed", async () => {
  const download = await serveRelease();
  expect(readFileSync(await download('linux-x64'), 'utf8')).toBe('Node for Linux');
  expect(readFileSync(await download('win32-x64'), 'utf8')).toBe('Node for Windows');
  expect(readFileSync(await download('win32-arm64'), 'utf8')).toBe('Node for Windows on ARM');
  // Whichever of several releasers has signed, and if the key of another is not there.
  for (const each of [other.fingerprint, '0'.repeat(40)])
    expect(readFileSync(await download('linux-x64', [each, releaser.fingerprint]), 'utf8')).toBe(
      'Node for Linux',
    );
});

test.each<[what: string, change: Change, said: string]>([
  [
    'a program that was changed',
    (files) => void files.set('/dist/v26.12.1/win-x64/node.exe', 'Foreign'),
    'is not the file whose sum was signed',
  ],
  [
    'a list that was changed',
    (files) => void files.set(list, String(files.get(list)).replaceAll(/^[0-9a-f]{64}/gm, '0'.repeat(64))),
    'is not signed by anybody who releases Node',
  ],
  [
    'a page of something else in between',
    (files) => void files.set(list, '<html>Sign in</html>'),
    'is not signed by anybody who releases Node',
  ],
  ['a list that somebody else has signed', (files) => signSums(files, other), 'is not signed by anybody'],
  [
    "somebody else's key in place of a releaser's",
    async (files) => {
      files.set(`/keys/${releaser.fingerprint}.asc`, other.armored);
      await signSums(files, other);
    },
    'is the key',
  ],
  [
    'a list without the program',
    async (files) => {
      files.delete('/dist/v26.12.1/win-x64/node.exe');
      await signSums(files, releaser);
    },
    'has no win-x64/node.exe',
  ],
])('refused: %s', async (_what, change, said) => {
  const download = await serveRelease(change);
  const refused = await download('win32-x64').catch((cause: unknown) => cause);
  expect(refused).not.toBeInstanceOf(UnreachableError);
  expect(String(refused)).toContain(said);
});

test('a release, key or server that is not there is told from one that is not right', async () => {
  const noProgram = await serveRelease((files) => void files.delete('/dist/v26.12.1/win-x64/node.exe'));
  await expect(noProgram('win32-x64')).rejects.toThrow(UnreachableError);
  const noKey = await serveRelease((files) => void files.delete(`/keys/${releaser.fingerprint}.asc`));
  await expect(noKey()).rejects.toThrow(UnreachableError);
  const nobody = { dist: 'http://nobody.invalid/dist', keys: 'http://nobody.invalid/keys', fingerprints: [] };
  const alone = fetchNode('linux-x64', '26.12.1', '.', nobody);
  await expect(alone).rejects.toThrow(UnreachableError);
  await expect(alone).rejects.toThrow(/SHASUMS256\.txt\.asc cannot be downloaded: .*nobody\.invalid/);
});
