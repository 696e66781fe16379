export type IdentifierParts = { folder: string; leaf: string };

/** The folder part keeps its separator at the end. An identifier that ends with separators is all leaf. */
export function splitIdentifier(identifier: string, separator: string): IdentifierParts {
  const at = identifier.lastIndexOf(separator);
  const end = at + separator.length;
  if (at < 0 || end === identifier.length) return { folder: '', leaf: identifier };
  return { folder: identifier.slice(0, end), leaf: identifier.slice(end) };
}

/** The folder part as far as it fits, shortened by whole segments: `reports/…/`. */
export function fitFolder(folder: string, separator: string, fits: (folder: string) => boolean): string {
  if (folder === '' || fits(folder)) return folder;
  const segments = folder.slice(0, -separator.length).split(separator);
  const [first = '', ...rest] = segments;
  for (let kept = rest.length - 1; kept >= 0; kept--) {
    const shortened = [first, '…', ...rest.slice(rest.length - kept), ''].join(separator);
    if (fits(shortened)) return shortened;
  }
  const least = `…${separator}`;
  return fits(least) ? least : '';
}
