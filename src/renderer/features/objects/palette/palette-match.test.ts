import { describe, expect, it } from 'vitest';
import { findMarks, matchWordStart, rankOf, readTyped } from './palette-match.ts';

describe('palette', () => {
  it('matches beginnings of words', () => {
    expect(matchWordStart('Show details', 'de')).toBe(5);
    expect(matchWordStart('Hidden details', 'de')).toBe(7);
    expect(matchWordStart('imaging/site-02/dem-1m.tif', 'DEM')).toBe(16);
    expect(matchWordStart('Hidden', 'den')).toBe(-1);
    expect(matchWordStart('Anything', '')).toBe(0);
  });

  it('matches every word of what was typed, the label first', () => {
    const entry = { label: 'Export the list…', place: 'List of objects', words: 'save backup csv' };
    expect(rankOf(entry, 'the list')).toBe('name');
    expect(rankOf(entry, 'list exp')).toBe('label');
    expect(rankOf(entry, 'backup list')).toBe('words');
    expect(rankOf(entry, 'objects')).toBe('words');
    expect(rankOf(entry, 'list import')).toBeNull();
  });

  it('marks the typed text, or each of its words', () => {
    const marked = (text: string, typed: string) =>
      findMarks(text, typed)
        .filter(({ isMarked }) => isMarked)
        .map(({ from, to }) => text.slice(from, to));
    expect(marked('Export the list…', 'the li')).toEqual(['the li']);
    expect(marked('Export the list…', 'list exp')).toEqual(['Exp', 'list']);
    expect(marked('Export the list…', 'e ex backup')).toEqual(['E']);
    expect(marked('Export the list…', '')).toEqual([]);
  });

  it('narrows the offer by a first character', () => {
    expect(readTyped('>  del')).toEqual({ scope: 'actions', typed: 'del' });
    expect(readTyped('/press')).toEqual({ scope: 'objects', typed: 'press' });
    expect(readTyped(',theme')).toEqual({ scope: 'settings', typed: 'theme' });
    expect(readTyped('de')).toEqual({ scope: 'everything', typed: 'de' });
  });
});
