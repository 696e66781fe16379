/** Each message is one line of JSON. */

/** Maximum size of a request and of an answer, in bytes of one line. */
export const maxRequestBytes = 4 * 1024 * 1024;
export const maxReplyBytes = 64 * 1024 * 1024;

const lineFeed = 0x0a;

/** The input is not a message, so the rest of the stream cannot be parsed. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame';
}

/** Assembles messages from pieces of input. */
export class FrameReader {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The messages that this piece completes. @throws BadFrame too long, or invalid JSON */
  push(piece: Uint8Array): unknown[] {
    const messages: unknown[] = [];
    let rest = piece;
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      this.#hold(rest.subarray(0, end));
      messages.push(parse(Buffer.concat(this.#pieces)));
      this.#pieces = [];
      this.#heldBytes = 0;
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#hold(rest);
    return messages;
  }

  #hold(piece: Uint8Array): void {
    this.#heldBytes += piece.length;
    if (this.#heldBytes > this.#maxBytes) throw new BadFrame('too long');
    this.#pieces.push(piece);
  }
}

export function toFrame(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8')) as unknown;
  } catch {
    throw new BadFrame('not JSON');
  }
}
