import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, hasInOrder, parseSearch } from './search.ts';
import { anyCharacter } from '../../../test-support/any-character.ts';

const noDemands = { words: [], classes: [], folders: [], states: [], fileKinds: [], people: [] };
const nothing = {
  ...noDemands,
  without: noDemands,
  minBytes: null,
  maxBytes: null,
  storedFromMs: null,
  storedBeforeMs: null,
  shared: new Set([true, false]),
  problems: [],
};

describe('parseSearch', () => {
  const january = new Date(2026, 0, 1).getTime();
  it.each([
    ['', {}],
    ['  \t\n ', {}],
    ['Report 2026', { words: [['report'], ['2026']] }],
    ['"two words" more', { words: [['two words'], ['more']] }],
    ['"not closed', { words: [['not closed']] }],
    ['""', {}],
    ['Rep*2026 *.PDF', { words: [['rep', '2026'], ['.pdf']] }],
    ['"a*b" *', { words: [['a*b']] }],
    ['-draft a-b -', { words: [['a-b'], ['-']], without: { ...noDemands, words: [['draft']] } }],
    ['-"two words" "-x"', { words: [['-x']], without: { ...noDemands, words: [['two words']] } }],
    ['class:Secret', { classes: [{ pattern: ['secret'], exact: false }] }],
    [
      'CLASS:"Top Secret" class:*x',
      {
        classes: [
          { pattern: ['top secret'], exact: true },
          { pattern: ['', 'x'], exact: false },
        ],
      },
    ],
    ['by:Anna', { people: [{ pattern: ['anna'], exact: false }] }],
    ['-by:""', { without: { ...noDemands, people: [{ pattern: [''], exact: true }] } }],
    ['shared:yes', { shared: new Set([true]) }],
    ['-shared:y', { shared: new Set([false]) }],
    ['shared:yes shared:no', { shared: new Set() }],
    ['class:""', { classes: [{ pattern: [''], exact: true }] }],
    ['-class:x', { without: { ...noDemands, classes: [{ pattern: ['x'], exact: false }] } }],
    ['folder:Reports/2026', { folders: [{ pattern: ['reports/2026'], exact: false }] }],
    ['-folder:"a b"', { without: { ...noDemands, folders: [{ pattern: ['a b'], exact: true }] } }],
    ['state:missing state:GONE', { states: ['missing', 'gone'] }],
    ['state:u', { states: ['uploading', 'unknown'] }],
    ['-state:stored', { without: { ...noDemands, states: ['stored'] } }],
    ['kind:Picture kind:doc', { fileKinds: ['image', 'text'] }],
    ['kind:image kind:text kind:video kind:audio', { fileKinds: ['image', 'text', 'video', 'audio'] }],
    ['-kind:archive', { without: { ...noDemands, fileKinds: ['archive'] } }],
    ['size:>1mb', { minBytes: 1_000_001 }],
    ['size:>=1.5KB size:<2gb', { minBytes: 1500, maxBytes: 1_999_999_999 }],
    ['size:<=10b', { maxBytes: 10 }],
    ['size:=7', { minBytes: 7, maxBytes: 7 }],
    ['size:7', { minBytes: 7, maxBytes: 7 }],
    ['before:2026-01-01', { storedBeforeMs: january }],
    ['before:2026', { storedBeforeMs: january }],
    ['after:2026-01 x', { storedFromMs: january, words: [['x']] }],
    ['http://a:b c:\\d', { words: [['http://a:b'], ['c:\\d']] }],
    ['folder:/reports', { folders: [{ pattern: ['/reports'], exact: false }] }],
    ['12:30', { words: [['12:30']] }],
    ['class: x', { words: [['x']] }],
    ['size: state: kind: folder: before:', {}],
  ])('reads %j', (text, wanted) => {
    expect(parseSearch(text)).toEqual({ ...nothing, ...wanted });
  });

  it.each([
    ['clas:x', 'key'],
    ['Foo:"bar"', 'key'],
    ['-foo:bar', 'key'],
    ['size:big', 'size'],
    ['-size:1', 'exclude'],
    ['-before:2026-01-01', 'exclude'],
    ['State:Lost', 'state'],
    ['-state:Lost', 'state'],
    ['state:""', 'state'],
    ['kind:song', 'kind'],
    ['after:2026-02-30', 'date'],
    ['before:soon', 'date'],
    ['shared:maybe', 'shared'],
  ])('says what is wrong with %s, and finds it as text alone', (text, problem) => {
    const { problems, ...filter } = parseSearch(`a ${text}`);
    expect(problems).toEqual([{ token: expect.objectContaining({ text, start: 2 }), problem }]);
    expect(filter).toMatchObject({ words: [['a'], [text.toLowerCase()]], without: noDemands });
    expect(parseSearch(`"${text.replaceAll('"', '')}"`).problems).toEqual([]);
  });

  it('parses any text, and every token has its position', () => {
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
      fc.string({ unit: anyCharacter }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const filter = parseSearch(typed);
        for (const { token } of filter.problems) expect(filter.words).toContainEqual([foldText(token.text)]);
        for (const piece of filter.words.flat()) expect(foldText(typed)).toContain(piece);
      }),
    );
  });

  it('finds any quoted part of a text in it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, part, after) => {
        fc.pre(!part.includes('"'));
        for (const word of parseSearch(`"${part}"`).words)
          expect(hasInOrder(foldText(before + part + after), word)).toBe(true);
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
