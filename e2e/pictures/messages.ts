import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parsePo } from 'pofile-ts';
import type { Part } from '../../src/shared/i18n/icu.ts';
import { registeredMessages } from '../../src/shared/i18n/messages.ts';
import { parseMessage } from '../../src/shared/i18n/parse-message.ts';
import { root } from './pages.ts';

/** The texts of all messages in a language: in English also those of the command line. */
export async function readMessages(language: string): Promise<string[]> {
  if (language !== 'en') {
    const po = readFileSync(join(root, 'locales', `${language}.po`), 'utf8');
    return parsePo(po).items.flatMap(({ msgstr: [text = ''] }) => (text === '' ? [] : [text]));
  }
  for (const file of globSync('{src,packaging}/**/*.ts', { cwd: root })) {
    if (/\.(?:test|d)\.ts$/.test(file)) continue;
    const path = join(root, file);
    if (/= messages\(\s*'/.test(readFileSync(path, 'utf8'))) await import(pathToFileURL(path).href);
  }
  return [...registeredMessages().values()];
}

const value = '[^]+';

function patternOf(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
      return 'cases' in part ? `(?:${Object.values(part.cases).map(patternOf).join('|')})` : value;
    })
    .join('');
}

/** Match a message with its values filled in (*As of 10:42*) or, at its end, left out (*Moved to*). */
export function patternsOf(text: string): RegExp[] {
  const parts = parseMessage(text);
  const [first, ...others] = parts;
  const lead = typeof first === 'string' && others.length === 1 ? [patternOf([first.trimEnd()])] : [];
  // With one word and a value, such as “Delete {identifier}”, it would match nearly everything.
  const saysMore = (pattern: string) =>
    !pattern.includes(value) || (pattern.match(/\p{L}{2,}/gu) ?? []).length > 1;
  return [patternOf(parts), ...lead]
    .filter(saysMore)
    .map((pattern) => new RegExp(`^(?:${pattern})[.…:]?$`, 'i'));
}
