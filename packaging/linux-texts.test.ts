import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDesktopEntry, makeMetainfo, metainfo } from './linux-texts.ts';

const languages = globSync('locales/*.po', { cwd: join(import.meta.dirname, '..') })
  .map((file) => basename(file, '.po'))
  .sort();

test('the desktop entry has keywords and a comment in every language', () => {
  const names = Object.keys(makeDesktopEntry());
  // electron-builder writes the English comment.
  expect(names.sort()).toEqual(
    ['Keywords', ...languages.flatMap((each) => [`Comment[${each}]`, `Keywords[${each}]`])].sort(),
  );
});

test('the description for software centres is what `npm run messages` writes, in every language', () => {
  const text = readFileSync(metainfo, 'utf8');
  expect(text).toBe(makeMetainfo());
  for (const language of languages) expect(text).toContain(`<summary xml:lang="${language}">`);
});
