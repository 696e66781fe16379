/** Slots moved at a stretch: each lands somewhere else in memory. */
const passSlots = 262_144;

/**
 * A stable radix sort of `slots` by `keys[slot]` (whole numbers), a pass for each 16 bits in which they differ; it
 * gives way every few milliseconds. All that is read in the order of slots is kept small: for a million rows the time
 * goes into waiting for memory. A key that changes meanwhile misplaces its own slot only.
 */
export function* sortByKeys(slots: Int32Array, keys: Float64Array | Int32Array): Generator<void, Int32Array> {
  let min = Infinity;
  let max = -Infinity;
  for (let slot = 0; slot < keys.length; slot += 1) {
    const key = keys[slot] ?? 0;
    if (key < min) min = key;
    if (key > max) max = key;
  }
  let from = slots;
  let spare: Int32Array | null = null;
  const digits = new Uint16Array(keys.length);
  for (let unit = 1; (max - min) / unit >= 1; unit *= 65536) {
    yield;
    // Multiplying is exact (a power of two), and quicker than dividing.
    const share = 1 / unit;
    for (let slot = 0; slot < keys.length; slot += 1) {
      digits[slot] = Math.floor(((keys[slot] ?? 0) - min) * share) % 65536;
    }
    yield;
    const starts = new Int32Array(65537);
    for (let at = 0; at < from.length; at += 1) {
      const next = (digits[from[at] ?? 0] ?? 0) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let digit = 1; digit < 65536; digit += 1) {
      starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0);
    }
    const to: Int32Array = spare ?? new Int32Array(from.length);
    for (let at = 0; at < from.length; at += 1) {
      if (at % passSlots === passSlots - 1) yield;
      const slot = from[at] ?? 0;
      const digit = digits[slot] ?? 0;
      const target = starts[digit] ?? 0;
      to[target] = slot;
      starts[digit] = target + 1;
    }
    // What was given stays as it is.
    spare = from === slots ? null : from;
    from = to;
  }
  return from;
}

/** Where each of `entering`, which are in order, belongs in `order`: before what stands at the position. */
export function placesAmong(
  order: Int32Array,
  entering: readonly number[],
  compare: (a: number, b: number) => number,
): number[] {
  return entering.map((slot) => {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(order[middle] ?? 0, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}

/** Each of `entering` before what stands at its position; positions never fall. */
export function insertAt(
  kept: Int32Array,
  entering: readonly number[],
  positions: readonly number[],
): Int32Array {
  const merged = new Int32Array(kept.length + entering.length);
  let done = 0;
  for (const [index, slot] of entering.entries()) {
    const position = positions[index] ?? done;
    merged.set(kept.subarray(done, position), done + index);
    merged[position + index] = slot;
    done = position;
  }
  merged.set(kept.subarray(done), done + entering.length);
  return merged;
}

/** The slots of `order` that pass, as they stand. */
export function keepOnly(order: Int32Array, isKept: (slot: number) => boolean): Int32Array {
  const kept = new Int32Array(order.length);
  let length = 0;
  for (const slot of order) {
    if (isKept(slot)) kept[length++] = slot;
  }
  return kept.subarray(0, length);
}
