import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createItem, parsePo, stringifyPo } from 'pofile-ts';
import { collectMessages } from './collect-messages.ts';
import { makeMetainfo, metainfo } from './linux-texts.ts';

/*
 * `npm run messages`: updates locales/*.po to the English texts, and the description for software centres to both. New texts get no
 * translation, changed ones are marked fuzzy until somebody removes the mark, and removed ones are removed. Known texts keep their
 * places, wherever their files are moved, and a new one follows the text that it follows in the source.
 */
const messages = await collectMessages();
for (const language of ['ar', 'de']) {
  const path = join(import.meta.dirname, '..', 'locales', `${language}.po`);
  const po = parsePo(readFileSync(path, 'utf8'));
  const known = new Map(po.items.map((item) => [item.msgctxt, item]));
  const places = new Map(po.items.map(({ msgctxt }, place) => [msgctxt, place]));
  let place = -1;
  const placed = messages.map((message) => {
    place = places.get(message.key) ?? place;
    return { message, place };
  });
  const inOrder = placed.toSorted((one, other) => one.place - other.place);
  po.items = inOrder.map(({ message: { key, text, file, about } }) => {
    const before = known.get(key);
    const item = createItem();
    const { msgstr = [], flags = {}, comments = [] } = before ?? {};
    const isTranslated = (msgstr[0] ?? '') !== '';
    const isFuzzy = isTranslated && (flags['fuzzy'] === true || before?.msgid !== text);
    return {
      ...item,
      msgctxt: key,
      msgid: text,
      msgstr: isTranslated ? msgstr : [''],
      references: [file],
      extractedComments: about === null ? [] : [about],
      comments,
      flags: isFuzzy ? { fuzzy: true } : {},
    };
  });
  writeFileSync(path, stringifyPo(po, { foldLength: 0 }));
  const open = po.items.filter(({ msgstr, flags }) => msgstr[0] === '' || flags['fuzzy'] === true).length;
  process.stdout.write(`${language}: ${po.items.length} texts, ${open} to translate\n`);
}
writeFileSync(metainfo, makeMetainfo());
