/** Where the extension of the last name begins; the first dot of a name (`.service`) begins none. */
export function extensionStart(identifier: string, separator: string): number {
  const name = identifier.split(separator).at(-1) ?? '';
  const dot = name.lastIndexOf('.');
  return identifier.length - (dot > 0 ? name.length - dot : 0);
}
