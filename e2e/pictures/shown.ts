import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright/test';
import { patternsOf, readMessages } from './messages.ts';
import { root } from './pages.ts';

/** What the pictures of the pages show, so that a stale one is found without a window. Names of pictures are separated by spaces. */
interface Shown {
  /** By language and message: the pictures with it. */
  readonly texts: Record<string, Record<string, string>>;
  /** By style sheet: the digest that it had, and the pictures with all classes of one of its selectors. */
  readonly styles: Record<string, { readonly digest: string; readonly on: string }>;
}

const shownFile = join(root, 'docs', 'screens', 'shown.json');

interface Seen {
  readonly language: string;
  readonly lines: readonly string[];
  readonly classes: Set<string>;
}
const seen = new Map<string, Seen>();

/** Notes what a part of the window shows for the picture of this name; a film is noted several times. */
export async function note(part: Locator, name: string): Promise<void> {
  const now = await part.evaluate((top: HTMLElement) => {
    const isInView = (each: Element) => {
      const { top: from, bottom, left, right } = each.getBoundingClientRect();
      return bottom > 0 && right > 0 && from < window.innerHeight && left < window.innerWidth;
    };
    const elements = [top, ...top.querySelectorAll<HTMLElement>('*')].filter(
      (each) => each.checkVisibility() && isInView(each),
    );
    // A message may be in several elements of a line.
    const lines = elements.filter(({ textContent }) => textContent.length < 400);
    const texts = elements
      .flatMap(({ childNodes }) => [...childNodes])
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    return {
      language: document.documentElement.lang.split('-')[0] ?? 'en',
      lines: [
        ...texts.flatMap(({ textContent }) => textContent?.split('\n') ?? []),
        ...lines.flatMap(({ innerText }) => innerText?.split('\n') ?? []),
      ],
      classes: elements.flatMap((each) => [...each.classList]),
    };
  });
  const before = seen.get(name);
  const lines = now.lines.map((line) => line.replaceAll(/[\u2066-\u2069]/g, '').trim());
  seen.set(name, {
    language: now.language,
    lines: [...new Set([...(before?.lines ?? []), ...lines.filter((line) => line !== '')])],
    classes: new Set([...(before?.classes ?? []), ...now.classes]),
  });
}

/** Writes down what was noted. */
export async function writeShown(): Promise<void> {
  const pictures = [...seen].sort(([a], [b]) => (a < b ? -1 : 1));
  const namesOf = (isOn: (picture: Seen, name: string) => boolean) =>
    pictures
      .filter(([name, picture]) => isOn(picture, name))
      .map(([name]) => name)
      .join(' ');
  const texts: Record<string, Record<string, string>> = {};
  for (const language of new Set([...seen.values()].map((picture) => picture.language))) {
    const all = [...new Set(await readMessages(language))].sort();
    const on = all.map((text) => {
      const patterns = patternsOf(text);
      const fits = (line: string) => patterns.some((pattern) => pattern.test(line));
      return [text, namesOf((picture) => picture.language === language && picture.lines.some(fits))];
    });
    texts[language] = Object.fromEntries(on.filter(([, where]) => where !== ''));
  }
  const styles = readStyles().map(({ file, digest, selectors }) => {
    const isWorn = ({ classes }: Seen) =>
      selectors.some((needed) => needed.every((each) => classes.has(each)));
    // Without high contrast these rules never apply.
    const isFor = (name: string) => !file.endsWith('/forced-colors.css') || name.endsWith('-high-contrast');
    const on = namesOf((picture, name) => isFor(name) && isWorn(picture));
    return [file, { digest, on }] as const;
  });
  const shown: Shown = { texts, styles: Object.fromEntries(styles.filter(([, { on }]) => on !== '')) };
  writeFileSync(shownFile, `${JSON.stringify(shown, null, 2)}\n`);
}

/** Comments and line breaks change nothing. */
function readStyles() {
  return globSync('src/renderer/**/*.css', { cwd: root })
    .sort()
    .map((path) => {
      const css = readFileSync(join(root, path), 'utf8')
        .replaceAll(/\/\*[^]*?\*\//g, '')
        .replaceAll(/\s+/g, ' ');
      const selectors = [...css.matchAll(/([^{};]+)\{/g)].flatMap(([, selector = '']) => selector.split(','));
      return {
        file: path.replaceAll('\\', '/'),
        digest: createHash('sha256').update(css).digest('hex').slice(0, 12),
        /** The classes that each selector needs. */
        selectors: selectors
          .map((selector) => Array.from(selector.matchAll(/\.([a-z][\w-]*)/g), ([, name = '']) => name))
          .filter((needed) => needed.length > 0),
      };
    });
}

/** A line for each picture that shows a message which is no longer one, or whose styles have changed. */
export async function findStale(): Promise<string[]> {
  const { texts, styles } = JSON.parse(readFileSync(shownFile, 'utf8')) as Shown;
  const why = new Map<string, string[]>();
  const add = (names: string, what: string) => {
    for (const name of names.split(' ')) why.set(name, [...(why.get(name) ?? []), what]);
  };
  for (const [language, on] of Object.entries(texts)) {
    const said = new Set(await readMessages(language));
    for (const [text, names] of Object.entries(on)) if (!said.has(text)) add(names, `“${text}”`);
  }
  const now = new Map(readStyles().map(({ file, digest }) => [file, digest]));
  for (const [file, { digest, on }] of Object.entries(styles)) if (now.get(file) !== digest) add(on, file);
  return [...why].map(([name, what]) => `${name}.png: ${what.join(', ')}`).sort();
}

/** The pictures of which it is written down what they show. */
export function notedPictures(): Set<string> {
  const { texts } = JSON.parse(readFileSync(shownFile, 'utf8')) as Shown;
  return new Set(
    Object.values(texts).flatMap((on) => Object.values(on).flatMap((names) => names.split(' '))),
  );
}
