import { foldText } from '../../../shared/domain/search.ts';

const segmentRows = 16_384;
/** A byte that no UTF-8 text has: ends a field, so that no hit reaches over an edge. */
const edgeByte = 0xff;
const edge = '\xff';

/** Texts of consecutive slots, one after the other. */
interface Segment {
  readonly text: string;
  /** Where the text of each row ends. */
  readonly ends: Int32Array;
}

/**
 * The searchable text of each slot, folded, as UTF-8 bytes in one-byte strings: `indexOf` over those runs at memory
 * speed. A change rebuilds one segment of a megabyte or two, at the next scan.
 */
export class TextColumn {
  /** The full ones. */
  readonly #segments: Segment[] = [];
  readonly #tail = new Tail();
  /** By segment and row. */
  readonly #changed = new Map<number, Map<number, string>>();

  /**
   * @param slot known, or the next one
   * @param fields a field that stands within another one is not kept twice
   */
  set(slot: number, fields: readonly string[]): void {
    const kept: string[] = [];
    for (const field of fields) {
      const folded = foldText(field);
      if (!kept.some((other) => other.includes(folded))) kept.push(folded);
    }
    const number = Math.floor(slot / segmentRows);
    const row = slot % segmentRows;
    if (number < this.#segments.length || row < this.#tail.rows) {
      const changed = this.#changed.get(number) ?? new Map<number, string>();
      this.#changed.set(number, changed.set(row, kept.map((text) => encodeNeedle(text) + edge).join('')));
      return;
    }
    this.#tail.add(kept);
    if (this.#tail.rows === segmentRows) {
      this.#settle();
      this.#segments.push(this.#tail.segment());
      this.#tail.clear();
    }
  }

  /** Marks the slots whose text has `needle` (of `encodeNeedle`). */
  scan(needle: string, mask: Uint8Array): number {
    let hits = 0;
    for (const [number, { text, ends }] of this.#settled().entries()) {
      const first = number * segmentRows;
      let row = 0;
      for (let at = text.indexOf(needle); at >= 0;) {
        while ((ends[row] ?? Infinity) <= at) row += 1;
        mask[first + row] = 1;
        hits += 1;
        at = text.indexOf(needle, ends[row]);
      }
    }
    return hits;
  }

  /** As `scan`, over the slots marked in `within` only. */
  scanWithin(needle: string, within: Uint8Array, mask: Uint8Array): number {
    const segments = this.#settled();
    let hits = 0;
    for (let slot = within.indexOf(1); slot >= 0; slot = within.indexOf(1, slot + 1)) {
      const segment = segments[Math.floor(slot / segmentRows)];
      if (segment === undefined) break;
      if (textOf(segment, slot % segmentRows).includes(needle)) {
        mask[slot] = 1;
        hits += 1;
      }
    }
    return hits;
  }

  /**
   * Says of each slot whether its first field, an identifier, begins with what was typed: inside `folder`, or in its last
   * part. Good until a text changes.
   */
  beginnings(typed: string, folder: string, separator: string): (slot: number) => 'name' | 'lastPart' | null {
    const segments = this.#settled();
    const [needle, within, between] = [typed, folder, separator].map((text) => encodeNeedle(foldText(text)));
    if (needle === undefined || within === undefined || between === undefined) return () => null;
    return (slot) => {
      const segment = segments[Math.floor(slot / segmentRows)];
      if (segment === undefined) return null;
      const { text, ends } = segment;
      const row = slot % segmentRows;
      const start = row === 0 ? 0 : (ends[row - 1] ?? 0);
      let name = start;
      if (within !== '' && text.startsWith(within, start)) {
        name += within.length;
        while (text.startsWith(between, name)) name += between.length;
      }
      if (text.startsWith(needle, name)) return 'name';
      const identifier = text.slice(start, text.indexOf(edge, start));
      const last = identifier.lastIndexOf(between);
      return last >= 0 && identifier.startsWith(needle, last + between.length) ? 'lastPart' : null;
    };
  }

  #settled(): readonly Segment[] {
    this.#settle();
    return [...this.#segments, this.#tail.segment()];
  }

  #settle(): void {
    for (const [number, changed] of this.#changed) {
      const old = this.#segments[number] ?? this.#tail.segment();
      const parts = Array.from(old.ends, (_, row) => changed.get(row) ?? textOf(old, row));
      let end = 0;
      const ends = old.ends.map((_, row) => (end += parts[row]?.length ?? 0));
      const bytes = Buffer.from(parts.join(''), 'latin1');
      if (number < this.#segments.length) this.#segments[number] = { text: asText(bytes), ends };
      else this.#tail.fill(bytes, ends);
    }
    this.#changed.clear();
  }
}

/** The last segment, to which rows are added: bytes only, so that a long load makes no strings that live on. */
class Tail {
  rows = 0;
  #bytes = Buffer.alloc(segmentRows);
  readonly #ends = new Int32Array(segmentRows);
  #segment: Segment | null = null;

  add(texts: readonly string[]): void {
    let end = this.#ends[this.rows - 1] ?? 0;
    // UTF-8 takes three bytes at most for each unit of a string.
    const mostBytes = texts.reduce((sum, { length }) => sum + 3 * length + 1, end);
    if (mostBytes > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes.subarray(0, end)], Math.ceil(mostBytes * 1.5));
    }
    for (const text of texts) {
      end += this.#bytes.write(text, end, 'utf8');
      this.#bytes[end] = edgeByte;
      end += 1;
    }
    this.#ends[this.rows] = end;
    this.rows += 1;
    this.#segment = null;
  }

  /** What it holds now. */
  segment(): Segment {
    this.#segment ??= {
      text: asText(this.#bytes.subarray(0, this.#ends[this.rows - 1] ?? 0)),
      ends: this.#ends.slice(0, this.rows),
    };
    return this.#segment;
  }

  /** Other texts for all its rows. */
  fill(bytes: Buffer<ArrayBuffer>, ends: Int32Array): void {
    this.#bytes = bytes;
    this.#ends.set(ends);
    this.#segment = null;
  }

  clear(): void {
    this.rows = 0;
    this.#segment = null;
  }
}

/** Large ones stay outside of the collected heap. */
function asText(bytes: Buffer): string {
  return bytes.toString('latin1');
}

function textOf({ text, ends }: Segment, row: number): string {
  return text.slice(row === 0 ? 0 : ends[row - 1], ends[row]);
}

/** UTF-8 as a string of one-byte characters. */
export function encodeNeedle(folded: string): string {
  return /[^\0-\x7f]/.test(folded) ? Buffer.from(folded, 'utf8').toString('latin1') : folded;
}
