import { readFile } from 'node:fs/promises';
import { parseSync, type Plugin } from 'vite';
import { parseMessage } from '../src/shared/i18n/parse-message.ts';
import { readCatalogue } from './read-po.ts';

/**
 * Parses all messages that have values, so that a bundle needs no parser: those of `import { catalogue } from './de.po'`, a table of
 * translations by key, and the English ones in the calls of `messages`.
 */
export function parsedMessages(): Plugin {
  return {
    name: 'coffer-messages',
    async load(id) {
      if (id.endsWith('/i18n/parse-message.ts')) return `export const parseMessage = (text) => [text];`;
      if (!id.endsWith('.po')) return null;
      this.addWatchFile(id);
      const texts = Object.entries(readCatalogue(await readFile(id, 'utf8')));
      const catalogue = Object.fromEntries(texts.map(([key, text]) => [key, parsed(text)]));
      return { code: `export const catalogue = ${JSON.stringify(catalogue)};`, moduleType: 'js' };
    },
    transform(code, id) {
      if (!/\bmessages\(\s*["']/.test(code) || id.includes('node_modules')) return null;
      const texts = findTexts(parseSync('messages.ts', code).program);
      if (texts.length === 0) return null;
      let result = code;
      for (const { start, end, value } of texts.toReversed())
        result = result.slice(0, start) + JSON.stringify(parsed(value)) + result.slice(end);
      return { code: result, map: null };
    },
  };
}

const parsed = (text: string) => (text.includes('{') ? parseMessage(text) : text);

type Literal = { start: number; end: number; value: string };

/** The texts with values in the calls `messages('area', {…})`, in the order of the source. */
function findTexts(node: unknown, isInside = false): Literal[] {
  if (Array.isArray(node)) return node.flatMap((each) => findTexts(each, isInside));
  if (typeof node !== 'object' || node === null) return [];
  const { type, value, callee } = node as { type?: string; value?: unknown; callee?: { name?: string } };
  if (isInside && type === 'Literal' && typeof value === 'string' && value.includes('{'))
    return [node as Literal];
  const isCall = type === 'CallExpression' && callee?.name === 'messages';
  return Object.values(node).flatMap((each) => findTexts(each, isInside || isCall));
}
