/** What an identifier can be made from. */
export interface TemplateFacts {
  /** The folder part below what was dropped, `/` between its names, `''` for none. */
  readonly folder: string;
  readonly fileName: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The first 8 hexadecimal digits of the SHA-256 of the file's bytes. */
  readonly hash8: string;
  /** Between the folders of an identifier. */
  readonly separator: string;
}

/** What a template can be put together from, in braces. */
export const templateParts = ['path', 'name', 'stem', 'ext', 'date', 'hash8'] as const;

/** What a template names in braces and nobody knows, once each: `nope` for `{nope}`. Such a template is not used. */
export function unknownParts(template: string): string[] {
  const named = Array.from(template.matchAll(placeholder), ([, name = '']) => name);
  return [...new Set(named)].filter((name) => !templateParts.some((part) => part === name));
}

/**
 * Fills `{path}`, `{name}`, `{stem}`, `{ext}` (without its dot), `{date}` and `{hash8}` in. Everything else stays as it
 * is; what was filled in is not looked at again.
 */
export function fillTemplate(template: string, facts: TemplateFacts): string {
  const { fileName } = facts;
  const dotAt = fileName.lastIndexOf('.');
  // A dot in front is no extension, as in ".service".
  const stemLength = dotAt > 0 ? dotAt : fileName.length;
  return template.replace(placeholder, (whole, name: string) => {
    switch (name) {
      case 'path':
        return [...facts.folder.split('/').filter((part) => part !== ''), fileName].join(facts.separator);
      case 'name':
        return fileName;
      case 'stem':
        return fileName.slice(0, stemLength);
      case 'ext':
        return fileName.slice(stemLength + 1);
      case 'date':
        return facts.date;
      case 'hash8':
        return facts.hash8;
      default:
        return whole;
    }
  });
}

const placeholder = /\{(\w+)\}/g;

/** Whether the file's bytes must be read before its identifier is known. */
export function usesHash(template: string): boolean {
  return template.includes('{hash8}');
}
