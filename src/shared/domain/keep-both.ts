/**
 * The identifier beside one that is taken: `a/report.pdf` becomes `a/report-2.pdf`. A number that ends the name already
 * (`report-2026.pdf`) belongs to the name and is not counted up.
 * @param number 2 for the first try
 */
export function numberedIdentifier(identifier: string, separator: string, number: number): string {
  const name = identifier.split(separator).at(-1) ?? '';
  const dot = name.lastIndexOf('.');
  // The first dot of a name (`.profile`) begins no extension.
  const end = identifier.length - (dot > 0 ? name.length - dot : 0);
  return `${identifier.slice(0, end)}-${number}${identifier.slice(end)}`;
}
