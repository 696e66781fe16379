/*
 * Text that a person gives as bytes. Node's own decoding (`toString`, `readFile(…, 'utf8')`) puts U+FFFD in the place of what is
 * not UTF-8, and so changes names and values without an error.
 */

/** The encoding that a byte order mark names, or UTF-8. */
export function encodingByMark([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Whether ASCII text in UTF-16 would look like this. Only a byte order mark tells for certain. */
export function looksLikeUtf16(bytes: Uint8Array): boolean {
  const units = Math.floor(bytes.length / 2);
  const zeros = [0, 0];
  for (let at = 0; at < 2 * units; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  return units > 1 && Math.max(...zeros) > units / 2 && Math.min(...zeros) < units / 4;
}

/** Decodes pieces of a file. `decode` throws a TypeError for bytes that are not text in the encoding. */
export interface StrictDecoder {
  /** Without the byte order mark. */
  decode(piece?: Uint8Array): string;
}

/** Where Windows-1252 differs from ISO-8859-1: Node 24 decodes it as that. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** @throws RangeError for an encoding that is not known */
export function createStrictDecoder(encoding: string): StrictDecoder {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (piece?: Uint8Array) =>
    piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  if (decoder.encoding !== 'windows-1252') return { decode };
  return {
    decode: (piece) =>
      // oxlint-disable-next-line no-control-regex
      decode(piece).replaceAll(/[\u0080-\u009f]/g, (one) => windows1252.charAt(one.charCodeAt(0) - 0x80)),
  };
}

/** Finds the first line with bytes that are not text. Slower than decoding: for when that has failed. */
export class BadLineFinder {
  /** From 1. */
  line = 1;
  readonly #decoder: StrictDecoder;
  #isAfterReturn = false;

  constructor(encoding: string) {
    this.#decoder = createStrictDecoder(encoding);
  }

  /** Whether the next piece of the file has such bytes; they are in `line` then. */
  finds(piece: Uint8Array): boolean {
    for (let from = 0; from < piece.length;) {
      const to = endOfLine(piece, from);
      try {
        this.#count(this.#decoder.decode(piece.subarray(from, to)));
      } catch {
        return true;
      }
      from = to;
    }
    return false;
  }

  #count(text: string): void {
    // An LF after a CR ends the same line.
    const rest = this.#isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.line += rest.split(/\r\n|\n|\r/).length - 1;
    if (text !== '') this.#isAfterReturn = text.endsWith('\r');
  }
}

/** The end of the line that begins at `from`, with its CR or LF, or of the piece. */
function endOfLine(piece: Uint8Array, from: number): number {
  let at = from;
  while (at < piece.length && piece[at] !== 0x0a && piece[at] !== 0x0d) at += 1;
  // The second byte of the line end in UTF-16LE.
  return Math.min(piece[at + 1] === 0 ? at + 2 : at + 1, piece.length);
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, which is left out.
 * @returns the line, from 1, of the first bytes that are neither
 */
export function decodeText(bytes: Uint8Array): { readonly text: string } | { readonly badLine: number } {
  const encoding = encodingByMark(bytes);
  const decoder = createStrictDecoder(encoding);
  try {
    return { text: decoder.decode(bytes) + decoder.decode() };
  } catch {
    const finder = new BadLineFinder(encoding);
    finder.finds(bytes);
    return { badLine: finder.line };
  }
}
