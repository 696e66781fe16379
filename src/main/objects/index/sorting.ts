type Keys = Float64Array | Int32Array;

/** Slots processed before yielding; takes a few milliseconds. */
const stretchSlots = 131_072;

/**
 * A stable radix sort of `slots` by `keys[slot]` (whole numbers): one pass for each 16 bits in which keys differ,
 * yielding every few milliseconds. Data read in slot order is kept small, because with a million rows most of the time
 * is spent waiting for memory. A key that changes meanwhile misplaces only its own slot.
 */
export function* sortByKeys(slots: Int32Array, keys: Keys): Generator<void, Int32Array> {
  // Separate functions: inside a generator these loops run at a third of the speed.
  const bounds = { min: Infinity, max: -Infinity };
  for (const [start, end] of stretchesOf(keys.length)) {
    widen(bounds, keys, start, end);
    yield;
  }
  const { min, max } = bounds;
  let from = slots;
  let spare: Int32Array | null = null;
  const digits = new Uint16Array(keys.length);
  const places = new Int32Array(65537);
  for (let unit = 1; (max - min) / unit >= 1; unit *= 65536) {
    for (const [start, end] of stretchesOf(keys.length)) {
      takeDigits(digits, keys, min, unit, start, end);
      yield;
    }
    places.fill(0);
    for (const [start, end] of stretchesOf(from.length)) {
      countDigits(places, digits, from, start, end);
      yield;
    }
    for (let digit = 1; digit < 65536; digit += 1) {
      places[digit] = (places[digit] ?? 0) + (places[digit - 1] ?? 0);
    }
    const to: Int32Array = spare ?? new Int32Array(from.length);
    for (const [start, end] of stretchesOf(from.length)) {
      moveSlots(to, places, digits, from, start, end);
      yield;
    }
    // The input array is not changed.
    spare = from === slots ? null : from;
    from = to;
  }
  free(digits);
  if (spare !== null) free(spare);
  return from === slots ? slots.slice() : from;
}

function* stretchesOf(length: number): Generator<[start: number, end: number]> {
  for (let start = 0; start < length; start += stretchSlots) {
    yield [start, Math.min(start + stretchSlots, length)];
  }
}

function widen(bounds: { min: number; max: number }, keys: Keys, start: number, end: number): void {
  let { min, max } = bounds;
  for (let slot = start; slot < end; slot += 1) {
    const key = keys[slot] ?? 0;
    if (key < min) min = key;
    if (key > max) max = key;
  }
  bounds.min = min;
  bounds.max = max;
}

function takeDigits(
  digits: Uint16Array,
  keys: Keys,
  min: number,
  unit: number,
  start: number,
  end: number,
): void {
  // Exact, because the unit is a power of two, and faster than dividing.
  const share = 1 / unit;
  for (let slot = start; slot < end; slot += 1) {
    digits[slot] = Math.floor(((keys[slot] ?? 0) - min) * share) % 65536;
  }
}

/** Counts each digit one position later, so that prefix sums give the start of each digit. */
function countDigits(
  places: Int32Array,
  digits: Uint16Array,
  from: Int32Array,
  start: number,
  end: number,
): void {
  for (let at = start; at < end; at += 1) {
    const next = (digits[from[at] ?? 0] ?? 0) + 1;
    places[next] = (places[next] ?? 0) + 1;
  }
}

function moveSlots(
  to: Int32Array,
  places: Int32Array,
  digits: Uint16Array,
  from: Int32Array,
  start: number,
  end: number,
): void {
  for (let at = start; at < end; at += 1) {
    const slot = from[at] ?? 0;
    const digit = digits[slot] ?? 0;
    const place = places[digit] ?? 0;
    to[place] = slot;
    places[digit] = place + 1;
  }
}

/** Reverses each run of equal keys, in place. */
export function reverseTies(slots: Int32Array, keys: Keys): void {
  let start = 0;
  for (let at = 1; at <= slots.length; at += 1) {
    if (at < slots.length && keys[slots[at] ?? 0] === keys[slots[start] ?? 0]) continue;
    if (at - start > 1) slots.subarray(start, at).reverse();
    start = at;
  }
}

/** Frees memory at once: the garbage collector would first let 64 MB pile up. */
export function free({ buffer }: Int32Array | Uint16Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The insertion position in `order` of each of the sorted `entering`. */
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

/** Inserts each of `entering` before its position; positions are ascending. */
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

/** `order` without the slots marked in `leaving`. */
export function without(order: Int32Array, leaving: Uint8Array): Int32Array {
  const kept = new Int32Array(order.length);
  let length = 0;
  for (let at = 0; at < order.length; at += 1) {
    const slot = order[at] ?? 0;
    if (leaving[slot] === 0) kept[length++] = slot;
  }
  return kept.subarray(0, length);
}
