import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findStale, notedPictures } from '../e2e/pictures/shown.ts';
import { linksOf, readPages, resolveLink, root, shownPictures } from '../e2e/pictures/pages.ts';

const pages = readPages();

/** The anchor that GitHub gives a heading: lower case, without punctuation, spaces as hyphens. */
function anchorsOf(path) {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link of a page leads to a file, and to a heading in it', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => {
        const path = resolveLink(page, link);
        const anchor = link.split('#')[1];
        return !existsSync(join(root, path)) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
      })
      .map((link) => `${page.path}: ${link}`),
  );
  expect(pages.length).toBeGreaterThan(10);
  expect(broken).toEqual([]);
});

test('the states of a transfer have one picture, on their page and above their types', () => {
  const [, picture] = /```\n(upload .*?)\n```/s.exec(readFileSync(join(root, 'docs/transfers.md'), 'utf8'));
  const types = readFileSync(join(root, 'src/main/transfers/model/state.ts'), 'utf8');
  expect(types).toContain(picture.replaceAll(/^/gm, ' *     '));
});

/** Paths from the root of the repository in code spans and in the headers of diffs. */
function filesNamedIn({ text }) {
  const rooms = 'src|e2e|test-support|chromium-shell|scripts|packaging|bench|locales|docs|bin';
  const named = text.matchAll(new RegExp(`(?:\`|^--- )((?:${rooms})/[\\w./-]*)(?:\`|$)`, 'gm'));
  return [...named].map(([, path]) => path);
}

test('every file that a page names is there', () => {
  const gone = pages
    .flatMap((page) => filesNamedIn(page).map((path) => [page.path, path]))
    .filter(([, path]) => !existsSync(join(root, path)));
  expect(gone).toEqual([]);
});

test('no paragraph or bullet of a page is longer than a thousand characters', () => {
  const long = pages.flatMap(({ path, text }) => {
    const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/^\|.*$/gm, '');
    const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:-|\d+\.) )/);
    return blocks
      .filter((block) => block.length > 1000)
      .map((block) => `${path}: ${block.trim().slice(0, 60)}`);
  });
  expect(long).toEqual([]);
});

/** Rows of the table in docs/architecture.md: rooms of `src`, and how many lines it says they have. */
function sizesInArchitecture() {
  const [, table = ''] = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split(
    '## What each part is for',
  );
  return [...table.matchAll(/^\| [^|]+ \| ((?:`[\w/-]+`(?:, )?)+) \| ([\d,]+) \|/gm)].map(
    ([, rooms, lines]) => ({
      rooms: [...rooms.matchAll(/`([^`]+)`/g)].map(([, room]) => room),
      lines: Number(lines.replaceAll(',', '')),
    }),
  );
}

test('the architecture tells about how many lines each part has', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file));
  const linesOf = (rooms) =>
    sources
      .filter((file) => rooms.some((room) => file.startsWith(join('src', room, '/'))))
      .reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0);
  const sizes = sizesInArchitecture();
  expect(sizes.length).toBeGreaterThan(15);
  const wrong = sizes.filter(({ rooms, lines }) => Math.abs(linesOf(rooms) - lines) > 50 + lines / 10);
  expect(wrong.map(({ rooms }) => [rooms, linesOf(rooms)])).toEqual([]);
});

/** What a person reads of a page: without blocks, pictures and addresses of links, and in tables without paths and code. */
function wordsOf(text) {
  const prose = text
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)|<[^>]*>/g, ']')
    .replaceAll(/^\|.*$/gm, (row) => row.replaceAll(/`[^`]*`/g, ''));
  return prose.match(/[\p{L}\p{N}][^\s|]*/gu).length;
}

test('what CONTRIBUTING.md has a newcomer read takes a quarter of an hour, at 230 words a minute', () => {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const [start] = read('README.md').split('## The window');
  const texts = [start, ...['CONTRIBUTING.md', 'docs/architecture.md', 'docs/glossary.md'].map(read)];
  expect(texts.reduce((sum, text) => sum + wordsOf(text), 0)).toBeLessThanOrEqual(15 * 230);
});

test('docs/screens holds the pictures that pages show, and no others', () => {
  const kept = readdirSync(join(root, 'docs', 'screens')).filter((name) => name !== 'shown.json');
  expect(kept.sort()).toEqual([...shownPictures()].map((name) => `${name}.png`).sort());
});

test('the pictures show the texts and styles of now; `npm run pictures` takes them anew', async () => {
  expect(await findStale()).toEqual([]);
  expect([...notedPictures()].sort()).toEqual([...shownPictures()].sort());
});
