/**
 * Where rows stand while scrolling. Chromium stops at elements of about 33.5 million pixels, so a longer list is
 * scrolled by proportion: `topPx` counts in the pixels of the whole list, `scrollTopPx` in those of the scrollbar.
 */
const scrollHeightMaxPx = 33_000_000;

/** Space above the first and below the last row. */
const listPadPx = 4;

export type ScrollMap = { total: number; rowPx: number; viewportPx: number };

function listHeight(map: ScrollMap): number {
  return map.total * map.rowPx + 2 * listPadPx;
}

/** The height to give to the scrolled element, in pixels. */
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

/** The rows that can be seen, `to` excluded. */
export function visibleRows(map: ScrollMap, topPx: number): { from: number; to: number } {
  const from = Math.floor((topPx - listPadPx) / map.rowPx);
  const to = Math.ceil((topPx - listPadPx + map.viewportPx) / map.rowPx);
  return { from: Math.max(0, Math.min(from, map.total)), to: Math.max(0, Math.min(to, map.total)) };
}

/** The nearest place from which the row is wholly seen. */
export function topThatShows(map: ScrollMap, topPx: number, index: number): number {
  const above = index * map.rowPx;
  const below = above + map.rowPx + 2 * listPadPx - map.viewportPx;
  return Math.max(0, Math.min(Math.max(topPx, below), above));
}

export function topOfRow(map: ScrollMap, index: number): number {
  return listPadPx + index * map.rowPx;
}
