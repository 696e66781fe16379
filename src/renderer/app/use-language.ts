import { useSyncExternalStore } from 'react';
import { languageInForce, onLanguageChange, type LanguageInForce } from '../../shared/i18n/language.ts';

/**
 * The current language; re-renders when it changes. For the root, and for components that React would not re-render.
 */
export function useLanguage(): LanguageInForce {
  return useSyncExternalStore(onLanguageChange, languageInForce);
}
