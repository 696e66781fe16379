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
