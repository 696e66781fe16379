import { extensionStart } from './extension.ts';

/** Limit of attempts: a service on which this many names are taken is answering nonsense. */
export const maxNumberedIdentifier = 1000;

/**
 * The identifier beside one that is taken: `a/report.pdf` becomes `a/report-2.pdf`. A number that ends the name already
 * (`report-2026.pdf`) belongs to the name and is not counted up.
 * @param number 2 for the first try
 */
export function numberedIdentifier(identifier: string, separator: string, number: number): string {
  const end = extensionStart(identifier, separator);
  return `${identifier.slice(0, end)}-${number}${identifier.slice(end)}`;
}
