import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePo } from 'pofile-ts';
import { parseSync } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Part } from '../src/shared/i18n/icu.ts';
import { parseMessage } from '../src/shared/i18n/parse-message.ts';
import { collectMessages, type SourceMessage } from './collect-messages.ts';

const root = join(import.meta.dirname, '..');
let sources: readonly SourceMessage[] = [];
beforeAll(async () => {
  sources = await collectMessages();
});

/**
 * Texts that are identical in that language. Texts without words of their own, such as `{name}, {state}`, may always
 * be identical.
 */
const sameIn: Readonly<Record<string, ReadonlySet<string>>> = {
  de: new Set([
    'B',
    'KB',
    'MB',
    'GB',
    'TB',
    '50 MB',
    '10 KB',
    'SHA-256',
    'Team',
    'Server',
    'Port',
    '{size}/s',
    '{count} s',
    '{count} min',
    '{count} h',
    '{count, number} ms',
    '{minutes} min {seconds} s',
    '{hours} h {minutes} min',
    'Details',
    'Download',
    'Downloads',
    'Upload',
    'Name',
    'Normal',
    'Optional',
    'Passphrase',
    'CSV',
    'JSON Lines',
    'Proxy',
    'Proxy {name}',
    'System',
    'Terminal',
    'System ({name})',
    'Coffer {version}',
  ]),
  ar: new Set(['SHA-256', 'CSV', 'JSON Lines', 'Coffer {version}']),
};

describe.each(['de', 'ar'])('%s', (language) => {
  const items = parsePo(readFileSync(join(root, 'locales', `${language}.po`), 'utf8')).items;

  it('has a translation for every text, made for the English that it has now, and no other', () => {
    const known = new Map(items.map((item) => [item.msgctxt, item]));
    const missing = sources.filter(({ key, text }) => {
      const item = known.get(key);
      return item?.msgid !== text || (item.msgstr[0] ?? '') === '' || item.flags['fuzzy'] === true;
    });
    expect(missing.map(({ key }) => key)).toEqual([]);
    const keys = new Set(sources.map(({ key }) => key));
    expect(items.map(({ msgctxt }) => msgctxt).filter((key) => !keys.has(key ?? ''))).toEqual([]);
  });

  it('takes the values that the English takes, and has all plural forms of the language', () => {
    const wrong = items.flatMap(({ msgctxt, msgid, msgstr: [text = ''] }) => {
      const problem = text === '' ? null : compare(msgid, text, language);
      return problem === null ? [] : [`${msgctxt}: ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  it('has no English texts', () => {
    const same = items.filter(
      ({ msgid, msgstr: [text] }) =>
        text === msgid && /\p{L}/u.test(msgid.replaceAll(/{[^{}]*}/g, '')) && !sameIn[language]?.has(msgid),
    );
    expect(same.map(({ msgctxt, msgid }) => `${msgctxt}: ${msgid}`)).toEqual([]);
  });
});

it('the English has both forms of each plural, and every message can be read', () => {
  const wrong = sources.flatMap(({ key, text }) => {
    const problem = compare(text, text, 'en');
    return problem === null ? [] : [`${key}: ${problem}`];
  });
  expect(wrong).toEqual([]);
});

it('no component contains hard-coded text', () => {
  const files = globSync('src/renderer/{app,features,ui}/**/*.tsx', { cwd: root });
  const wrong = files
    .filter((file) => !/\.test\.|\/testing\.tsx|\/test\//.test(file.replaceAll('\\', '/')))
    .flatMap((file) =>
      wordsIn(readFileSync(join(root, file), 'utf8'), file).map((words) => `${file}: ${words}`),
    );
  expect(wrong).toEqual([]);
});

/** The problem of a translation; null: none. */
function compare(english: string, text: string, language: string): string | null {
  try {
    const [wanted, found] = [english, text].map((message) => namesIn(parseMessage(message)));
    const lost = [...(wanted ?? [])].filter((name) => !found?.has(name));
    const strange = [...(found ?? [])].filter((name) => !wanted?.has(name));
    if (lost.length + strange.length > 0) return `without ${lost.join()}, with ${strange.join()}`;
    return missingForms(parseMessage(text), language);
  } catch (cause) {
    return String(cause);
  }
}

function namesIn(parts: readonly Part[]): ReadonlySet<string> {
  return new Set(
    parts.flatMap((part): string[] => {
      if (typeof part === 'string' || 'count' in part) return [];
      if ('value' in part) return [part.value];
      const name = 'select' in part ? part.select : 'plural' in part ? part.plural : part.ordinal;
      return [name, ...Object.values(part.cases).flatMap((inner) => [...namesIn(inner)])];
    }),
  );
}

/**
 * A plural needs every form of its language; `other` is enough where nothing else in it would change, and for
 * ordinals.
 */
function missingForms(parts: readonly Part[], language: string): string | null {
  for (const part of parts) {
    if (typeof part === 'string' || !('cases' in part)) continue;
    if ('plural' in part) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const has = Object.keys(part.cases).filter((key) => !key.startsWith('='));
      const missing = forms.filter((form) => !has.includes(form));
      const strange = has.filter((key) => !forms.some((form) => form === key));
      if (strange.length > 0) return `the language has no form ${strange.join()}`;
      if (missing.length > 0 && has.length > 1) return `without the form ${missing.join()}`;
    }
    for (const inner of Object.values(part.cases)) {
      const problem = missingForms(inner, language);
      if (problem !== null) return problem;
    }
  }
  return null;
}

const spoken = new Set([
  'aria-label',
  'title',
  'label',
  'text',
  'placeholder',
  'alt',
  'hint',
  'name',
  'problem',
]);

/** Texts between tags, and capitalised words in visible or spoken attributes. */
function wordsIn(source: string, file: string): string[] {
  const found: string[] = [];
  visit(parseSync(file, source).program, false);
  return found;

  function visit(node: unknown, isSpoken: boolean): void {
    if (Array.isArray(node)) node.forEach((each) => visit(each, isSpoken));
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { type, value, name } = node as { type?: string; value?: unknown; name?: { name?: unknown } };
    if (type === 'ImportDeclaration' || type?.startsWith('TSType') === true) return;
    if (type === 'JSXText' && /\p{L}/u.test(String(value))) found.push(String(value).trim());
    if (isSpoken && type === 'Literal' && typeof value === 'string' && /^\p{Lu}\p{Ll}/u.test(value))
      found.push(value);
    const attribute = type === 'JSXAttribute' ? spoken.has(String(name?.name)) : isSpoken;
    for (const [key, inner] of Object.entries(node)) if (key !== 'type') visit(inner, attribute);
  }
}
