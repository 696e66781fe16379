import { useSyncExternalStore } from 'react';
import { languageInForce, onLanguageChange, type LanguageInForce } from '../../shared/i18n/language.ts';

/** The language in force; draws the component anew when it changes. The root needs it, and what React would otherwise leave as it is. */
export function useLanguage(): LanguageInForce {
  return useSyncExternalStore(onLanguageChange, languageInForce);
}
