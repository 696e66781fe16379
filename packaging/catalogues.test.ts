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

test('the texts of a language are a file of their own, loaded when it is first wanted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-catalogues-'));
  onTestFinished(() => removeFolder(folder));
  const chunks = await bundle(join(import.meta.dirname, '..'), entries, 'mjs');
  await Promise.all(chunks.map(({ fileName, code }) => writeFile(join(folder, fileName), code)));
  const open = (name: keyof typeof entries) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  const { applyLanguage, chooseLanguage } = await open('language');
  const { mainTexts } = await open('texts');
  (await open('catalogues')).loadCatalogues();
  const said: string[] = [];
  for (const language of ['en', 'de', 'ar', 'de']) {
    await applyLanguage(chooseLanguage(language, []));
    said.push(mainTexts.quit.stay);
  }
  expect(said).toEqual(['Cancel', 'Abbrechen', 'إلغاء', 'Abbrechen']);

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
