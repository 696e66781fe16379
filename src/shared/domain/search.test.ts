import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, parseSearch } from './search.ts';

const nothing = {
  words: [],
  classes: [],
  states: [],
  minBytes: null,
  maxBytes: null,
  storedFromMs: null,
  storedBeforeMs: null,
  problems: [],
};

describe('parseSearch', () => {
  const january = new Date(2026, 0, 1).getTime();
  it.each([
    ['', {}],
    ['  \t\n ', {}],
    ['Report Report 2026', { words: ['report', '2026'] }],
    ['"two words" more', { words: ['two words', 'more'] }],
    ['"not closed', { words: ['not closed'] }],
    ['""', {}],
    ['class:Secret', { classes: [{ value: 'secret', exact: false }] }],
    [
      'CLASS:"Top Secret" class:x',
      {
        classes: [
          { value: 'top secret', exact: true },
          { value: 'x', exact: false },
        ],
      },
    ],
    ['class:""', { classes: [{ value: '', exact: true }] }],
    ['state:missing state:GONE', { states: ['missing', 'gone'] }],
    ['size:>1mb', { minBytes: 1_000_001 }],
    ['size:>=1.5KB size:<2gb', { minBytes: 1500, maxBytes: 1_999_999_999 }],
    ['size:<=10b', { maxBytes: 10 }],
    ['size:=7', { minBytes: 7, maxBytes: 7 }],
    ['size:7', { minBytes: 7, maxBytes: 7 }],
    ['before:2026-01-01', { storedBeforeMs: january }],
    ['after:2026-01-01 x', { storedFromMs: january, words: ['x'] }],
    ['http://a:b', { words: ['http://a:b'] }],
    ['size:big', { words: ['size:big'], problems: [{ token: 'size:big', problem: 'size' }] }],
    ['State:Lost', { words: ['state:lost'], problems: [{ token: 'State:Lost', problem: 'state' }] }],
    [
      'after:2026-02-30',
      { words: ['after:2026-02-30'], problems: [{ token: 'after:2026-02-30', problem: 'date' }] },
    ],
    ['before:soon', { words: ['before:soon'], problems: [{ token: 'before:soon', problem: 'date' }] }],
    ['class: x', { words: ['class:', 'x'], problems: [{ token: 'class:', problem: 'class' }] }],
  ])('reads %j', (text, wanted) => {
    expect(parseSearch(text)).toEqual({ ...nothing, ...wanted });
  });

  it('takes any text, and every token has its place', () => {
    const piece = fc.constantFrom(
      'class:',
      'size:',
      '"',
      ' ',
      '>',
      '1mb',
      'state:',
      'gone',
      'before:',
      '2026-01-01',
      'é',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const filter = parseSearch(typed);
        for (const { token } of filter.problems) expect(filter.words).toContain(foldText(token));
        for (const word of filter.words) expect(foldText(typed)).toContain(word);
      }),
    );
  });

  it('finds any quoted part of a text in it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, part, after) => {
        fc.pre(!part.includes('"'));
        for (const word of parseSearch(`"${part}"`).words)
          expect(foldText(before + part + after)).toContain(word);
      }),
    );
  });
});

describe('foldText', () => {
  it.each([
    ['İstanbul', 'istanbul'],
    ['ISPARTA', 'ısparta'],
    ['Straße', 'STRASSE'],
    ['caf\u00e9', 'CAFE\u0301'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ＡＢＣ', 'abc'],
    ['ПРИВЕТ', 'привет'],
    ['ﬁle', 'FILE'],
    ['ガ', 'カ\u3099'],
  ])('%s is %s', (a, b) => {
    expect(foldText(a)).toBe(foldText(b));
  });

  it.each([
    ['e', 'é'],
    ['ש', 'ס'],
    ['😀', '😁'],
  ])('%s is not %s', (a, b) => {
    expect(foldText(a)).not.toBe(foldText(b));
  });
});
