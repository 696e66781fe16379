import { PassThrough, Transform, type TransformCallback } from 'node:stream';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { OutputStream } from '../terminal/io.ts';

/** Replaces a value in the output. */
export const mask = Buffer.from('<hidden by coffer>');
/** Shorter values would match everywhere, and masking would reveal them. */
export const leastMaskedBytes = 4;

/** The forms in which a program may write a value: plain or encoded. */
export function patternsOf(values: readonly Uint8Array[]): Buffer[] {
  const found = new Map<string, Buffer>();
  for (const value of values) {
    for (const pattern of writtenForms(Buffer.from(value.buffer, value.byteOffset, value.byteLength)))
      if (pattern.length >= leastMaskedBytes) found.set(pattern.toString('latin1'), pattern);
  }
  // Longest first: of two patterns that match at the same position, mask the longer one.
  return [...found.values()].toSorted((a, b) => b.length - a.length);
}

function* writtenForms(value: Buffer): Generator<Buffer> {
  yield value;
  const text = value.toString('utf8');
  const line = text.trimEnd();
  yield Buffer.from(line);
  yield Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'));
  yield Buffer.from(line.replaceAll(/\r?\n/g, '\r\n'));
  for (const bytes of [value, Buffer.from(line)]) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = bytes.toString(encoding);
      // If more bytes follow the value, its last character differs.
      const certain = encoded.slice(0, Math.floor((bytes.length * 8) / 6));
      for (const each of [encoded, certain]) for (const form of wrapped(each)) yield Buffer.from(form);
    }
    const hex = bytes.toString('hex');
    yield Buffer.from(hex);
    yield Buffer.from(hex.toUpperCase());
  }
  for (const each of new Set([text, line])) {
    for (const form of jsonForms(each)) yield Buffer.from(form);
    for (const form of urlForms(each)) yield Buffer.from(form);
  }
}

/** As one line, and wrapped as by base64(1) and MIME (76 columns) and PEM (64). */
function* wrapped(encoded: string): Generator<string> {
  yield encoded;
  for (const columns of [76, 64])
    for (const end of ['\n', '\r\n'])
      yield (encoded.match(new RegExp(`.{1,${String(columns)}}`, 'g')) ?? []).join(end);
}

/** Beyond what JSON requires, programs may escape slashes, `<>&` and non-ASCII characters, with hex digits in either case. */
function* jsonForms(text: string): Generator<string> {
  const plain = JSON.stringify(text).slice(1, -1);
  const escape = (from: string, pattern: RegExp) =>
    from.replaceAll(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  for (const form of [
    plain,
    escape(plain, /[^\0-\x7f]/g),
    escape(plain, /[<>&]/g),
    escape(plain, /[<>&]|[^\0-\x7f]/g),
  ]) {
    for (const each of [form, form.replaceAll('/', '\\/')]) {
      yield each;
      yield each.replaceAll(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`);
    }
  }
}

/** As by encodeURIComponent, RFC 3986 and HTML forms, with hex digits in either case. */
function* urlForms(text: string): Generator<string> {
  const plain = encodeURIComponent(text.toWellFormed());
  const strict = plain.replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  for (const form of [
    plain,
    strict,
    strict.replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E'),
  ]) {
    yield form;
    yield form.replaceAll(/%[0-9A-F]{2}/g, (each) => each.toLowerCase());
  }
}

/**
 * Replaces each pattern by the mask, also across piece boundaries: bytes that may begin a pattern are held back until more arrive, and
 * written unchanged at the end.
 */
export class Mask extends Transform {
  readonly #patterns: readonly Buffer[];
  /** By their first byte. */
  readonly #begins: readonly (readonly Buffer[] | undefined)[];
  #held = Buffer.alloc(0);

  constructor(patterns: readonly Buffer[]) {
    super();
    this.#patterns = patterns;
    const begins: Buffer[][] = [];
    for (const pattern of patterns) (begins[pattern[0] ?? 0] ??= []).push(pattern);
    this.#begins = begins;
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    if (this.#patterns.length === 0) return done(null, piece);
    this.#pass(this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]), false);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#pass(this.#held, true);
    done();
  }

  #pass(bytes: Buffer, isEnd: boolean): void {
    let from = 0;
    let at = 0;
    while (at < bytes.length) {
      const candidates = this.#begins[bytes[at] ?? 0];
      const found = candidates && this.#at(bytes, at, candidates, isEnd);
      if (found === 'later') break;
      if (found) {
        this.#write(bytes.subarray(from, at));
        this.push(mask);
        at += found.length;
        from = at;
      } else at += 1;
    }
    this.#write(bytes.subarray(from, at));
    this.#held = Buffer.from(bytes.subarray(at));
  }

  /** The pattern at this position; `later` if more bytes are needed to decide. */
  #at(bytes: Buffer, at: number, candidates: readonly Buffer[], isEnd: boolean): Buffer | 'later' | null {
    let whole: Buffer | null = null;
    for (const pattern of candidates) {
      const length = Math.min(pattern.length, bytes.length - at);
      if (bytes.compare(pattern, 0, length, at, at + length) !== 0) continue;
      if (length === pattern.length) whole ??= pattern;
      else if (!isEnd) return 'later';
    }
    return whole;
  }

  #write(bytes: Buffer): void {
    if (bytes.length > 0) this.push(bytes);
  }
}

/** How long the pipe of an ended program must be silent, in ms. */
const quietMs = 100;

/**
 * Passes the output of a program on, masked, until it has ended and all its output has been passed on. Does not wait for
 * programs that it left in the background, which keep the pipe open. If the reader closes its end, closes the program's pipe
 * too, as if the program wrote to the reader directly. Resolves with false if the output could not be written, which closes the
 * pipe as well.
 * @param ended resolves when the program has ended
 */
export async function passOutput(
  from: Socket,
  patterns: readonly Buffer[],
  to: OutputStream,
  ended: Promise<unknown>,
): Promise<boolean> {
  const source = from.pipe(new PassThrough());
  const passed = pipeline(source, new Mask(patterns), to, { end: false })
    .then(
      () => true,
      (cause: unknown) => {
        if (!(cause instanceof Error && 'code' in cause)) throw cause;
        return cause.code === 'EPIPE';
      },
    )
    .finally(() => from.destroy());
  const left = ended.then(() => isQuiet(from, source)).then(() => source.end());
  return Promise.race([passed, left.then(() => passed)]);
}

/** Resolves when nothing has arrived for a while, and everything before has been passed on. */
async function isQuiet(from: Pick<Socket, 'bytesRead'>, source: PassThrough): Promise<void> {
  for (;;) {
    const before = from.bytesRead;
    await setTimeout(quietMs);
    if (from.bytesRead === before && source.readableLength + source.writableLength === 0) return;
  }
}
