export const templateLengthMax = 500;

/** Facts that an identifier can be composed of. */
export interface TemplateFacts {
  /** Folder path below the dropped one, separated by `/`; `''` for none. */
  readonly folder: string;
  readonly fileName: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** The first 8 hexadecimal digits of the SHA-256 of the file's bytes. */
  readonly hash8: string;
  /** Between the folders of an identifier. */
  readonly separator: string;
}

/** Placeholders, written in braces. */
export const templateParts = ['path', 'name', 'stem', 'ext', 'date', 'hash8'] as const;

/** Unknown placeholders, once each: `nope` for `{nope}`. A template with any is not used. */
export function unknownParts(template: string): string[] {
  const named = Array.from(template.matchAll(placeholder), ([, name = '']) => name);
  return [...new Set(named)].filter((name) => !templateParts.some((part) => part === name));
}

/**
 * Fills `{path}`, `{name}`, `{stem}`, `{ext}` (without its dot), `{date}` and `{hash8}` in. Everything else stays as it
 * is; filled-in text is not expanded again.
 */
export function fillTemplate(template: string, facts: TemplateFacts): string {
  const { fileName } = facts;
  const dotAt = fileName.lastIndexOf('.');
  // A leading dot does not start an extension, as in ".service".
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

/** Whether the identifier depends on the file's content. */
export function usesHash(template: string): boolean {
  return template.includes('{hash8}');
}

/** For `{date}`: YYYY-MM-DD by the local clock. @param nowMs wall clock */
export function localDate(nowMs: number): string {
  const now = new Date(nowMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
