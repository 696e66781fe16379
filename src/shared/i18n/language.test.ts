import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import {
  applyLanguage,
  chooseLanguage,
  languageInForce,
  onLanguageChange,
  prepareLanguages,
  setLanguage,
} from './language.ts';

afterEach(() => setLanguage(chooseLanguage('en', [])));

it('takes the first supported language of the system, with its region', () => {
  expect(chooseLanguage('system', ['fi-FI', 'de-AT', 'en-GB'])).toEqual({
    language: 'de',
    locale: 'de-AT',
    direction: 'ltr',
  });
  expect(chooseLanguage('system', ['C', 'ar_EG.UTF-8']).locale).toBe('ar-EG');
  expect(chooseLanguage('system', ['fi-FI'])).toMatchObject({ language: 'en' });
  expect(chooseLanguage('system', ['', 'not a tag', '_'])).toMatchObject({ language: 'en' });
});

it('takes the chosen language, with the region if the system lists that language', () => {
  expect(chooseLanguage('en', ['de-AT', 'en-GB']).locale).toBe('en-GB');
  expect(chooseLanguage('ar', ['de-AT'])).toEqual({ language: 'ar', locale: 'ar', direction: 'rtl' });
});

it('takes a pseudo-language only where it is named', () => {
  expect(chooseLanguage('system', ['ar-XB'])).toMatchObject({ language: 'ar-XB', direction: 'rtl' });
  expect(chooseLanguage('en-XA', ['en-GB'])).toMatchObject({ language: 'en-XA', direction: 'ltr' });
  expect(chooseLanguage('en', ['en-XA', 'en-GB']).locale).toBe('en-GB');
});

it('reports changes only', () => {
  const listener = vi.fn<() => void>();
  const stop = onLanguageChange(listener);
  setLanguage(chooseLanguage('de', []));
  setLanguage(chooseLanguage('de', []));
  expect(languageInForce().language).toBe('de');
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
  setLanguage(chooseLanguage('en', []));
  expect(listener).toHaveBeenCalledTimes(1);
});

it('takes effect once its texts are loaded, unless another one is wanted meanwhile', async () => {
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  prepareLanguages((language) => (language === 'de' ? loaded : Promise.resolve()));
  onTestFinished(() => prepareLanguages(async () => {}));
  const german = applyLanguage(chooseLanguage('de', []));
  expect(languageInForce().language).toBe('en');
  await applyLanguage(chooseLanguage('ar', []));
  expect(languageInForce().language).toBe('ar');
  load();
  await german;
  expect(languageInForce().language).toBe('ar');
  await applyLanguage(chooseLanguage('de', []));
  expect(languageInForce().language).toBe('de');
});
