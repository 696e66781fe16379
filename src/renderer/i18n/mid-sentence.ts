import { languageInForce } from '../../shared/i18n/language.ts';

/**
 * A title after a colon or a comma. Only English writes it in lower case there; German nouns and names keep their
 * capitals.
 */
export function midSentence(title: string): string {
  return languageInForce().language === 'en' ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
