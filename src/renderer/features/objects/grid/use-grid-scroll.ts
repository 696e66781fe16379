import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { useBrowser } from '../state/browser-store.ts';
import { arrangeLines, type Lines } from './grid-lines.ts';
import { topOfRow, topThatShows, toScrollTop, toTop, visibleRows, type ScrollMap } from './scroll-map.ts';
import { useSize } from './use-size.ts';

/** In pixels; 0: not measured yet. */
export type GridSize = { widthPx: number; heightPx: number };

type Options = {
  query: ObjectQuery;
  /** Number of rows, those before index 0 included. */
  total: number;
  /** Number of rows before index 0. */
  folderCount?: number;
  linesFor: (size: GridSize) => Lines;
  /** Height of what is above the lines, in pixels. */
  headPx: number;
  /** The expanded line, which is taller than the others. */
  open: NonNullable<ScrollMap['open']> | null;
  /** Called when the visible rows change: `from` up to, not including, `to`, counted from the top. */
  onShow: (from: number, to: number) => void;
};

/** Scrolls a list, and follows its focused row. `from` up to, not including, `to` are the visible rows, counted from the top. */
export function useGridScroll({ query, total, folderCount = 0, linesFor, headPx, open, onShow }: Options) {
  const cursor = useBrowser((browser) => browser.cursor) + folderCount;
  const cursorId = useBrowser((browser) => browser.cursorId);
  /** While the next list loads, the focused row is one of its rows already. */
  const isOfThisList = useBrowser((browser) => browser.query === query);
  const { ref, element, widthPx, heightPx } = useSize();

  const shape = linesFor({ widthPx, heightPx });
  const { perLine, linePx } = shape;
  const arrangement = JSON.stringify(shape);
  const viewportPx = Math.max(0, heightPx - headPx);
  const lines = arrangeLines(shape, folderCount, total);
  const { lineOf } = lines;
  const mapOf = (of: Lines, heightOfView: number): ScrollMap => {
    const { count, folderLines } = of === shape ? lines : arrangeLines(of, folderCount, total);
    const above = { count: folderLines, rowPx: of.folders.linePx };
    return { total: count, rowPx: of.linePx, viewportPx: heightOfView, above, open };
  };
  const map = mapOf(shape, viewportPx);

  /** `topPx` is a position in this list with this layout. A new list starts at its top. */
  const [layout, setLayout] = useState({ query, shape, arrangement, viewportPx, topPx: 0 });
  const isOtherList = layout.query !== query;
  const isRearranged = layout.arrangement !== arrangement;
  // Without a viewport, there are no visible rows to keep.
  if (viewportPx > 0 && (isOtherList || isRearranged || layout.viewportPx !== viewportPx))
    setLayout({ query, shape, arrangement, viewportPx, topPx: isOtherList ? 0 : topAfterLayout() });

  /** Keeps the first visible row at the top, and the focused row visible unless the person scrolled away from it. */
  function topAfterLayout(): number {
    const { topPx, ...was } = layout;
    const oldMap = mapOf(was.shape, was.viewportPx);
    const oldLines = arrangeLines(was.shape, folderCount, total);
    const seen = visibleRows(oldMap, Math.min(topPx, toTop(oldMap, Infinity)));
    const first = lines.nearestLineOf(oldLines.startOf(seen.from));
    const topOfFirst = first === 0 ? 0 : topOfRow(map, first);
    const there = isRearranged ? topOfFirst : topPx;
    const cursorLine = oldLines.lineOf(cursor);
    const wasSeen = cursorLine >= seen.from && cursorLine < seen.to;
    return wasSeen ? topThatShows(map, there, lineOf(cursor)) : there;
  }

  const top = Math.min(layout.topPx, toTop(map, Infinity));
  const visible = visibleRows(map, top);
  const from = lines.startOf(visible.from);
  const to = lines.startOf(visible.to);

  const placeScrollbar = useEffectEvent(() => scrollTo(element.current, toScrollTop(map, top)));
  useLayoutEffect(() => placeScrollbar(), [query, arrangement, viewportPx]);

  useEffect(() => {
    if (viewportPx > 0) onShow(from, Math.max(to, from + Math.ceil(viewportPx / linePx) * perLine));
  }, [onShow, from, to, viewportPx, linePx, perLine]);

  /** @param at counted from the top */
  function reveal(at: number) {
    scrollToTop(topThatShows(map, top, lineOf(at)));
  }
  function scrollToTop(topPx: number) {
    if (topPx === top || viewportPx === 0) return;
    scrollTo(element.current, toScrollTop(map, topPx));
    setLayout({ ...layout, topPx });
  }
  // Scrolls to the cursor when it moves, or when its row opens.
  const opened = open !== null && open.index === lineOf(cursor) ? open.byPx : 0;
  const before = useRef({ cursor, cursorId, opened });
  useLayoutEffect(() => {
    if (!isOfThisList) return;
    const was = before.current;
    before.current = { cursor, cursorId, opened };
    const isSameRow = cursorId !== null && cursorId === was.cursorId;
    if (cursor !== was.cursor && isSameRow) {
      // Rows were added or removed above. Keep the visible rows in place, except at the very top, where new rows should be seen.
      const wasSeen = was.cursor >= from && was.cursor < to;
      const topOf = (index: number) => topOfRow({ ...map, open: null }, lineOf(index));
      if (wasSeen && top > 0) scrollToTop(Math.max(0, top + topOf(cursor) - topOf(was.cursor)));
    } else if (cursor !== was.cursor || opened > was.opened) reveal(cursor);
  });

  return {
    ref,
    widthPx,
    map,
    from,
    to,
    lines,
    shape,
    pageLines: Math.floor(viewportPx / linePx),
    /** Pixels between the top of the viewport and the first visible line. */
    offsetPx: topOfRow(map, visible.from) - top,
    reveal,
    onScroll: (scrollTopPx: number) => setLayout({ ...layout, topPx: toTop(map, scrollTopPx) }),
  };
}

function scrollTo(element: HTMLElement | null, scrollTopPx: number): void {
  if (element !== null) element.scrollTop = scrollTopPx;
}
