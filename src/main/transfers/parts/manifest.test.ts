import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isPartId } from '../../../shared/domain/made-names.ts';
import { createRandom } from '../../../../test-support/random.ts';
import {
  beginsLikeManifest,
  dateText,
  manifestBeginning,
  maxParts,
  partIdOf,
  writeManifest,
  type Manifest,
} from './manifest.ts';
import { readManifest } from './read-manifest.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const digests = ['one', 'two', 'three'].map(digestOf);
const content: Parameters<typeof writeManifest>[0] = {
  base: 'films/a.mov',
  size: 10,
  sha256: digestOf('whole'),
  split: { method: 'fixed', bytes: 4 },
  name: 'ä "film".mov',
  modified: '2026-11-20T09:00:00.000Z',
  classification: 'Internal',
  created: '2026-11-22T09:00:00.000Z',
  client: 'Coffer 1.2.3',
  upload: '0123456789abcdef'.repeat(2),
  digests,
};
const write = (change: Partial<typeof content> = {}) => writeManifest({ ...content, ...change });
const read = (text: string | Uint8Array, identifier = 'films/a.mov') =>
  readManifest(Buffer.from(text), identifier);
/** Replaces the digest at the end by the right one, whatever the text says. */
const sealed = (text: string) => {
  const open = text.replace(/"self":"[0-9a-f]*"\}$/, '"self":""}');
  return open.replace(/"self":""\}$/, `"self":"${digestOf(open)}"}`);
};

test('reads what it wrote, which begins as every version does', async () => {
  const text = write();
  expect(text.startsWith(manifestBeginning)).toBe(true);
  expect(beginsLikeManifest(Buffer.from(text))).toBe(true);
  const { digests: _, ...fields } = content;
  const manifest: Manifest = {
    ...fields,
    root: digestOf(digests.join('')),
    parts: digests.map((sha256, index) => ({
      id: partIdOf(content, index),
      size: index === 2 ? 2 : 4,
      sha256,
    })),
  };
  expect(await read(text)).toEqual({ kind: 'manifest', manifest });
  expect(JSON.parse(text)).toMatchObject({ version: 2, upload: content.upload, parts: manifest.parts });
  expect(sealed(text)).toBe(text);
});

test('names a part after its upload, with a number', () => {
  expect(partIdOf(content, 7)).toBe('films/a.mov~p-0123456789abcdef0123456789abcdef-00007');
  expect(isPartId(partIdOf(content, maxParts - 1))).toBe(true);
  expect(isPartId('films/a.mov~p-0123456789abcdef0123456789abcdef')).toBe(false);
});

test('reads a manifest under its object and beside it, and nowhere else', async () => {
  for (const identifier of [
    'films/a.mov',
    'films/a.mov~o-0123456789abcdef',
    'films/a.mov~r-0123456789abcdef',
    // Of a copy that was replaced itself.
    'films/a.mov~o-0123456789abcdef~o-fedcba9876543210',
    'films/a.mov~o-0123456789abcdef~r-fedcba9876543210~o-0123456789abcdef',
  ])
    expect(await read(write(), identifier)).toMatchObject({ kind: 'manifest' });
  for (const identifier of [
    'films/b.mov',
    'films/b.mov~o-0123456789abcdef~o-fedcba9876543210',
    'films/a@2.mov',
    'films/a.mov~o-1',
    'a.mov',
    'other',
  ])
    expect(await read(write(), identifier)).toEqual({ kind: 'wrong' });
});

test.each([
  'a~o-0123456789abcdef',
  'a~r-0123456789abcdef',
  'a~p-0123456789abcdef0123456789abcdef-00001',
  'a~o-0123456789abcdef~o-0123456789abcdef',
  'a,"parts":[',
  'a"]}',
  '\u{1f4c1}/ü',
])('an object may be named %s', async (base) => {
  expect(await read(write({ base }), base)).toMatchObject({ kind: 'manifest', manifest: { base } });
});

test('clamps dates when it writes them, and reads any', async () => {
  expect(dateText(-86_400_000)).toBe('1969-12-31T00:00:00.000Z');
  expect(dateText(-1e15)).toBe('0000-01-01T00:00:00.000Z');
  expect(dateText(1e15)).toBe('9999-12-31T23:59:59.999Z');
  expect(dateText(1.5)).toBe('1970-01-01T00:00:00.001Z');
  expect(dateText(NaN)).toBe('1970-01-01T00:00:00.000Z');
  for (const modified of ['1960-02-03T04:05:06.000Z', 'yesterday', ''])
    expect(await read(write({ modified }))).toMatchObject({ kind: 'manifest', manifest: { modified } });
});

test('treats text without its own valid digest as an ordinary file', async () => {
  const text = write();
  const others = [
    '',
    manifestBeginning,
    `${text} `,
    text.slice(0, -1),
    text.replace('"size":10', '"size":11'),
    ` ${text}`,
    `${manifestBeginning}2,"self":"${'0'.repeat(64)}"}`,
  ];
  for (const other of others) expect(await read(other)).toEqual({ kind: 'none' });
});

