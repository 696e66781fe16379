import { languageInForce } from './language.ts';

/** A formatter of Intl for the locale in force: made once for each locale, as making one takes long. */
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

/** In the order in which a person of this language looks for names; numbers inside them count as numbers. */
export const collator = perLocale((locale) => new Intl.Collator(locale, { numeric: true }));
