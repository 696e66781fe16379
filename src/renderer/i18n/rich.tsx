import { Fragment, type ReactElement, type ReactNode } from 'react';

/** A message with elements for some of its values: `fill(texts.copy, { name: <b>{name}</b> })`. */
export function fill<V extends Readonly<Record<string, string | number>>>(
  message: (values: V) => string,
  values: { readonly [K in keyof V]: V[K] | ReactElement },
): ReactNode {
  const elements: ReactElement[] = [];
  const plain = Object.entries<string | number | ReactElement>(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? String.fromCharCode(firstSlot + elements.push(value) - 1) : value,
  ]);
  // Each value is of its type, or a character of private use, which a message takes as a text.
  const text = message(Object.fromEntries(plain) as V);
  return text
    .split(slots)
    .map((part, index) => (
      <Fragment key={index}>{index % 2 === 0 ? part : elements[part.charCodeAt(0) - firstSlot]}</Fragment>
    ));
}

const firstSlot = 0xe000;
/** With the isolation that an element has of its own. */
const slots = /\u2068?([\uE000-\uE0FF])\u2069?/;

/** A text with one part of it stressed, where that stands in it. */
export function stress(text: string, part: string): ReactNode {
  const at = text.indexOf(part);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <b className="figures">{part}</b>
      {text.slice(at + part.length)}
    </>
  );
}
