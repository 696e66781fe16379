import { parsePo } from 'pofile-ts';

/** The translated texts of a PO file by key (its `msgctxt`). What is not translated, or of another English text, is left out. */
export function readCatalogue(po: string): Record<string, string> {
  const entries = parsePo(po).items.flatMap(({ msgctxt, msgstr: [text = ''], obsolete, flags }) =>
    msgctxt === null || text === '' || obsolete || flags['fuzzy'] === true ? [] : [[msgctxt, text] as const],
  );
  return Object.fromEntries(entries);
}
