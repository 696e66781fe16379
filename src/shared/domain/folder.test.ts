import { expect, test } from 'vitest';
import { folderAbove, folderPrefix, folderTrail, nameWithin } from './folder.ts';

test('a folder is the text before the last separators', () => {
  expect(folderAbove('a/b/c', '/')).toBe('a/b');
  expect(folderAbove('a//b', '/')).toBe('a');
  expect(folderAbove('/a', '/')).toBe('');
  expect(folderAbove('a::b::c', '::')).toBe('a::b');
});

test('identifiers in a folder begin with it and one separator', () => {
  expect(folderPrefix('a/b', '/')).toBe('a/b/');
  expect(folderPrefix('a::', '::')).toBe('a::');
  expect(folderPrefix('', '/')).toBe('');
});

test('a name inside a folder leaves the folder out, and only that one', () => {
  expect(nameWithin('a/b/c.txt', 'a', '/')).toBe('b/c.txt');
  expect(nameWithin('a//c.txt', 'a', '/')).toBe('c.txt');
  expect(nameWithin('ab/c.txt', 'a', '/')).toBe('ab/c.txt');
  expect(nameWithin('a/', 'a', '/')).toBe('a/');
  expect(nameWithin('a/b', '', '/')).toBe('a/b');
});

test('a trail leads from the top to the folder', () => {
  expect(folderTrail('a/b/c', '/')).toEqual([
    { path: 'a', name: 'a' },
    { path: 'a/b', name: 'b' },
    { path: 'a/b/c', name: 'c' },
  ]);
  expect(folderTrail('', '/')).toEqual([]);
});
