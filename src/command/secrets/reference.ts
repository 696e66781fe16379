/** `coffer://SERVICE/secret/IDENTIFIER`: placeholder for the value of a secret in a program's settings. */
export interface Reference {
  /** As written. */
  readonly text: string;
  readonly service: string;
  readonly identifier: string;
}

export type ReferenceProblem = 'form' | 'encoding';

const scheme = 'coffer://';
const form = /^coffer:\/\/([^/]+)\/secret\/(.+)$/s;

export function beginsAsReference(text: string): boolean {
  return text.startsWith(scheme);
}

/**
 * Any character may be percent-encoded; a percent sign, and a slash in the service's name, must be. Slashes in the identifier
 * need not be.
 */
export function parseReference(text: string): Reference | ReferenceProblem {
  const [, service, identifier] = form.exec(text) ?? [];
  if (service === undefined || identifier === undefined) return 'form';
  try {
    return { text, service: decodeURIComponent(service), identifier: decodeURIComponent(identifier) };
  } catch {
    return 'encoding';
  }
}

export function formatReference(service: string, identifier: string): string {
  const path = identifier.split('/').map(encodeURIComponent).join('/');
  return `${scheme}${encodeURIComponent(service)}/secret/${path}`;
}
