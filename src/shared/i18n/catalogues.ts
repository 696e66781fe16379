import { prepareLanguages } from './language.ts';
import { addCatalogue } from './messages.ts';

const files = {
  ar: () => import('../../../locales/ar.po'),
  de: () => import('../../../locales/de.po'),
};

/**
 * Loads the texts of a language when it is first wanted. Only for the entry modules of main and of the window: code that runs
 * from source cannot import PO files and stays in English.
 */
export function loadCatalogues(): void {
  prepareLanguages(async (language) => {
    if (language === 'ar' || language === 'de') addCatalogue(language, (await files[language]()).catalogue);
  });
}
