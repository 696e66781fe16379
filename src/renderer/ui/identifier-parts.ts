/** The folders of an identifier, each with the separator at its end, and the last part. */
type IdentifierParts = { folders: readonly string[]; leaf: string };

export function splitIdentifier(identifier: string, separator: string): IdentifierParts {
  const parts = identifier.split(separator);
  const leaf = parts.pop() ?? '';
  return { folders: parts.map((part) => part + separator), leaf };
}

/**
 * The folder part as it gives way: whole segments from the middle, the first stays longest:
 * `a/b/c/`, `a/…/c/`, `a/…/`, `…/`, nothing.
 */
export function folderForms(folders: readonly string[], separator: string): string[] {
  const [first, ...others] = folders;
  if (first === undefined) return [''];
  const gap = `…${separator}`;
  const shorter = others.map((_, index) => first + gap + others.slice(index + 1).join(''));
  return [folders.join(''), ...shorter, gap, ''];
}

/** The longest form that fits with the last part; widths in pixels. */
export function fittingForm(
  forms: readonly string[],
  leafWidth: number,
  roomWidth: number,
  widthOf: (text: string) => number,
): string {
  return forms.find((form) => widthOf(form) + leafWidth <= roomWidth) ?? '';
}

const longLeaf = 28;
const tailLength = 10;

/** A long last part is cut before its end; a short one is not: its tail is empty. What runs to the left is left whole. */
export function splitLeaf(leaf: string): [head: string, tail: string] {
  if (leaf.length < longLeaf || /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(leaf)) return [leaf, ''];
  const end = leaf.length - tailLength;
  // Never between the halves of one character.
  const at = /[\uDC00-\uDFFF]/.test(leaf.charAt(end)) ? end - 1 : end;
  return [leaf.slice(0, at), leaf.slice(at)];
}

/** For a line of plain text: of a long last part its beginning and its end. */
export function briefLeaf(leaf: string): string {
  const [head, tail] = splitLeaf(leaf);
  return tail === '' ? leaf : `${Array.from(head).slice(0, 14).join('')}…${tail}`;
}
