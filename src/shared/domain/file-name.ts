/** Longest name that Windows, macOS and Linux all accept, in UTF-8 bytes. */
const maxNameBytes = 255;

// Characters that Windows reserves and all systems' separators; then those that can disguise a name: control and format
// characters (including bidi controls, except the zero-width joiner, which emoji need), line ends, U+FFF0 to U+FFFF.
const notInNames = /[<>:"/\\|?*]|(?!\u200D)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFF0-\uFFFF]/gu;
const otherSpaces = /[\t\n\r\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+/g;
const trailingDotsAndSpaces = /[. ]+$/;
const reservedOnWindows = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(?=\.|$)/i;

/**
 * A file name that Windows, macOS and Linux accept, that stays in its folder and does not disguise its kind: at most 255
 * bytes with its extension kept, never empty.
 */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .normalize('NFC')
    .replace(otherSpaces, ' ')
    .replace(notInNames, '_')
    .replace(trailingDotsAndSpaces, '');
  const { stem, extension } = splitName(clean);
  // One byte is reserved for the suffix of reserved names.
  const short = joinWithin(stem, extension, maxNameBytes - 1).replace(trailingDotsAndSpaces, '');
  return short.replace(reservedOnWindows, '$1_') || 'unnamed';
}

/** The file name of an object: the last segment of its identifier; if it ends with the separator, the name that was uploaded. */
export function objectFileName(
  { identifier, sourceName }: { identifier: string; sourceName: string | null },
  separator: string,
): string {
  return safeFileName(identifier.split(separator).at(-1) || sourceName || '');
}

/** `report.pdf` as `report (1).pdf`, for a name that exists. */
export function numberedFileName(name: string, number: number): string {
  const { stem, extension } = splitName(name);
  return joinWithin(stem, ` (${number})${extension}`, maxNameBytes);
}

/** Numbers names that a case-insensitive file system would not tell apart, such as two of `a.txt`. */
export function distinctFileNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 1; taken.has(own.toLowerCase()); number += 1) own = numberedFileName(name, number);
    taken.add(own.toLowerCase());
    return own;
  });
}

/** `report.pdf` as `report.pdf.1f3a9c02.part`: the tag identifies the owner. */
export function temporaryFileName(name: string, tag: string): string {
  return joinWithin(name, `.${tag}.part`, maxNameBytes);
}

function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  // A dot that far from the end is not the start of an extension.
  if (extension.length > 20) return { stem: name, extension: '' };
  return { stem: name.slice(0, name.length - extension.length), extension };
}

/** As much of `start` as fits before `end`, without splitting a code point. */
function joinWithin(start: string, end: string, maxBytes: number): string {
  let leftBytes = maxBytes - sizeOf(end);
  let kept = '';
  for (const character of start) {
    leftBytes -= sizeOf(character);
    if (leftBytes < 0) break;
    kept += character;
  }
  return kept + end;
}

function sizeOf(text: string): number {
  let sizeBytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    sizeBytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return sizeBytes;
}
