import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUnknown, offer, textOf, valueOf } from './options.ts';

const serviceDefault = 'Default';

const listed = {
  values: [
    { value: 'Public', description: 'May be shown to anyone' },
    { value: 'Internal', description: null },
    { value: 'Restricted', description: 'For named people only' },
  ],
  recent: ['Restricted', null],
};

const labels = (typed: string | null, from = listed) =>
  offer(from, typed ?? serviceDefault, typed !== null).map(({ id, options }) => [
    id,
    ...options.map(({ label }) => label),
  ]);

describe('what the picker offers', () => {
  it('has the service default first, recent choices on top, then all', () => {
    expect(labels(null)).toEqual([
      ['default', serviceDefault],
      ['recent', 'Restricted'],
      ['all', 'Public', 'Internal', 'Restricted'],
    ]);
  });

  it('finds by name and by description', () => {
    expect(labels('shown')).toEqual([['all', 'Public']]);
    expect(labels('internal')).toEqual([['all', 'Internal']]);
    expect(labels('Internal')).toEqual([['all', 'Internal']]);
    expect(labels('Restricted')).toEqual([['recent', 'Restricted']]);
  });

  it('offers the default even when nothing is known', () => {
    expect(labels(null, { values: [], recent: [] })).toEqual([['default', serviceDefault]]);
  });

  it('offers what was typed as it stands where no list is published, and never beside one', () => {
    expect(labels('Mine', { values: [], recent: ['Other'] })).toEqual([['typed', 'Mine']]);
    expect(labels('Mine')).toEqual([]);
  });

  it('tells which values are neither published nor used', () => {
    expect(isUnknown(listed, 'zzz')).toBe(true);
    expect(isUnknown(listed, 'public')).toBe(true);
    for (const value of ['Public', 'Restricted', null]) expect(isUnknown(listed, value)).toBe(false);
    expect(isUnknown({ values: [], recent: [] }, 'zzz')).toBe(false);
  });

  it('keeps ids apart, whatever was typed', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('Public', 'public', 'Restricted', 'r', 'Mine')),
        (typed) => {
          const ids = offer(listed, typed, true).flatMap(({ options }) => options.map(({ id }) => id));
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
    );
  });
});

describe('valueOf', () => {
  it('sends what was typed unchanged, and nothing for the default', () => {
    expect(valueOf('')).toBeNull();
    expect(valueOf('  ')).toBeNull();
    expect(valueOf(serviceDefault)).toBeNull();
    expect(valueOf(' Top secret+%/')).toBe(' Top secret+%/');
    expect(textOf(null)).toBe(serviceDefault);
  });
});
