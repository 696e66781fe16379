import { compileFilter, compilePattern as compile, type Matches } from '../../shared/domain/pattern.ts';
import { Usage } from '../errors/errors.ts';
import { selectionTexts as texts } from './selection-texts.ts';

/** Filters for chosen objects or files. */
export interface Narrowing {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

const wildcards = /[*?[{]/;

export function hasWildcard(text: string): boolean {
  return wildcards.test(text);
}

/** The folder before the first wildcard, without its trailing separator; '' for none. */
export function fixedFolder(pattern: string, separator: string): string {
  const fixed = pattern.slice(0, pattern.search(wildcards));
  const end = fixed.lastIndexOf(separator);
  return end <= 0 ? '' : fixed.slice(0, end);
}

/** Like `compilePattern` of the domain. @throws Usage for a range such as `[z-a]` */
export function compilePattern(pattern: string, separator: string): Matches {
  return compile(pattern, separator) ?? refuse(pattern);
}

/** Compiles `--include` and `--exclude` with `compileFilter`. `--exclude` takes precedence. @throws Usage */
export function compileNarrowing({ include = [], exclude = [] }: Narrowing, separator: string): Matches {
  const [included, excluded] = [include, exclude].map((patterns) =>
    patterns.map((pattern) => compileFilter(pattern, separator) ?? refuse(pattern)),
  ) as [Matches[], Matches[]];
  return (path) =>
    (included.length === 0 || included.some((matches) => matches(path))) &&
    !excluded.some((matches) => matches(path));
}

function refuse(pattern: string): never {
  throw new Usage(texts.badPattern({ pattern }));
}
