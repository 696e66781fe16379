import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../e2e/pictures/pages.ts';

const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
const table = (heading) =>
  [
    ...(glossary.split(`## ${heading}\n`)[1] ?? '')
      .split('\n## ')[0]
      .matchAll(/^\| (`.*`) \| (.+) \| `(.+)` \|$/gm),
  ].map(([, words, term, folder]) => ({
    words: [...words.matchAll(/`([^`]+)`/g)].map(([, word]) => word),
    term,
    folder,
  }));

/** Identifiers of a source: what is left without comments, texts and SQL. */
function identifiersOf(source) {
  const code = source.replaceAll(
    /\/\*.*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gs,
    ' ',
  );
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}

/** `isKeptApart`: ` is kept apart `. */
const wordsOf = (identifier) => ` ${identifier.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase()} `;

test('no identifier has a word that the glossary has retired', () => {
  const retired = table('Retired words');
  const back = retired.flatMap(({ words, term, folder }) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .flatMap((file) =>
        [...identifiersOf(readFileSync(join(root, file), 'utf8'))]
          .filter((identifier) => words.some((word) => wordsOf(identifier).includes(` ${word} `)))
          .map((identifier) => `${file}: ${identifier} (${term})`),
      ),
  );
  expect(retired.length).toBeGreaterThan(10);
  expect(back).toEqual([]);
});

test('no text has a non-breaking hyphen, which is wider than the others', () => {
  const files = globSync('{src/**/*.{ts,tsx,css},locales/*.po,docs/*.md,*.md}', { cwd: root });
  const has = (file) => readFileSync(join(root, file), 'utf8').includes(String.fromCodePoint(0x2011));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter(has)).toEqual([]);
});
