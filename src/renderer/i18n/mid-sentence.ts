import { languageInForce } from '../../shared/i18n/language.ts';

/** A title after a colon or a comma. English alone writes it small there; German nouns and names stay as they are. */
export function midSentence(title: string): string {
  return languageInForce().language === 'en' ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