test('reports a newer version as such, and an older one as unreadable', async () => {
  const ofVersion = (version: number) => sealed(write().replace('"version":2', `"version":${version}`));
  expect(await read(ofVersion(12))).toEqual({ kind: 'newer', version: 12 });
  expect(await read(ofVersion(1))).toEqual({ kind: 'wrong' });
});

test.each<[string, Partial<typeof content> | ((text: string) => string)]>([
  ['a size that the parts do not have', { size: 13 }],
  ['more parts than the size', { digests: [...digests, digestOf('four')] }],
  ['no parts', { digests: [] }],
  ['parts of another object', { base: 'films/b.mov' }],
  ['parts of another upload', (text) => text.replaceAll('~p-0', '~p-1')],
  ['a part twice', (text) => text.replace('-00001"', '-00000"')],
  [
    'parts in another order',
    (text) => text.replace('-00001"', '-x"').replace('-00002"', '-00001"').replace('-x"', '-00002"'),
  ],
  ['a size that cannot be counted', (text) => text.replace('"size":10', '"size":9007199254740993')],
  ['a split of nothing', (text) => text.replace('"bytes":4', '"bytes":0')],
  ['a part of another size', (text) => text.replace('"size":4', '"size":5')],
  ['another root', (text) => text.replace(/"root":"../, '"root":"zz')],
  ['a root of other parts', (text) => text.replace(/"root":"[0-9a-f]{64}"/, `"root":"${digestOf('x')}"`)],
  ['other spaces', (text) => text.replace(',"size"', ', "size"')],
  ['a field twice', (text) => text.replace('"size":10', '"size":9,"size":10')],
  ['a field too many', (text) => text.replace('"size":10', '"size":10,"more":1')],
  ['no JSON', (text) => text.replace('"parts":[', '"parts":[[')],
  ['no version', (text) => text.replace('"version":2', '"version":02')],
  ['another kind of number', (text) => text.replace('"size":10', '"size":1e1')],
  ['a digest that is none', (text) => text.replace(digests[0] ?? '', 'x'.repeat(64))],
])('%s: sealed, and wrong', async (_, change) => {
  const text = typeof change === 'function' ? change(write()) : write(change);
  expect(await read(sealed(text))).toEqual({ kind: 'wrong' });
});

test('refuses identifiers that cannot be sent', async () => {
  for (const base of ['', '.', '..']) expect(await read(write({ base }), base)).toEqual({ kind: 'wrong' });
});

test('reads any bytes without an exception, and accepts only what was written', async () => {
  const random = createRandom(7);
  const text = write();
  for (let round = 0; round < 3000; round += 1) {
    const bytes = Buffer.from(text);
    for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes -= 1)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    const cut = random() < 0.2 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
    const resealed = random() < 0.5 ? Buffer.from(sealed(cut.toString('latin1')), 'latin1') : cut;
    const reading = await read(resealed);
    if (reading.kind !== 'manifest') continue;
    const { parts, ...fields } = reading.manifest;
    expect(writeManifest({ ...fields, digests: parts.map(({ sha256 }) => sha256) })).toBe(
      resealed.toString(),
    );
    for (const { id } of parts) expect(id.startsWith('films/a.mov~p-')).toBe(true);
  }
});

test('deep nesting costs no more than its bytes', async () => {
  const deep = sealed(`${manifestBeginning}2,"parts":${'['.repeat(200_000)},"self":""}`);
  expect(await read(deep)).toEqual({ kind: 'wrong' });
});

const many = (count: number) =>
  write({
    size: count,
    split: { method: 'fixed', bytes: 1 },
    digests: Array.from({ length: count }, () => digests[0] ?? ''),
  });

/** Reads it, and counts the turns that other work has meanwhile. */
async function readBesideOthers(text: string) {
  const seen = { turns: 0, isOver: false };
  const reading = read(text).finally(() => (seen.isOver = true));
  while (!seen.isOver) {
    await setImmediate();
    seen.turns += 1;
  }
  return { reading: await reading, turns: seen.turns };
}

test('reads the maximum number of parts, with other work between them', async () => {
  const { reading, turns } = await readBesideOthers(many(maxParts));
  expect(reading).toMatchObject({ kind: 'manifest' });
  expect(turns).toBeGreaterThan(40);
});

test('refuses one part more', async () => {
  expect(await read(many(maxParts + 1))).toEqual({ kind: 'wrong' });
});

test('lets other work run between the pieces of a large text', { tags: 'all' }, async () => {
  const large = sealed(`${manifestBeginning}2,"parts":${'['.repeat(30_000_000)},"self":""}`);
  const { reading, turns } = await readBesideOthers(large);
  expect(reading).toEqual({ kind: 'wrong' });
  expect(turns).toBeGreaterThan(5);
});
