/** The languages a person can choose. */
export const languages = ['en', 'de', 'ar'] as const;
export type Language = (typeof languages)[number];

/** Generated from English for tests and pictures: longer and accented, or mirrored. Not offered in Settings. */
export const pseudoLanguages = ['en-XA', 'ar-XB'] as const;
export type PseudoLanguage = (typeof pseudoLanguages)[number];

export type LanguageInForce = {
  language: Language | PseudoLanguage;
  /** For Intl: the language with the region of the person's system, such as `de-AT`. */
  locale: string;
  direction: 'ltr' | 'rtl';
};

/** Each language's name in that language. */
export const languageNames: Readonly<Record<Language | PseudoLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  ar: 'العربية',
  'en-XA': 'en-XA',
  'ar-XB': 'ar-XB',
};

const english: LanguageInForce = { language: 'en', locale: 'en', direction: 'ltr' };
let current = english;
const listeners = new Set<() => void>();

export function languageInForce(): LanguageInForce {
  return current;
}

/** At once: `applyLanguage` also loads the texts. */
export function setLanguage(next: LanguageInForce): void {
  if (next.language === current.language && next.locale === current.locale) return;
  current = next;
  listeners.forEach((listener) => listener());
}

type Prepare = (language: LanguageInForce['language']) => Promise<void>;
let prepare: Prepare | null = null;
let changes = 0;

/** @param by loads the texts of a language */
export function prepareLanguages(by: Prepare): void {
  prepare = by;
}

/** Puts a language in force once its texts are loaded, unless another one is wanted meanwhile. @param next from `chooseLanguage` */
export async function applyLanguage(next: LanguageInForce): Promise<void> {
  changes += 1;
  const change = changes;
  if (prepare !== null) await prepare(next.language);
  if (change === changes) setLanguage(next);
}

/** The setting. `system`: the first supported language of the system. */
export type LanguageChoice = 'system' | Language | PseudoLanguage;

/** Calls `listener` after each change. @returns unsubscribes */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The chosen language, else the first supported one of the system's, else English.
 * @param preferred the system's languages in order of preference; may include pseudo-languages
 */
export function chooseLanguage(choice: LanguageChoice, preferred: readonly string[]): LanguageInForce {
  const wanted = preferred.flatMap((tag) => resolve(tag) ?? []);
  if (choice === 'system') return wanted[0] ?? english;
  return wanted.find(({ language }) => language === choice) ?? resolve(choice) ?? english;
}

function resolve(tag: string): LanguageInForce | null {
  if (tag === 'en-XA') return { language: tag, locale: 'en', direction: 'ltr' };
  if (tag === 'ar-XB') return { language: tag, locale: 'en', direction: 'rtl' };
  // Linux writes them as `de_AT.UTF-8`.
  const [locale] = supportedLocale(tag.replace(/[.@].*$/, '').replaceAll('_', '-'));
  const language = languages.find((known) => known === locale?.split('-')[0]);
  if (locale === undefined || language === undefined) return null;
  return { language, locale, direction: language === 'ar' ? 'rtl' : 'ltr' };
}

/** In Intl's spelling; empty if it is not a language tag. */
function supportedLocale(tag: string): string[] {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag);
  } catch {
    return [];
  }
}
