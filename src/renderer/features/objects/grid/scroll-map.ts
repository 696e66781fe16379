/**
 * Converts between rows and scroll positions. Chromium limits elements to about 33.5 million pixels, so longer lists
 * scroll proportionally: `topPx` counts pixels of the whole list, `scrollTopPx` those of the scrollbar.
 */
const scrollHeightMaxPx = 33_000_000;

/** Space above the first and below the last row, in pixels. */
const listPadPx = 4;

export type ScrollMap = {
  total: number;
  rowPx: number;
  viewportPx: number;
  /** The first rows have this height instead. */
  above?: { count: number; rowPx: number };
  /** A row after those that is taller than the others by `byPx`. */
  open?: { index: number; byPx: number } | null;
};

function listHeight(map: ScrollMap): number {
  return topOfRow(map, map.total) + listPadPx;
}

/** Height for the scrolled element, in pixels. */
export function scrollHeight(map: ScrollMap): number {
  return Math.min(listHeight(map), scrollHeightMaxPx);
}

function pixelsPerPixel(map: ScrollMap): number {
  const scrollable = scrollHeight(map) - map.viewportPx;
  return scrollable > 0 ? (listHeight(map) - map.viewportPx) / scrollable : 1;
}

export function toTop(map: ScrollMap, scrollTopPx: number): number {
  return Math.max(0, Math.min(scrollTopPx * pixelsPerPixel(map), listHeight(map) - map.viewportPx));
}

export function toScrollTop(map: ScrollMap, topPx: number): number {
  return topPx / pixelsPerPixel(map);
}

/** The visible rows, `to` excluded. */
export function visibleRows(map: ScrollMap, topPx: number): { from: number; to: number } {
  const from = Math.floor(rowsAbove(map, topPx));
  const to = Math.ceil(rowsAbove(map, topPx + map.viewportPx));
  return { from: Math.max(0, Math.min(from, map.total)), to: Math.max(0, Math.min(to, map.total)) };
}

/** Number of rows above a position, with a fraction inside the taller row. */
function rowsAbove({ rowPx, above, open }: ScrollMap, topPx: number): number {
  const first = above?.count ?? 0;
  const firstPx = first * (above?.rowPx ?? rowPx);
  const px = topPx - listPadPx - firstPx;
  if (px < 0) return first + px / (above?.rowPx ?? rowPx);
  if (!open || px < (open.index + 1 - first) * rowPx) return first + px / rowPx;
  return Math.max(open.index + 0.5, first + (px - open.byPx) / rowPx);
}

/** The nearest position at which the row is completely visible. */
export function topThatShows(map: ScrollMap, topPx: number, index: number): number {
  const above = topOfRow(map, index) - listPadPx;
  const below = topOfRow(map, index + 1) + listPadPx - map.viewportPx;
  return Math.max(0, Math.min(Math.max(topPx, below), above));
}

export function topOfRow(map: ScrollMap, index: number): number {
  const openPx = map.open && index > map.open.index ? map.open.byPx : 0;
  const first = Math.min(index, map.above?.count ?? 0);
  return listPadPx + first * (map.above?.rowPx ?? map.rowPx) + (index - first) * map.rowPx + openPx;
}
