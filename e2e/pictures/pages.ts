import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

interface Page {
  /** Relative to the repository root. */
  readonly path: string;
  readonly text: string;
}

export function readPages(): Page[] {
  const paths = globSync(['*.md', '{docs,.github}/**/*.md'], { cwd: root });
  return paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Link targets inside the repository, as written: `[text](target)`, and `src` and `srcset` of HTML. */
export function linksOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)];
  return links.map(([, target, source]) => target ?? source ?? '').filter((link) => !/^[a-z]+:/.test(link));
}

/** Resolves a link target without its anchor, relative to the repository root. */
export function resolveLink(page: Page, link: string): string {
  const [path = ''] = link.split('#');
  return path === '' ? page.path : join(dirname(page.path), path);
}

/** Names, without extension, of the pictures in docs/screens that a page shows. */
export function shownPictures(): ReadonlySet<string> {
  const links = readPages().flatMap((page) => linksOf(page).map((link) => resolveLink(page, link)));
  const pictures = links.map((path) => /^docs\/screens\/(.+)\.png$/.exec(path)?.[1]);
  return new Set(pictures.filter((name) => name !== undefined));
}
