import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factBits } from './unverified.ts';
import type { ObjectState } from './object.ts';
import { checkVersionMark, versionIdentifier, versionMeant, versionOf } from './versions.ts';

const mark = '@{number}';

test('the number is before the extension', () => {
  expect(versionIdentifier('a/report.docx', '/', mark, 1)).toBe('a/report.docx');
  expect(versionIdentifier('a/report.docx', '/', mark, 2)).toBe('a/report@2.docx');
  expect(versionIdentifier('a.b/notes', '/', mark, 12)).toBe('a.b/notes@12');
  expect(versionIdentifier('.service', '/', mark, 3)).toBe('.service@3');
});

test('an identifier without a mark or a valid number is version 1 of itself', () => {
  for (const identifier of [
    'a/report.docx',
    'me@1.org',
    'a@02.txt',
    'a@0.txt',
    '@2.txt',
    'a/@2',
    'a@x.txt',
    'a@2/b.txt',
  ])
    expect(versionOf(identifier, '/', mark)).toEqual({ base: identifier, number: 1 });
  expect(versionOf('a/report@3.docx', '/', mark)).toEqual({ base: 'a/report.docx', number: 3 });
});

test.each([
  ['@{number}', null],
  [' (version {number})', null],
  ['', 'number'],
  ['@', 'number'],
  ['{number}@{number}', 'number'],
  ['{number}', 'nothingBefore'],
  ['@1{number}', 'nothingBefore'],
  ['/{number}', 'separator'],
  ['.{number}', 'dot'],
  ['@{number}\n', 'characters'],
  ['@{number}\ud800', 'characters'],
] as const)('the mark %j: %s', (anyMark, problem) => {
  expect(checkVersionMark(anyMark, '/')).toBe(problem);
});

test('recovers base and number from the name of a version', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z@.0-9]{1,8}\/[a-z]{1,6}(\.[a-z]{1,3})?$/),
      fc.integer({ min: 2, max: 999_999 }),
      fc.constantFrom('@{number}', ' (v{number})', '-{number}', '~{number}~'),
      (base, number, anyMark) => {
        expect(checkVersionMark(anyMark, '/')).toBeNull();
        expect(versionOf(versionIdentifier(base, '/', anyMark, number), '/', anyMark)).toEqual({
          base,
          number,
        });
      },
    ),
  );
});

test('an identifier without a number means the newest stored version, one with a number that version', () => {
  const family = (...states: ObjectState[]) =>
    states.map((state, index) => ({
      kind: 'data' as const,
      identifier: index === 0 ? 'a.txt' : `a@${index + 1}.txt`,
      state,
    }));
  const meant = (identifier: string, ...states: ObjectState[]) =>
    versionMeant(identifier, 'a.txt', family(...states))?.identifier;
  expect(meant('a.txt', 'stored', 'stored', 'uploading')).toBe('a@2.txt');
  expect(meant('a.txt', 'stored', 'missing', 'gone')).toBe('a.txt');
  expect(meant('a.txt', 'gone', 'unknown', 'failed')).toBe('a@2.txt');
  expect(meant('a.txt', 'uploading')).toBe('a.txt');
  expect(meant('a@2.txt', 'stored', 'missing', 'stored')).toBe('a@2.txt');
  expect(meant('a@4.txt', 'stored')).toBeUndefined();
});

test('a version that is only said to exist never takes the place of one that was seen', () => {
  const seen = { kind: 'data', identifier: 'a', state: 'stored' } as const;
  const told = { ...seen, identifier: 'a@99', unverified: factBits.presence };
  const meant = (...versions: Parameters<typeof versionMeant>[2][number][]) =>
    versionMeant('a', 'a', versions)?.identifier;
  expect(meant(seen, told)).toBe('a');
  expect(meant(seen, { ...seen, identifier: 'a@2' }, told)).toBe('a@2');
  expect(versionMeant('a@99', 'a', [seen, told])?.identifier).toBe('a@99');
  // Nothing better is known, as after the import of one's own list.
  expect(meant({ ...seen, unverified: factBits.presence }, told)).toBe('a@99');
  expect(meant({ ...seen, state: 'missing' }, told)).toBe('a@99');
  // What a colleague has stored is the newest for everybody, but a secret that nobody here has read is not given to programs.
  expect(meant(seen, { ...told, isShared: true })).toBe('a@99');
  expect(meant({ ...seen, kind: 'secret' }, { ...told, kind: 'secret', isShared: true })).toBe('a');
});
