import { Usage } from './errors.ts';
import { selectionTexts as texts } from './selection-texts.ts';

/** Whether an identifier or a path matches. */
export type Matches = (text: string) => boolean;

/** What narrows a choice of objects or files. */
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

/**
 * Compiles a pattern that must match the whole text, case-sensitively and including names that begin with a dot: `*` and `?` stay
 * within a folder, `**` matches across folders, `[a-z]`, `[!a-z]` and `{jpg,png}` as in a shell, and a backslash takes the next
 * character literally. @throws Usage: a range such as `[z-a]`
 */
export function compilePattern(pattern: string, separator: string): Matches {
  let whole: RegExp;
  try {
    whole = new RegExp(`^(?:${toExpression(pattern, separator)})$`, 'su');
  } catch {
    throw new Usage(texts.badPattern({ pattern }));
  }
  return (text) => whole.test(text);
}

/**
 * Compiles `--include` and `--exclude`. A pattern without a separator matches names in every folder, one that ends with a separator
 * everything below such a folder, any other the path below what was named. An excluded path is out even if it is included.
 */
export function compileNarrowing({ include = [], exclude = [] }: Narrowing, separator: string): Matches {
  const [included, excluded] = [include, exclude].map((patterns) =>
    patterns.map((pattern) => compileFilter(pattern, separator)),
  ) as [Matches[], Matches[]];
  return (path) =>
    (included.length === 0 || included.some((matches) => matches(path))) &&
    !excluded.some((matches) => matches(path));
}

function compileFilter(pattern: string, separator: string): Matches {
  const isFolder = pattern.endsWith(separator);
  const isAnywhere = !pattern.slice(0, isFolder ? -separator.length : undefined).includes(separator);
  return compilePattern(`${isAnywhere ? `**${separator}` : ''}${pattern}${isFolder ? '**' : ''}`, separator);
}

function toExpression(pattern: string, separator: string): string {
  const boundary = escaped(separator);
  const within = `(?:(?!${boundary}).)`;
  let expression = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const sign = rest.charAt(0);
    const isStart = at === 0 || pattern.slice(0, at).endsWith(separator);
    if (isStart && rest.startsWith(`**${separator}`)) {
      expression += `(?:.*${boundary})?`;
      at += 1 + separator.length;
    } else if (rest.startsWith('**')) {
      expression += '.*';
      at += 1;
    } else if (sign === '*') expression += `${within}*`;
    else if (sign === '?') expression += within;
    else if (sign === '[') {
      const set = /^\[(!|\^)?(\]?[^\]]*)\]/.exec(rest);
      if (set) {
        const [whole, not = '', members = ''] = set;
        const inside = members.replaceAll(/[\\\][^]/g, String.raw`\$&`);
        expression += `(?!${boundary})[${not && '^'}${inside}]`;
        at += whole.length - 1;
      } else expression += String.raw`\[`;
    } else if (sign === '{' && rest.includes('}')) {
      depth += 1;
      expression += '(?:';
    } else if (sign === '}' && depth > 0) {
      depth -= 1;
      expression += ')';
    } else if (sign === ',' && depth > 0) expression += '|';
    else if (sign === '\\' && rest.length > 1) {
      const [next = ''] = rest.slice(1);
      expression += escaped(next);
      at += next.length;
    } else expression += escaped(sign);
  }
  return expression + ')'.repeat(depth);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
