import { afterEach, expect, expectTypeOf, it } from 'vitest';
import { chooseLanguage, setLanguage } from './language.ts';
import { addCatalogue, messages, registeredMessages } from './messages.ts';

const texts = messages('test', {
  title: 'Welcome',
  nested: { name: 'Edit {name}…' },
  copy: '{count, plural, one {# object} other {# objects}} in {folder}',
  place: '{place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
  way: '{way, select, up {Upload of {name}} other {Download}}, it’s {count, number}',
});

addCatalogue('ar', {
  'test.copy':
    '{count, plural, zero {لا كائنات} one {كائن واحد} two {كائنان} few {# كائنات} many {# كائنًا} other {# كائن}} في {folder}',
});
addCatalogue('de', { 'test.title': 'Willkommen', 'test.nested.name': '{name} bearbeiten …' });

afterEach(() => setLanguage(chooseLanguage('en', [])));

it('reads texts and values in English', () => {
  expect(texts.title).toBe('Welcome');
  expect(texts.nested.name({ name: 'Meridian' })).toBe('Edit Meridian…');
  expect(texts.copy({ count: 1, folder: 'a' })).toBe('1 object in a');
  expect(texts.copy({ count: 1204, folder: 'a' })).toBe('1,204 objects in a');
  expect([1, 2, 3, 11, 1102].map((place) => texts.place({ place }))).toEqual([
    '1st',
    '2nd',
    '3rd',
    '11th',
    '1,102nd',
  ]);
  expect(texts.way({ way: 'up', name: 'a', count: 3 })).toBe('Upload of a, it’s 3');
});

it('derives the types of values from the text', () => {
  expectTypeOf(texts.title).toEqualTypeOf<string>();
  expectTypeOf(texts.copy).parameter(0).toExtend<{ count: number; folder: string | number }>();
  // @ts-expect-error a name that the message does not have
  expect(texts.nested.name({ nam: 'Meridian' })).toBe('Edit {name}…');
  // @ts-expect-error a plural takes a number
  texts.place({ place: '1' });
});

it('speaks the language in force, and English where a text is missing', () => {
  setLanguage(chooseLanguage('de', ['de-AT']));
  expect(texts.title).toBe('Willkommen');
  expect(texts.nested.name({ name: 'Meridian' })).toBe('Meridian bearbeiten …');
  expect(texts.copy({ count: 1234567, folder: 'a' })).toMatch(/^1.234.567 objects in a$/);
});

it('has all forms of Arabic, and isolates what is inserted', () => {
  setLanguage(chooseLanguage('ar', []));
  const copies = [0, 1, 2, 3, 11, 100].map((count) => texts.copy({ count, folder: 'a/b' }));
  expect(copies.map((copy) => copy.replace(' في \u2068a/b\u2069', ''))).toEqual([
    'لا كائنات',
    'كائن واحد',
    'كائنان',
    '3 كائنات',
    '11 كائنًا',
    '100 كائن',
  ]);
});

it('isolates right-to-left values in English', () => {
  expect(texts.nested.name({ name: 'تقرير' })).toBe('Edit \u2068تقرير\u2069…');
});

it('makes pseudo-languages from English', () => {
  setLanguage(chooseLanguage('system', ['en-XA']));
  expect(texts.copy({ count: 2, folder: 'a/b' })).toBe('[2 öƀĵéçţš~~~ îñ~ a/b]');
  setLanguage(chooseLanguage('system', ['ar-XB']));
  expect(texts.title).toBe('\u202EWelcome\u202C');
});

it('registers every text under its path', () => {
  expect(registeredMessages().get('test.nested.name')).toBe('Edit {name}…');
});
