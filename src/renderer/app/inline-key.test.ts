import { afterEach, expect, it } from 'vitest';
import { chooseLanguage, setLanguage } from '../../shared/i18n/language.ts';
import { alongLine, inlineKey, inlineStart } from './key-bindings.ts';

afterEach(() => setLanguage(chooseLanguage('en', [])));

it('reads arrows and edges along the line', () => {
  const seen = () => [
    inlineKey('ArrowLeft'),
    inlineKey('ArrowRight'),
    inlineKey('ArrowUp'),
    inlineStart({ left: 1, right: 9 }),
    alongLine(5),
  ];
  expect(seen()).toEqual(['start', 'end', null, 1, 5]);
  setLanguage(chooseLanguage('ar', []));
  expect(seen()).toEqual(['end', 'start', null, 9, -5]);
});
