import { foldText, hasInOrder, type Pattern } from '../../../shared/domain/search.ts';

const segmentRows = 16_384;
/** Ends each field, so that no match spans two. The byte does not occur in UTF-8. */
const edgeByte = 0xff;
const edge = '\xff';

/** The texts of consecutive slots. */
interface Segment {
  readonly text: string;
  /** Offset of the end of each row's text. */
  readonly ends: Int32Array;
}

/**
 * The searchable text of each slot, case-folded, as UTF-8 bytes in one-byte strings, because `indexOf` runs over them
 * at memory speed. A change rebuilds one segment of one or two megabytes at the next scan.
 */
export class TextColumn {
  /** Full segments. */
  readonly #segments: Segment[] = [];
  readonly #tail = new Tail();
  /** Pending changes, by segment and row. */
  readonly #changed = new Map<number, Map<number, string>>();

  /** @param slot an existing one, or the next @param fields a field contained in another one is stored once */
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

  /** Marks the slots that have one field with all needles (of `encodeNeedle`) in this order. */
  scan([first = '', ...rest]: Pattern, mask: Uint8Array): number {
    let hits = 0;
    for (const [number, { text, ends }] of this.#settled().entries()) {
      const firstSlot = number * segmentRows;
      const hitsOfRest = rest.map(() => -1);
      let row = 0;
      for (let at = text.indexOf(first); at >= 0;) {
        const goOn = rest.length === 0 ? -1 : passOver(text, at + first.length, rest, hitsOfRest);
        if (goOn >= 0) {
          at = text.indexOf(first, goOn);
          continue;
        }
        while ((ends[row] ?? Infinity) <= at) row += 1;
        mask[firstSlot + row] = 1;
        hits += 1;
        at = text.indexOf(first, ends[row]);
      }
    }
    return hits;
  }

  /** Like `scan`, only over the slots marked in `within`. */
  scanWithin(needles: Pattern, within: Uint8Array, mask: Uint8Array): number {
    const segments = this.#settled();
    let hits = 0;
    for (let slot = within.indexOf(1); slot >= 0; slot = within.indexOf(1, slot + 1)) {
      const segment = segments[Math.floor(slot / segmentRows)];
      if (segment === undefined) break;
      const text = textOf(segment, slot % segmentRows);
      const isHit =
        needles.length === 1
          ? hasInOrder(text, needles)
          : text.split(edge).some((field) => hasInOrder(field, needles));
      if (isHit) {
        mask[slot] = 1;
        hits += 1;
      }
    }
    return hits;
  }

  /**
   * Returns whether the identifier (the first field) of a slot begins with what was typed: inside `folder`, or in its
   * last path segment. Valid until a text changes.
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

  /** Returns the case-folded identifier (the first field) of a slot, without this folder before it. Valid until a text changes. */
  namesIn(folder: string): (slot: number) => string {
    const segments = this.#settled();
    const start = encodeNeedle(foldText(folder)).length;
    return (slot) => {
      const segment = segments[Math.floor(slot / segmentRows)];
      if (segment === undefined) return '';
      const text = textOf(segment, slot % segmentRows);
      return Buffer.from(text.slice(start, text.indexOf(edge)), 'latin1').toString('utf8');
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

/**
 * -1: the needles occur in this order between `at` and the end of its field; otherwise, where to continue the search.
 * @param hits the last hit of each needle, initially -1, so that a scan passes over the text once per needle
 */
function passOver(text: string, at: number, needles: Pattern, hits: number[]): number {
  const fieldEnd = text.indexOf(edge, at);
  let from = at;
  for (const [number, needle] of needles.entries()) {
    let hit = hits[number] ?? -1;
    if (hit < from) hit = hits[number] = text.indexOf(needle, from);
    if (hit < 0) return text.length;
    if (hit > fieldEnd) return text.lastIndexOf(edge, hit) + 1;
    from = hit + needle.length;
  }
  return -1;
}

/** The last segment, which grows: stored as bytes, so that a long load creates no long-lived strings. */
class Tail {
  rows = 0;
  #bytes = Buffer.alloc(segmentRows);
  readonly #ends = new Int32Array(segmentRows);
  #segment: Segment | null = null;

  add(texts: readonly string[]): void {
    let end = this.#ends[this.rows - 1] ?? 0;
    // UTF-8 takes three bytes at most for each unit of a string.
    const maxBytes = texts.reduce((sum, { length }) => sum + 3 * length + 1, end);
    if (maxBytes > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes.subarray(0, end)], Math.ceil(maxBytes * 1.5));
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

  /** The current content. */
  segment(): Segment {
    this.#segment ??= {
      text: asText(this.#bytes.subarray(0, this.#ends[this.rows - 1] ?? 0)),
      ends: this.#ends.slice(0, this.rows),
    };
    return this.#segment;
  }

  /** Replaces the texts of all its rows. */
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

/** V8 keeps large ones outside the garbage-collected heap. */
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
