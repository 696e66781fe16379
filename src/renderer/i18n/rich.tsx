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
  // Values that are elements are replaced by private-use characters, which messages treat as text.
  const text = message(Object.fromEntries(plain) as V);
  return text
    .split(slots)
    .map((part, index) => (
      <Fragment key={index}>{index % 2 === 0 ? part : elements[part.charCodeAt(0) - firstSlot]}</Fragment>
    ));
}

const firstSlot = 0xe000;
/** Also matches the bidi isolates around a slot: elements isolate themselves. */
const slots = /\u2068?([\uE000-\uE0FF])\u2069?/;

/** Emphasises one part of a text, where it occurs. */
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
