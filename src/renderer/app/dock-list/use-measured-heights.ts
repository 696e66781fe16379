import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';
import { rowAt, type WindowPage } from '../row-window.ts';
import type { HeightsByIndex } from './list-layout.ts';

/**
 * Measured heights in pixels: of rows by id, with the index where they were last rendered, and of expanded causes by name. A
 * height stays with its entry when others are inserted before it.
 */
export type Heights = {
  readonly rows: ReadonlyMap<number, { readonly index: number; readonly height: number }>;
  readonly causes: ReadonlyMap<string, number>;
};

export const noHeights: Heights = { rows: new Map(), causes: new Map() };

type Page = WindowPage<{ id: number }> | null;

/** Loaded rows count at their index in the page, others where they were last rendered. */
export function heightsByIndex({ rows }: Heights, page: Page): HeightsByIndex {
  const found = new Map<number, number>();
  for (const { index, height } of rows.values()) found.set(index, height);
  for (const [at, { id }] of page?.rows.entries() ?? []) {
    const measured = rows.get(id);
    const index = at + (page?.offset ?? 0);
    if (measured === undefined) found.delete(index);
    else found.set(index, measured.height);
  }
  return found;
}

/**
 * Measures entries that are as tall as their text before they are painted, and when their text or the width of the list changes.
 * Keeps the visible entries in place when the height of an entry at the upper edge changes.
 */
export function useMeasuredHeights(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  page: Page,
  placedAt: (index: number) => { top: number; height: number } | null,
  [heights, setHeights]: readonly [Heights, (heights: Heights) => void],
): void {
  /** Pixels to scroll once the list has its new height. */
  const owedPx = useRef(0);

  const measure = useEffectEvent(() => {
    const rows = new Map(heights.rows);
    const causes = new Map(heights.causes);
    let isChanged = false;
    const scrolledPx = scroller.current?.scrollTop ?? 0;
    for (const entry of measuredEntries(list.current)) {
      const height = entry.offsetHeight;
      // The list is hidden.
      if (height === 0) continue;
      const { entry: name = '' } = entry.dataset;
      const position = entry.getAttribute('aria-posinset');
      if (position === null) {
        const before = causes.get(name);
        if (before === height) continue;
        causes.set(name, height);
        // An entry that is partly in view grows and shrinks at its end.
        if (before !== undefined && entry.offsetTop + before <= scrolledPx) owedPx.current += height - before;
      } else {
        const index = Number(position) - 1;
        const row = rowAt(page, index);
        const place = placedAt(index);
        if (row === undefined || place === null) continue;
        const before = rows.get(row.id);
        if (before?.height === height && before.index === index) continue;
        // Reinserted, so that the newest row of an index comes last.
        rows.delete(row.id);
        rows.set(row.id, { index, height });
        if (place.top < scrolledPx) owedPx.current += height - place.height;
      }
      isChanged = true;
    }
    if (isChanged) setHeights({ rows, causes });
  });

  useLayoutEffect(() => {
    if (owedPx.current !== 0) scrollBy(scroller.current, owedPx.current);
    owedPx.current = 0;
    measure();
    const observer = new ResizeObserver(() => measure());
    for (const entry of measuredEntries(list.current)) observer.observe(entry);
    return () => observer.disconnect();
  });
}

function scrollBy(element: HTMLElement | null, px: number): void {
  if (element !== null) element.scrollTop += px;
}

/** The list's own entries whose height is not set by the layout. */
function measuredEntries(list: HTMLElement | null): HTMLElement[] {
  const entries = [...(list?.children ?? [])].filter((each) => each instanceof HTMLElement);
  return entries.filter((each) => each.style.height === '');
}
