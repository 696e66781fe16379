import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { removeFolder } from '../test-support/remove-folder.ts';
import { bundle } from './threads.ts';

const entries = {
  catalogues: 'src/shared/i18n/catalogues.ts',
  language: 'src/shared/i18n/language.ts',
  texts: 'src/main/texts.ts',
};

test('a bundle holds parsed messages without a parser, and each language in a file of its own, loaded when first wanted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-catalogues-'));
  onTestFinished(() => removeFolder(folder));
  const chunks = await bundle(join(import.meta.dirname, '..'), entries, 'mjs');
  await Promise.all(chunks.map(({ fileName, code }) => writeFile(join(folder, fileName), code)));
  const open = (name: keyof typeof entries) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  const { applyLanguage, chooseLanguage } = await open('language');
  const { mainTexts } = await open('texts');
  (await open('catalogues')).loadCatalogues();
  const said: string[][] = [];
  for (const language of ['en', 'de', 'ar', 'de']) {
    await applyLanguage(chooseLanguage(language, []));
    said.push([
      mainTexts.quit.stay,
      mainTexts.tray.moving({ count: 1 }),
      mainTexts.tray.failed({ count: 2 }),
    ]);
  }
  expect(said).toEqual([
    ['Cancel', '1 moving', '2 failed'],
    ['Abbrechen', expect.stringMatching(/^1 \p{L}+/u), '2 fehlgeschlagen'],
    ['إلغاء', expect.stringMatching(/\p{L}/u), 'فشل اثنان'],
    ['Abbrechen', expect.stringMatching(/^1 \p{L}+/u), '2 fehlgeschlagen'],
  ]);

  expect(chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => id.includes('pofile-ts'))).toEqual([]);
  const having = (text: string) => chunks.filter(({ code }) => code.includes(text));
  const german = having('Abbrechen');
  const arabic = having('إلغاء');
  expect([german.length, arabic.length]).toEqual([1, 1]);
  expect(german).not.toEqual(arabic);
  const late = [...german, ...arabic];
  expect(late.filter(({ isEntry }) => isEntry)).toEqual([]);
  const imported = chunks.flatMap(({ imports }) => imports);
  expect(late.filter(({ fileName }) => imported.includes(fileName))).toEqual([]);
});
