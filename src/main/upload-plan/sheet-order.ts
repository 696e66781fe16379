import { isNoted, type SheetEntry } from './sheet-entry.ts';

/**
 * The positions of entries: those with a note first. An entry that the person is changing keeps its position.
 * @param entries of the sheet, in the order they were found
 */
export function createSheetOrder(entries: ReadonlyMap<number, SheetEntry>) {
  const notedBelow = new Set<SheetEntry>();
  let isHeld = false;

  function* all(): Generator<SheetEntry> {
    for (const entry of entries.values()) if (entry.standsFirst) yield entry;
    for (const entry of entries.values()) if (!entry.standsFirst) yield entry;
  }

  return {
    /** The first group, then the others, each in the order they were found. */
    all,
    /** Places an entry after its status changed; it keeps its position during `hold`. */
    place(entry: SheetEntry) {
      const isNow = isNoted(entry.status);
      if (!isHeld) entry.standsFirst = isNow;
      if (isNow && !entry.standsFirst) notedBelow.add(entry);
      else notedBelow.delete(entry);
    },
    /** Keeps all entries in position while `work` runs, so that nothing moves while the person edits. */
    hold(work: () => void) {
      isHeld = true;
      work();
      isHeld = false;
    },
    remove: (entry: SheetEntry) => void notedBelow.delete(entry),
    /** Positions of entries that have a note but are not in the first group, ascending. */
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
