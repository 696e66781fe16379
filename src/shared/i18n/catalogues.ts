import { catalogue as ar } from '../../../locales/ar.po';
import { catalogue as de } from '../../../locales/de.po';
import { addCatalogue } from './messages.ts';

/**
 * Only for the entry modules of main and of the window: code that runs from source cannot import PO files and stays
 * in English.
 */
export function addCatalogues(): void {
  addCatalogue('ar', ar);
  addCatalogue('de', de);
}
