import { catalogue as ar } from '../../../locales/ar.po';
import { catalogue as de } from '../../../locales/de.po';
import { addCatalogue } from './messages.ts';

/** For the entries of main and of the window alone: what runs from source cannot import PO files, and is English. */
export function addCatalogues(): void {
  addCatalogue('ar', ar);
  addCatalogue('de', de);
}
