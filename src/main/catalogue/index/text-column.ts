import { foldText } from '../../../shared/domain/search.ts';

const segmentRows = 16_384;
/** A byte that no UTF-8 text has: ends a field, so that no hit reaches over an edge. */
const edge = '\xff';

/**
 * The searchable text of each slot, folded, as UTF-8 bytes in one-byte strings: `indexOf` over those runs at memory
 * speed. A change rebuilds one segment of a megabyte or two, at the next scan.
 */
export class TextColumn {
  readonly #segments: { text: string; ends: Int32Array }[] = [];
  readonly #pending = new Map<number, Map<number, string>>();

  /** @param fields a field that stands within another one is not kept twice */
  set(slot: number, fields: readonly string[]): void {
    const segment = Math.floor(slot / segmentRows);
    const texts = this.#pending.get(segment) ?? new Map<number, string>();
    this.#pending.set(segment, texts);
    let text = '';
    for (const field of fields) {
      const bytes = encodeNeedle(foldText(field));
      if (!text.includes(bytes)) text += bytes + edge;
    }
    texts.set(slot % segmentRows, text === '' ? edge : text);
    // A new segment is settled as soon as it is full, so that a long load keeps few small strings.
    if (texts.size === segmentRows) this.#settle();
  }

  /** Marks the slots whose text has `needle` (of `encodeNeedle`). */
  scan(needle: string, mask: Uint8Array): number {
    this.#settle();
    let hits = 0;
    for (const [number, { text, ends }] of this.#segments.entries()) {
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
    this.#settle();
    let hits = 0;
    for (let slot = within.indexOf(1); slot >= 0; slot = within.indexOf(1, slot + 1)) {
      const segment = this.#segments[Math.floor(slot / segmentRows)];
      if (segment === undefined) break;
      const row = slot % segmentRows;
      const start = row === 0 ? 0 : segment.ends[row - 1];
      if (segment.text.slice(start, segment.ends[row]).includes(needle)) {
        mask[slot] = 1;
        hits += 1;
      }
    }
    return hits;
  }

  #settle(): void {
    for (const [number, changed] of this.#pending) {
      const old = this.#segments[number];
      const rows = Math.max(old?.ends.length ?? 0, Math.max(...changed.keys()) + 1);
      const ends = new Int32Array(rows);
      const parts: string[] = [];
      for (let row = 0, end = 0; row < rows; row += 1) {
        const part =
          changed.get(row) ?? old?.text.slice(row === 0 ? 0 : old.ends[row - 1], old.ends[row]) ?? edge;
        parts.push(part);
        end += part.length;
        ends[row] = end;
      }
      // By way of a buffer, which keeps large strings outside of the collected heap.
      this.#segments[number] = { text: Buffer.from(parts.join(''), 'latin1').toString('latin1'), ends };
    }
    this.#pending.clear();
  }
}

/** UTF-8 as a string of one-byte characters. */
export function encodeNeedle(folded: string): string {
  return /[^\0-\x7f]/.test(folded) ? Buffer.from(folded, 'utf8').toString('latin1') : folded;
}
