import { describe, expect, test } from 'vitest';
import { BadLineFinder, createStrictDecoder, decodeText, looksLikeUtf16 } from './decode-text.ts';

const bytes = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('decodeText', () => {
  test.each([
    ['UTF-8', Buffer.from('ä\n€')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFä\n€')],
    ['UTF-16LE', utf16('\uFEFFä\n€')],
    ['UTF-16BE', utf16('\uFEFFä\n€').swap16()],
  ])('%s', (_, given) => expect(decodeText(given)).toEqual({ text: 'ä\n€' }));

  test.each([
    ['a lone byte of Windows-1252', bytes('a\nb\r\ncaf', 0xe9, '\nd'), 3],
    ['the first byte', bytes(0x80, '\n'), 1],
    ['a sequence that the line end cuts off', bytes('a\n', 0xc3, '\nb'), 2],
    ['a sequence that the end cuts off', bytes('a\rb\r', 0xe2, 0x82), 3],
    ['CESU-8', bytes('\n\n', 0xed, 0xa0, 0x80), 3],
    ['UTF-16 of an odd length', Buffer.concat([utf16('\uFEFFa\r\nb\r\n'), bytes('c')]), 3],
    ['half a character in UTF-16', utf16('\uFEFFa\nb\n\ud800c\n'), 3],
    ['half a character in UTF-16BE', utf16('\uFEFFa\nb\n\ud800c\n').swap16(), 3],
  ])('finds %s', (_, given, badLine) => expect(decodeText(given)).toEqual({ badLine }));

  test('in pieces of any length', () => {
    for (let length = 1; length < 12; length += 1) {
      const given = bytes('€\r\n€€\n', 'a', 0xe9, '\n');
      const finder = new BadLineFinder('utf-8');
      const pieces = Array.from({ length: 16 }, (__, n) => given.subarray(n * length, (n + 1) * length));
      expect([pieces.some((piece) => finder.finds(piece)), finder.line]).toEqual([true, 3]);
    }
  });
});

test('Windows-1252 is not ISO-8859-1', () => {
  const decoder = createStrictDecoder('cp1252');
  expect(decoder.decode(bytes(0x80, 'A', 0xe9, 0x93)) + decoder.decode()).toBe('€Aé“');
  expect(createStrictDecoder('windows-1250').decode(bytes(0x8a, 0xe8))).toBe('Šč');
});

test.each([
  [utf16('a.txt\n'), true],
  [utf16('/ä\n').swap16(), true],
  [Buffer.from('a.txt\0b.txt\0'), false],
  [Buffer.from('a\n'), false],
  [Buffer.alloc(8), false],
])('%j looks like UTF-16: %s', (given, isSo) => expect(looksLikeUtf16(given)).toBe(isSo));
