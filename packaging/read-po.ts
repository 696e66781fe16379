import { parsePo } from 'pofile-ts';

/** The translations of a PO file by key (its `msgctxt`), without missing ones and those of an older English text. */
export function readCatalogue(po: string): Record<string, string> {
  const entries = parsePo(po).items.flatMap(({ msgctxt, msgstr: [text = ''], obsolete, flags }) =>
    msgctxt === null || text === '' || obsolete || flags['fuzzy'] === true ? [] : [[msgctxt, text] as const],
  );
  return Object.fromEntries(entries);
}
