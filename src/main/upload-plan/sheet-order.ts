import { isNoted, type SheetEntry } from './sheet-entry.ts';

/** Where entries stand. What has something to say stands first; what a person changes by hand stays where it is. */
export interface SheetOrder {
  /** Puts an entry in its place after it was judged anew; while held it stays in the one that it has. */
  place(entry: SheetEntry): void;
  /** Nothing moves up or down under the hands of who does it. */
  hold(work: () => void): void;
  remove(entry: SheetEntry): void;
  /** Those that stand first, then the others, each in the order they were found. */
  all(): Generator<SheetEntry>;
  /** The places of those that have something to say and do not stand first, in order. */
  notedBelow(): number[];
}

/** @param entries those of the sheet, in the order they were found */
export function createSheetOrder(entries: ReadonlyMap<number, SheetEntry>): SheetOrder {
  const notedBelow = new Set<SheetEntry>();
  let isHeld = false;

  function* all(): Generator<SheetEntry> {
    for (const entry of entries.values()) if (entry.standsFirst) yield entry;
    for (const entry of entries.values()) if (!entry.standsFirst) yield entry;
  }

  return {
    all,
    place(entry) {
      const isNow = isNoted(entry.status);
      if (!isHeld) entry.standsFirst = isNow;
      if (isNow && !entry.standsFirst) notedBelow.add(entry);
      else notedBelow.delete(entry);
    },
    hold(work) {
      isHeld = true;
      work();
      isHeld = false;
    },
    remove: (entry) => void notedBelow.delete(entry),
    notedBelow() {
      const places: number[] = [];
      if (notedBelow.size === 0) return places;
      let index = 0;
      for (const entry of all()) {
        if (notedBelow.has(entry)) places.push(index);
        if (places.length === notedBelow.size) break;
        index += 1;
      }
      return places;
    },
  };
}
