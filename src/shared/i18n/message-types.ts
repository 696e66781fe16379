/**
 * The values of a message, derived from its text: `{name}` takes a text or a number, plurals and ordinals a number,
 * selects a text.
 */
export type Values<S extends string> = Arguments<S, [], {}> & {};

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
