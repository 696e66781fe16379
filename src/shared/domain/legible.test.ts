import { expect, test } from 'vitest';
import { inOneLine } from './legible.ts';

test.each([
  ['a/b ü 日本', 'a/b ü 日本'],
  ['two\nlines\r\n', 'two\uFFFDlines\uFFFD\uFFFD'],
  ['a\u2028b\u2029c', 'a\uFFFDb\uFFFDc'],
  ['\u001b[2J\u009b2J\u0000', '\uFFFD[2J\uFFFD2J\uFFFD'],
  ['exe.\u202egpj', 'exe.\uFFFDgpj'],
  // A joiner is part of many scripts and emoji.
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['\u2068closed \u2067twice\u2069\u2069', '\u2068closed \u2067twice\u2069\u2069'],
  ['\u2069leaves', '\uFFFDleaves'],
  ['\u2067stays open', '\uFFFDstays open'],
])('shows %j as %j', (text, shown) => {
  expect(inOneLine(text)).toBe(shown);
});
