import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRandom } from '../../../../test-support/main/transfers/random-world.ts';
import {
  beginsLikeManifest,
  isPartId,
  manifestBeginning,
  partIdOf,
  readManifest,
  writeManifest,
  type Manifest,
} from './manifest.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const part = (text: string, size = 4, base = 'films/a.mov') => ({
  id: partIdOf(base, digestOf(text), 'Internal'),
  size,
  sha256: digestOf(text),
});
const manifest: Manifest = {
  size: 10,
  sha256: digestOf('whole'),
  split: { method: 'fixed', bytes: 4 },
  name: 'ä "film".mov',
  modified: '2026-11-20T09:00:00.000Z',
  classification: 'Internal',
  created: '2026-11-22T09:00:00.000Z',
  client: 'Coffer 1.2.3',
  upload: '0'.repeat(32),
  parts: [part('one'), part('two'), part('three', 2)],
};
const read = (text: string | Uint8Array, identifier = 'films/a.mov') =>
  readManifest(Buffer.from(text), identifier, '/');
/** With a digest of itself, whatever it says. */
const sealed = (text: string) => {
  const open = text.replace(/"self":"[0-9a-f]*"\}$/, '"self":""}');
  return open.replace(/"self":""\}$/, `"self":"${digestOf(open)}"}`);
};

test('what was written is read, and begins as every version does', () => {
  const text = writeManifest(manifest);
  expect(text.startsWith(manifestBeginning)).toBe(true);
  expect(beginsLikeManifest(Buffer.from(text))).toBe(true);
  expect(read(text)).toEqual({ kind: 'manifest', manifest, base: 'films/a.mov' });
  expect(sealed(text)).toBe(text);
});

test('versions of one object share its parts, whatever marks them', () => {
  const text = writeManifest(manifest);
  for (const identifier of ['films/a@2.mov', 'films/a~17.mov', 'films/a-v3.mov'])
    expect(read(text, identifier).kind).toBe('manifest');
  for (const identifier of ['films/b.mov', 'films/a/b.mov', 'a.mov', 'films/a', 'other'])
    expect(read(text, identifier)).toEqual({ kind: 'wrong' });
});

test('parts are named after the classification too, as those of earlier builds are not', () => {
  const named = (classification: string | null) =>
    manifest.parts.map((each) => ({ ...each, id: partIdOf('films/a.mov', each.sha256, classification) }));
  const readings = [null, 'Internal', 'Public'].map((of) =>
    ['Internal', null].map(
      (classification) => read(writeManifest({ ...manifest, classification, parts: named(of) })).kind,
    ),
  );
  expect(readings).toEqual([
    ['manifest', 'manifest'],
    ['manifest', 'wrong'],
    ['wrong', 'wrong'],
  ]);
  const mixed = [...named(null).slice(0, 1), ...named('Internal').slice(1)];
  expect(read(writeManifest({ ...manifest, parts: mixed }))).toEqual({ kind: 'wrong' });
  for (const classification of [null, 'Internal'])
    expect(named(classification).every(({ id }) => isPartId(id))).toBe(true);
});

test('what is not sealed by its own digest is an ordinary file', () => {
  const text = writeManifest(manifest);
  const others = [
    '',
    manifestBeginning,
    `${text} `,
    text.slice(0, -1),
    text.replace('"size":10', '"size":11'),
    ` ${text}`,
    `${manifestBeginning}1,"self":"${'0'.repeat(64)}"}`,
  ];
  for (const other of others) expect(read(other)).toEqual({ kind: 'none' });
});

test('a newer version is told as such', () => {
  expect(read(sealed(writeManifest(manifest).replace('"version":1', '"version":12')))).toEqual({
    kind: 'newer',
    version: 12,
  });
});

test.each<[string, Partial<Manifest> | ((text: string) => string)]>([
  ['sizes that do not add up', { size: 11 }],
  ['no parts', { parts: [], size: 1 }],
  ['a part of another object', { parts: [part('one', 4, 'films/b.mov'), part('two'), part('three', 2)] }],
  [
    'a part that is not named after its digest',
    { parts: [{ ...part('one'), id: part('two').id }, part('two')], size: 8 },
  ],
  ['a part of no size', { parts: [part('one'), part('two', 0)], size: 4 }],
  ['a part over the size', { parts: [part('one', 5), part('two', 5)], size: 10 }],
  ['one part with two sizes', { parts: [part('one'), part('one', 2)], size: 6 }],
  ['a date that is none', { modified: 'yesterday' }],
  ['another root', (text) => text.replace(/"root":"../, '"root":"zz')],
  ['a root of other parts', (text) => text.replace(/"root":"[0-9a-f]{64}"/, `"root":"${digestOf('x')}"`)],
  ['other spaces', (text) => text.replace(',"size"', ', "size"')],
  ['a field twice', (text) => text.replace('"size":10', '"size":9,"size":10')],
  ['a field too many', (text) => text.replace('"size":10', '"size":10,"more":1')],
  ['no JSON', (text) => text.replace('"parts":[', '"parts":[[')],
  ['no version', (text) => text.replace('"version":1', '"version":01')],
  ['another kind of number', (text) => text.replace('"size":10', '"size":1e1')],
])('%s: sealed, and wrong', (_, change) => {
  const text =
    typeof change === 'function'
      ? change(writeManifest(manifest))
      : writeManifest({ ...manifest, ...change });
  expect(read(sealed(text))).toEqual({ kind: 'wrong' });
});

test('the bases that travel nowhere are wrong', () => {
  for (const base of ['', '.', '..'])
    expect(
      read(
        writeManifest({ ...manifest, parts: [part('x', 10, base)], split: { method: 'fixed', bytes: 10 } }),
        base,
      ),
    ).toEqual({
      kind: 'wrong',
    });
});

test('any bytes are read without an exception, and nothing but what was written is taken for it', () => {
  const random = createRandom(7);
  const text = writeManifest(manifest);
  for (let round = 0; round < 3000; round += 1) {
    const bytes = Buffer.from(text);
    for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes -= 1)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    const cut = random() < 0.2 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
    const resealed = random() < 0.5 ? Buffer.from(sealed(cut.toString('latin1')), 'latin1') : cut;
    const reading = read(resealed);
    if (reading.kind !== 'manifest') continue;
    expect(writeManifest(reading.manifest)).toBe(resealed.toString());
    for (const { id } of reading.manifest.parts) expect(id.startsWith('films/a.mov~p-')).toBe(true);
  }
});

test('deep nesting costs no more than its bytes', () => {
  const deep = sealed(`${manifestBeginning}1,"parts":${'['.repeat(200_000)},"self":""}`);
  expect(read(deep)).toEqual({ kind: 'wrong' });
});
