import fc from 'fast-check';
import filenamify from 'filenamify/browser';
import { describe, expect, test } from 'vitest';
import { distinctFileNames, numberedFileName, safeFileName, temporaryFileName } from './file-name.ts';
import { anyCharacter } from '../../../test-support/any-character.ts';

const nasty = fc.string({
  unit: fc.constantFrom(
    'a',
    'CON',
    'nul',
    'COM1',
    '.',
    '..',
    ' ',
    '/',
    '\\',
    ':',
    '\0',
    '\n',
    '\u202e',
    '\u200d',
    '👩‍👩‍👧',
    'é',
    '漢',
    '\ud800',
  ),
  maxLength: 200,
});
const anyName = fc.oneof(
  nasty,
  fc.string({ unit: anyCharacter, maxLength: 400 }),
  fc.string({ maxLength: 20 }),
);
const bytesOf = (name: string) => encodeURIComponent(name).replace(/%../g, '.').length;

describe('safe file name', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['.service', '.service'],
    ['', 'unnamed'],
    ['.', 'unnamed'],
    ['..', 'unnamed'],
    [' . . ', 'unnamed'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['C:\\x', 'C__x'],
    ['CON', 'CON_'],
    ['nul.txt', 'nul_.txt'],
    ['COM1.tar.gz', 'COM1_.tar.gz'],
    ['LPT¹', 'LPT¹_'],
    ['con .txt', 'con_.txt'],
    ['console.txt', 'console.txt'],
    ['name. . .', 'name'],
    ['invoice\u202Efdp.exe', 'invoice_fdp.exe'],
    ['a\0b\nc', 'a_b c'],
    ['a\ud800b', 'a_b'],
    ['👩‍👩‍👧.png', '👩‍👩‍👧.png'],
    ['a\u00a0b', 'a b'],
  ])('saves %j as %j', (name, expected) => {
    expect(safeFileName(name)).toBe(expected);
  });

  test('a long name keeps its extension and no code point is split', () => {
    expect(safeFileName(`${'漢'.repeat(300)}.jpeg`)).toBe(`${'漢'.repeat(83)}.jpeg`);
    expect(safeFileName('x'.repeat(300))).toHaveLength(254);
    expect(safeFileName(`COM1${' '.repeat(300)}x.txt`)).toBe('COM1_.txt');
    expect(numberedFileName(`${'x'.repeat(251)}.txt`, 12)).toBe(`${'x'.repeat(246)} (12).txt`);
  });

  test('is a name that every system accepts, also by the rules of another library', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const safe = safeFileName(name);
        expect(bytesOf(safe)).toBeLessThanOrEqual(255);
        expect(safe).not.toMatch(/^\.{0,2}$|[/\\\0]|[. ]$/);
        expect(filenamify(safe, { maxLength: 1000 })).toBe(safe);
      }),
      { numRuns: 2000 },
    );
  });

  test('so are its numbered and temporary names', () => {
    fc.assert(
      fc.property(anyName, fc.integer({ min: 1, max: 9999 }), (name, number) => {
        const safe = safeFileName(name);
        for (const other of [numberedFileName(safe, number), temporaryFileName(safe, '1f3a9c02')]) {
          expect(bytesOf(other)).toBeLessThanOrEqual(255);
          expect(other).not.toBe(safe);
          expect(filenamify(other, { maxLength: 1000 })).toBe(other);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test('numbers names that a file system would not tell apart', () => {
  expect(distinctFileNames(['a.txt', 'A.txt', 'a (1).txt', 'b', 'a.txt'])).toEqual([
    'a.txt',
    'A (1).txt',
    'a (1) (1).txt',
    'b',
    'a (2).txt',
  ]);
});
