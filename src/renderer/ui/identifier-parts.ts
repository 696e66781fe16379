/** The folders of an identifier, each with a trailing separator, and its last part. */
type IdentifierParts = { folders: readonly string[]; leaf: string };

export function splitIdentifier(identifier: string, separator: string): IdentifierParts {
  const parts = identifier.split(separator);
  const leaf = parts.pop() ?? '';
  return { folders: parts.map((part) => part + separator), leaf };
}

/**
 * The folder part in ever shorter forms, dropping whole segments from the middle and keeping the first one longest:
 * `a/b/c/`, `a/…/c/`, `a/…/`, `…/`, nothing.
 */
export function folderForms(folders: readonly string[], separator: string): string[] {
  const [first, ...others] = folders;
  if (first === undefined) return [''];
  const gap = `…${separator}`;
  const shorter = others.map((_, index) => first + gap + others.slice(index + 1).join(''));
  return [folders.join(''), ...shorter, gap, ''];
}

/** The longest form that fits beside the last part; widths in pixels. */
export function fittingForm(
  forms: readonly string[],
  leafWidth: number,
  roomWidth: number,
  widthOf: (text: string) => number,
): string {
  return forms.find((form) => widthOf(form) + leafWidth <= roomWidth) ?? '';
}

/** Whether a form names a folder; the last two of `folderForms` don't. */
export function namesFolder(_form: string, index: number, forms: readonly string[]): boolean {
  return index < forms.length - 2;
}

/** Shorter ones fit into a tile of the grid. */
const longLeaf = 16;
const tailLength = 10;
/** Characters kept before a long extension. */
const beforeExtension = 3;

/**
 * Splits a long last part so that it can be cut before its end, which holds the extension and what tells names apart. A short one has
 * an empty tail. In a right-to-left script the tail is the extension alone: more of it would be shown on the wrong side of the head.
 */
export function splitLeaf(leaf: string): [head: string, tail: string] {
  if (leaf.length < longLeaf) return [leaf, ''];
  const { length: extension } = /\.[\p{L}\p{N}]{1,12}$/u.exec(leaf)?.[0] ?? '';
  const kept = isRightToLeft(leaf) ? extension : Math.max(tailLength, extension + beforeExtension);
  const end = leaf.length - kept;
  // Never split a surrogate pair.
  const at = /[\uDC00-\uDFFF]/.test(leaf.charAt(end)) ? end - 1 : end;
  return [leaf.slice(0, at), leaf.slice(at)];
}

const isRightToLeft = (leaf: string) => /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(leaf);

/** The longest beginning of the head that fits before an ellipsis and the tail, with the ellipsis; null: all of it fits. */
export function fittingHead(
  [head, tail]: readonly [head: string, tail: string],
  roomWidth: number,
  widthOf: (text: string) => number,
): string | null {
  if (tail === '' || widthOf(head + tail) <= roomWidth) return null;
  const letters = Array.from(head);
  const cutAt = (length: number) => `${letters.slice(0, length).join('')}…`;
  let [fits, over] = [0, letters.length];
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (widthOf(cutAt(middle) + tail) <= roomWidth) fits = middle;
    else over = middle;
  }
  return cutAt(fits);
}

/** Abbreviates a long last part to its beginning and end, for plain text. */
export function briefLeaf(leaf: string): string {
  const [head, tail] = splitLeaf(leaf);
  return tail === '' || isRightToLeft(leaf) ? leaf : `${Array.from(head).slice(0, 14).join('')}…${tail}`;
}
