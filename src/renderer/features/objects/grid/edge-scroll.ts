/** Distance from a list's edge within which it scrolls, in px. */
const edgePx = 32;
/** Speed at the edge itself, in px per second. */
const fastest = 900;
/** Limit for slow frames, in ms, so that the list does not jump. */
const longestFrameMs = 50;

/**
 * Scrolls a list of folders during a drag near its upper or lower edge, as the browser does in native drags.
 * @param pointOf position of the pointer; null: outside the window
 * @param onScrolled called because another folder may be under the pointer
 */
export function scrollAtEdges(
  pointOf: () => { x: number; y: number } | null,
  onScrolled: () => void,
  signal: AbortSignal,
): void {
  let lastMs = performance.now();
  function scroll(nowMs: number): void {
    if (signal.aborted) return;
    const frameMs = Math.min(nowMs - lastMs, longestFrameMs);
    lastMs = nowMs;
    const point = pointOf();
    const list = point && scrollerAt(point);
    if (list) {
      const before = list.scrollTop;
      list.scrollTop += Math.round((speedIn(list, point.y) * frameMs) / 1000);
      if (list.scrollTop !== before) onScrolled();
    }
    requestAnimationFrame(scroll);
  }
  requestAnimationFrame(scroll);
}

/** The scrollable list at this point, if it contains folders. */
function scrollerAt({ x, y }: { x: number; y: number }): Element | null {
  for (let at = document.elementFromPoint(x, y); at !== null; at = at.parentElement) {
    const isLonger = at.scrollHeight > at.clientHeight;
    if (isLonger && /auto|scroll/.test(getComputedStyle(at).overflowY))
      return at.querySelector('[data-folder]') ? at : null;
  }
  return null;
}

/** Px per second, rising towards the edge; negative: up. */
function speedIn(list: Element, y: number): number {
  const { top, bottom } = list.getBoundingClientRect();
  const depth = (distance: number) => Math.max(0, 1 - Math.max(0, distance) / edgePx);
  return fastest * (depth(bottom - y) - depth(y - top));
}
