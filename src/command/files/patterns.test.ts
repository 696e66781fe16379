import { describe, expect, test } from 'vitest';
import { compileNarrowing, compilePattern, fixedFolder } from './patterns.ts';

describe('a pattern', () => {
  test.each([
    ['photos/*', ['photos/a.jpg', 'photos/.hidden'], ['photos/may/a.jpg', 'photos', 'xphotos/a.jpg']],
    ['photos/**', ['photos/a.jpg', 'photos/may/.x/a.jpg'], ['photos', 'photo/a.jpg']],
    ['**/a.txt', ['a.txt', 'x/a.txt', 'x/y/a.txt'], ['xa.txt', 'a.txt/b']],
    ['x/**/a', ['x/a', 'x/y/z/a'], ['xa', 'x/ya']],
    ['?.txt', ['a.txt', 'é.txt', '😀.txt'], ['ab.txt', '/.txt', '.txt']],
    ['[ab]*.{jpg,png}', ['a.jpg', 'b1.png'], ['c.jpg', 'a.gif', 'A.jpg']],
    ['[!a-c]', ['d', '-'], ['a', 'b', '/']],
    ['[]]', [']'], ['[]']],
    [String.raw`a\*b`, ['a*b'], ['axb', String.raw`a\*b`]],
    ['a[b', ['a[b'], ['ab']],
    ['a{b', ['a{b'], ['ab']],
    ['1+1=(2).$^|', ['1+1=(2).$^|'], ['11=2']],
    ['line*', ['line\nend'], []],
  ])('%s', (pattern, found, others) => {
    const matches = compilePattern(pattern, '/');
    expect(found.filter((text) => !matches(text))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  test('uses the separator of the service', () => {
    expect(compilePattern('team:*', ':')('team:a/b')).toBe(true);
    expect(compilePattern('team:*', ':')('team:a:b')).toBe(false);
    expect(compilePattern('a**z', '::')('a::b::z')).toBe(true);
  });

  test('refuses a reversed range', () => {
    expect(() => compilePattern('[z-a]', '/')).toThrow('“[z-a]” is not a pattern');
  });

  test.each([
    ['photos/may/*.jpg', 'photos/may'],
    ['photos/m?y/a', 'photos'],
    ['*', ''],
    ['/x*', ''],
  ])('%s begins in %j', (pattern, folder) => {
    expect(fixedFolder(pattern, '/')).toBe(folder);
  });
});

describe('--include and --exclude', () => {
  const paths = ['a.jpg', 'raw/b.jpg', 'raw/deep/c.txt', 'x/raw/d.jpg', 'e.txt'];
  test.each([
    [{}, paths],
    [{ include: ['*.jpg'] }, ['a.jpg', 'raw/b.jpg', 'x/raw/d.jpg']],
    [{ include: ['*.jpg', 'e.*'] }, ['a.jpg', 'raw/b.jpg', 'x/raw/d.jpg', 'e.txt']],
    [{ include: ['raw/*'] }, ['raw/b.jpg']],
    [{ exclude: ['raw/'] }, ['a.jpg', 'e.txt']],
    [{ include: ['*.jpg'], exclude: ['raw/**'] }, ['a.jpg', 'x/raw/d.jpg']],
  ])('%j', (narrowing, wanted) => {
    expect(paths.filter(compileNarrowing(narrowing, '/'))).toEqual(wanted);
  });
});
