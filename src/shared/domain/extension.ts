/** Index where the extension of the last name starts; a leading dot (`.service`) starts none. */
export function extensionStart(identifier: string, separator: string): number {
  const name = identifier.split(separator).at(-1) ?? '';
  const dot = name.lastIndexOf('.');
  return identifier.length - (dot > 0 ? name.length - dot : 0);
}
