import { languageInForce } from './language.ts';

/** Caches an Intl formatter per locale: creating one is slow. */
export function perLocale<T>(create: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const { locale } = languageInForce();
    const known = made.get(locale);
    if (known !== undefined) return known;
    const fresh = create(locale);
    made.set(locale, fresh);
    return fresh;
  };
}

export const wholeNumber = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));

/** Sorts names as people who use this language expect; digits are compared as numbers. */
export const collator = perLocale((locale) => new Intl.Collator(locale, { numeric: true }));
