import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../../../test-support/main/test-ports.ts';
import { toAppError } from '../../../shared/app-failure.ts';
import { sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { headerBytes, keyBytes, pieceBytes, sealedPieceBytes, type VaultBytes } from './sealed.ts';
import { createVault, type Vault } from './vault.ts';

const key = randomBytes(keyBytes);
const open = async () => createVault(join(await makeTestFolder(), 'kept'), async () => key);

/** Pieces whose size is unrelated to those of the file. */
function* inPieces(bytes: Uint8Array, atOnce = 70_001): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += atOnce) yield bytes.subarray(start, start + atOnce);
}

async function readAll(vault: Vault, name: string, bytes: VaultBytes): Promise<Buffer> {
  const source = await vault.open(name, bytes);
  try {
    const body = await source.body({ signal: new AbortController().signal, onProgress: () => undefined });
    if (body instanceof Uint8Array) return Buffer.from(body);
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    expect(await source.sha256()).toBe(bytes.sha256);
    return Buffer.concat(pieces);
  } finally {
    await source.close();
  }
}

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (cause: unknown) => {
      const error = toAppError(cause);
      return error?.code === 'keptUnreadable' ? error.problem : cause;
    },
  );

test.each([0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes, 5_000_000])(
  '%i bytes come back as they were, and nothing of them can be read on the disk',
  async (lengthBytes) => {
    const vault = await open();
    const bytes = Buffer.alloc(lengthBytes, 'a line that repeats itself. ');
    const name = vault.newName();
    const kept = await vault.write(name, inPieces(bytes));
    expect(kept).toEqual({ lengthBytes, sha256: sha256Of(bytes) });
    expect((await readAll(vault, name, kept)).equals(bytes)).toBe(true);
    const sealed = await readFile(join(vault.folder, name));
    expect(sealed.includes('a line that')).toBe(false);
    expect(await readdir(vault.folder)).toEqual([name]);
  },
);

test.skipIf(process.platform === 'win32')('keeps its folder private to the owner', async () => {
  const vault = await open();
  const name = vault.newName();
  await vault.write(name, []);
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect([await modeOf(vault.folder), await modeOf(join(vault.folder, name))]).toEqual(['700', '600']);
});

test('reports what was cut, swapped, repeated or changed as damaged, and never sends its last piece', async () => {
  const vault = await open();
  const bytes = randomBytes(3 * pieceBytes + 100);
  const path = (name: string) => join(vault.folder, name);
  const damages: ((sealed: Buffer) => Buffer)[] = [
    (sealed) => sealed.subarray(0, sealed.length - 1),
    (sealed) => sealed.subarray(0, headerBytes + 3 * sealedPieceBytes),
    (sealed) => sealed.subarray(0, headerBytes - 1),
    (sealed) => sealed.subarray(0, headerBytes),
    (sealed) => Buffer.concat([sealed, sealed.subarray(-20)]),
    (sealed) => Buffer.from(sealed.map((byte, at) => (at === sealed.length >> 1 ? byte ^ 1 : byte))),
    (sealed) => {
      const [one, two] = [headerBytes, headerBytes + sealedPieceBytes];
      const first = Buffer.from(sealed.subarray(one, two));
      sealed.copy(sealed, one, two, two + sealedPieceBytes);
      first.copy(sealed, two);
      return sealed;
    },
  ];
  for (const damage of damages) {
    const name = vault.newName();
    const kept = await vault.write(name, inPieces(bytes));
    await writeFile(path(name), damage(await readFile(path(name))));
    expect(await problemOf(readAll(vault, name, kept))).toBe('damaged');
  }
  const name = vault.newName();
  const kept = await vault.write(name, inPieces(bytes));
  expect(await problemOf(readAll(vault, name, { ...kept, lengthBytes: 1 }))).toBe('damaged');
  expect(await problemOf(readAll(vault, name, { ...kept, sha256: sha256Of('x') }))).toBe('damaged');
  await truncate(path(name), 0);
  expect(await problemOf(readAll(vault, name, kept))).toBe('damaged');
  await unlink(path(name));
  expect(await problemOf(readAll(vault, name, kept))).toBe('gone');
});

test('distinguishes another key from a damaged file', async () => {
  const vault = await open();
  const name = vault.newName();
  const kept = await vault.write(name, inPieces(randomBytes(100)));
  const other = createVault(vault.folder, async () => randomBytes(keyBytes));
  expect(await problemOf(readAll(other, name, kept))).toBe('key');
});

test('a failure while writing leaves nothing behind', async () => {
  const vault = await open();
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield randomBytes(pieceBytes * 2);
    throw new Error('the connection broke');
  }
  await expect(vault.write(vault.newName(), broken())).rejects.toThrow('the connection broke');
  expect(await readdir(vault.folder)).toEqual([]);
  await vault.remove('never there');
});
