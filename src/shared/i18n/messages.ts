import { inOneLine } from '../domain/legible.ts';
import { fillMessage, type MessageValues, type Part } from './icu.ts';
import { perLocale, wholeNumber } from './intl.ts';
import { type Language, languageInForce } from './language.ts';
import { parseMessage } from './parse-message.ts';
import { lengthen, mirror } from './pseudo.ts';

/**
 * The values of a message, derived from its text: `{name}` takes a text or a number, plurals and ordinals a number,
 * selects a text.
 */
type Values<S extends string> = Arguments<S, [], {}> & {};

/** A tree of English texts, as in the source. */
export type Sources = { readonly [key: string]: string | Sources };

/** The tree as code uses it: texts, and functions for texts with values. */
export type Messages<T> = {
  readonly [K in keyof T]: T[K] extends string ? Message<T[K]> : Messages<T[K]>;
};

/** The compiler must know the literal text, so `satisfies` without `as const` is refused. */
type Message<S extends string> = string extends S
  ? never
  : keyof Values<S> extends never
    ? string
    : (values: Values<S>) => string;

/** Splits at the next brace: which one, the text before it, the text after it. */
type Brace<S extends string> = S extends `${infer Before}{${infer After}`
  ? Before extends `${infer Inner}}${infer Rest}`
    ? ['}', Inner, `${Rest}{${After}`]
    : ['{', Before, After]
  : S extends `${infer Before}}${infer After}`
    ? ['}', Before, After]
    : null;

/** `Open` lists what each open brace began, innermost first: a choice, or a case of one. */
type Arguments<S extends string, Open extends readonly ('case' | 'choice')[], Found> =
  Brace<S> extends [infer Kind, string, infer After extends string]
    ? Kind extends '}'
      ? Open extends readonly [unknown, ...infer Outer extends readonly ('case' | 'choice')[]]
        ? Arguments<After, Outer, Found>
        : Found
      : Open extends readonly ['choice', ...unknown[]]
        ? Arguments<After, ['case', ...Open], Found>
        : Argument<After, Open, Found>
    : Found;

type Argument<S extends string, Open extends readonly ('case' | 'choice')[], Found> =
  Brace<S> extends ['}', infer Simple extends string, infer After extends string]
    ? Simple extends `${infer Name},${string}`
      ? Arguments<After, Open, Found & { [K in Trim<Name>]: number }>
      : Arguments<After, Open, Found & { [K in Trim<Simple>]: string | number }>
    : S extends `${infer Name},${infer Type},${infer Cases}`
      ? Arguments<
          Cases,
          ['choice', ...Open],
          Found & { [K in Trim<Name>]: Trim<Type> extends 'select' ? string : number }
        >
      : Found;

type Trim<S extends string> = S extends ` ${infer Rest}`
  ? Trim<Rest>
  : S extends `${infer Rest} `
    ? Trim<Rest>
    : S;

/** A text, or one with values that the build has parsed. */
type Text = string | readonly Part[];

/** The texts of one language by key; missing ones are shown in English. */
export type Catalogue = Readonly<Record<string, Text>>;

const catalogues = new Map<Language, Catalogue>();
/** Every English text by key, for checking translations. */
const registered = new Map<string, string>();

/** Call before the language is in force. */
export function addCatalogue(language: Language, catalogue: Catalogue): void {
  catalogues.set(language, catalogue);
}

export function registeredMessages(): ReadonlyMap<string, string> {
  return registered;
}

/**
 * Declares texts: English ICU messages, keyed by their path (`app.welcome.title`). Read texts when they are shown
 * and do not store them, since the language can change. See CONTRIBUTING.md.
 */
export function messages<const T extends Sources>(area: string, sources: T): Messages<T> {
  const tree = {};
  for (const [name, source] of Object.entries(sources)) {
    const key = `${area}.${name}`;
    Object.defineProperty(tree, name, { enumerable: true, ...property(key, source) });
  }
  return tree as Messages<T>;
}

function property(key: string, source: Text | Sources): PropertyDescriptor {
  if (!isText(source)) return { value: messages(key, source) };
  if (typeof source === 'string') registered.set(key, source);
  if (typeof source === 'string' && !source.includes('{')) return { get: () => translate(key, source, {}) };
  return { value: (values: MessageValues) => translate(key, source, values) };
}

function isText(source: Text | Sources): source is Text {
  return typeof source === 'string' || Array.isArray(source);
}

const plurals = {
  cardinal: perLocale((locale) => new Intl.PluralRules(locale)),
  ordinal: perLocale((locale) => new Intl.PluralRules(locale, { type: 'ordinal' })),
};
const englishPlurals = {
  cardinal: new Intl.PluralRules('en'),
  ordinal: new Intl.PluralRules('en', { type: 'ordinal' }),
};

function translate(key: string, source: Text, values: MessageValues): string {
  const { language } = languageInForce();
  const translation =
    language === 'en-XA' || language === 'ar-XB' ? undefined : catalogues.get(language)?.[key];
  return fillMessage(partsOf(translation ?? source, language), values, {
    plural: (type, count) =>
      (translation === undefined ? englishPlurals[type] : plurals[type]()).select(count),
    show: (value) => (typeof value === 'number' ? wholeNumber().format(value) : isolate(inOneLine(value))),
  });
}

function partsOf(text: Text, language: string): readonly Part[] {
  const parts = typeof text === 'string' ? partsOfSource(text) : text;
  if (language === 'en-XA') return lengthen(parts);
  return language === 'ar-XB' ? mirror(parts) : parts;
}

const parsed = new Map<string, readonly Part[]>();

function partsOfSource(text: string): readonly Part[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const parts = text.includes('{') ? parseMessage(text) : [text];
  parsed.set(text, parts);
  return parts;
}

const writtenFromRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Isolates a name's direction from its surroundings (U+2068, U+2069), unless it cannot be affected. */
export function isolate(text: string): string {
  const mayGoAstray = languageInForce().direction === 'rtl' || writtenFromRight.test(text);
  return mayGoAstray && !text.startsWith('\u2068') ? `\u2068${text}\u2069` : text;
}
