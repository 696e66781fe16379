import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';
import { placeOf, type Heights, type ListLayout } from './list-layout.ts';

/**
 * Measures the drawn entries of measured groups before they are seen, and when their text or the width of the list changes. What is in
 * view stays where it is when an entry at its upper edge turns out shorter or taller.
 */
export function useMeasuredHeights(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  layout: ListLayout<string>,
  [heights, setHeights]: readonly [Heights, (heights: Heights) => void],
): void {
  /** How far to scroll once the list has its new height. */
  const owedPx = useRef(0);

  const measure = useEffectEvent(() => {
    const found = new Map<number, number>();
    for (const entry of measuredEntries(list.current)) {
      const index = Number(entry.getAttribute('aria-posinset')) - 1;
      const place = placeOf(layout, index);
      // 0: the list is hidden.
      if (place === null || entry.offsetHeight === 0 || entry.offsetHeight === place.height) continue;
      found.set(index, entry.offsetHeight);
      if (place.top < (scroller.current?.scrollTop ?? 0)) owedPx.current += entry.offsetHeight - place.height;
    }
    if (found.size > 0) setHeights(new Map([...heights, ...found]));
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

/** The entries to which their place gives no height. */
function measuredEntries(list: HTMLElement | null): HTMLElement[] {
  const entries = [...(list?.children ?? [])].filter((each) => each instanceof HTMLElement);
  return entries.filter((each) => each.hasAttribute('aria-posinset') && each.style.height === '');
}
