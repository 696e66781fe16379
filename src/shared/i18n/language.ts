/** The language in force in this process. Main and the window each set theirs; without, everything is English. */

/** Those that a person can choose. */
export const languages = ['en', 'de', 'ar'] as const;
export type Language = (typeof languages)[number];

/** Made from English for tests and pictures: longer and accented, and mirrored. No person is offered them. */
export const pseudoLanguages = ['en-XA', 'ar-XB'] as const;
export type PseudoLanguage = (typeof pseudoLanguages)[number];

export type LanguageInForce = {
  language: Language | PseudoLanguage;
  /** For Intl: the language with the region of the person's system, as in `de-AT`. */
  locale: string;
  direction: 'ltr' | 'rtl';
};

/** What each calls itself. */
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

/** @param next as `chooseLanguage` answers it */
export function setLanguage(next: LanguageInForce): void {
  if (next.language === current.language && next.locale === current.locale) return;
  current = next;
  listeners.forEach((listener) => listener());
}

/** The setting; `system`: the first of the system's languages that there is. */
export type LanguageChoice = 'system' | Language | PseudoLanguage;

/** Called after each change; answers a function that ends it. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * What a person chose, else the first of the system's languages that there is, else English.
 * @param preferred the system's languages, most wanted first; a pseudo-language there counts
 */
export function chooseLanguage(choice: LanguageChoice, preferred: readonly string[]): LanguageInForce {
  const wanted = preferred.flatMap((tag) => resolve(tag) ?? []);
  if (choice === 'system') return wanted[0] ?? english;
  return wanted.find(({ language }) => language === choice) ?? resolve(choice) ?? english;
}

function resolve(tag: string): LanguageInForce | null {
  if (tag === 'en-XA') return { language: tag, locale: 'en', direction: 'ltr' };
  if (tag === 'ar-XB') return { language: tag, locale: 'en', direction: 'rtl' };
  // Linux names them as `de_AT.UTF-8`.
  const [locale] = supportedLocale(tag.replace(/[.@].*$/, '').replaceAll('_', '-'));
  const language = languages.find((known) => known === locale?.split('-')[0]);
  if (locale === undefined || language === undefined) return null;
  return { language, locale, direction: language === 'ar' ? 'rtl' : 'ltr' };
}

/** As Intl writes it; none for what is no language tag. */
function supportedLocale(tag: string): string[] {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag);
  } catch {
    return [];
  }
}
