import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { useBrowser } from '../browser-store.ts';
import { topOfRow, topThatShows, toScrollTop, toTop, visibleRows, type ScrollMap } from './scroll-map.ts';
import { useSize } from './use-size.ts';

/** The lines of a list: rows side by side, and the height of a line in pixels. */
export type Lines = { perLine: number; linePx: number };

type Options = {
  query: ObjectQuery;
  total: number;
  /** @param widthPx 0: not measured yet */
  linesFor: (widthPx: number) => Lines;
  /** Height of what is above the lines, in pixels. */
  headPx: number;
  /** A line that is taller than the others. */
  open: NonNullable<ScrollMap['open']> | null;
  /** Called when the visible rows change: `from` up to, not including, `to`. */
  onShow: (from: number, to: number) => void;
};

/** Scrolls a list, and follows its focused row. `from` up to, not including, `to` are the visible rows. */
export function useGridScroll({ query, total, linesFor, headPx, open, onShow }: Options) {
  const { cursor, cursorId } = useBrowser();
  const { ref, element, widthPx, heightPx } = useSize();
  const [scrolled, setScrolled] = useState({ query, topPx: 0 });

  const { perLine, linePx } = linesFor(widthPx);
  const viewportPx = Math.max(0, heightPx - headPx);
  const map: ScrollMap = { total: Math.ceil(total / perLine), rowPx: linePx, viewportPx, open };
  // A new list starts at its top.
  const top = scrolled.query === query ? Math.min(scrolled.topPx, toTop(map, Infinity)) : 0;
  const lines = visibleRows(map, top);
  const from = lines.from * perLine;
  const to = Math.min(lines.to * perLine, total);
  const lineOf = (index: number) => Math.floor(index / perLine);

  useLayoutEffect(() => {
    scrollTo(element.current, 0);
  }, [query, element]);

  useEffect(() => {
    if (viewportPx > 0) onShow(from, Math.max(to, from + Math.ceil(viewportPx / linePx) * perLine));
  }, [onShow, from, to, viewportPx, linePx, perLine]);

  function reveal(index: number) {
    scrollToTop(topThatShows(map, top, lineOf(index)));
  }
  function scrollToTop(shownTop: number) {
    if (shownTop === top || viewportPx === 0) return;
    scrollTo(element.current, toScrollTop(map, shownTop));
    setScrolled({ query, topPx: shownTop });
  }
  // Scrolls to the cursor when it moves, when its row opens, or when the lines or the viewport change and the row was visible; never
  // against a person who scrolled away.
  const opened = open !== null && open.index === lineOf(cursor) ? open.byPx : 0;
  const before = useRef({ cursor, cursorId, viewportPx, opened, perLine });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { cursor, cursorId, viewportPx, opened, perLine };
    const seenBefore = visibleRows({ ...map, viewportPx: was.viewportPx }, top);
    const lineBefore = Math.floor(was.cursor / was.perLine);
    const wasSeen = lineBefore >= seenBefore.from && lineBefore < seenBefore.to;
    const isResized = viewportPx !== was.viewportPx || perLine !== was.perLine;
    const isSameRow = cursorId !== null && cursorId === was.cursorId;
    if (cursor !== was.cursor && isSameRow) {
      // Rows were added or removed above. Keep the visible rows in place, except at the very top, where new rows should be seen.
      if (wasSeen && top > 0) scrollToTop(Math.max(0, top + (lineOf(cursor) - lineBefore) * linePx));
    } else if (cursor !== was.cursor || opened > was.opened || (isResized && wasSeen)) reveal(cursor);
  });

  return {
    ref,
    widthPx,
    map,
    from,
    to,
    perLine,
    pageLines: Math.floor(viewportPx / linePx),
    /** Pixels between the top of the viewport and the first visible line. */
    offsetPx: topOfRow(map, lines.from) - top,
    reveal,
    onScroll: (scrollTopPx: number) => setScrolled({ query, topPx: toTop(map, scrollTopPx) }),
  };
}

function scrollTo(element: HTMLElement | null, scrollTopPx: number): void {
  if (element !== null) element.scrollTop = scrollTopPx;
}
