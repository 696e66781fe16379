/** `coffer://SERVICE/secret/IDENTIFIER`: a secret, where a program's settings would have its value. */
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
 * Both parts may have any character percent-encoded; a slash in the name of the service, and a percent sign, have to be. The
 * identifier keeps its slashes.
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

/** As a person may copy it into a file. */
export function formatReference(service: string, identifier: string): string {
  const path = identifier.split('/').map(encodeURIComponent).join('/');
  return `${scheme}${encodeURIComponent(service)}/secret/${path}`;
}
