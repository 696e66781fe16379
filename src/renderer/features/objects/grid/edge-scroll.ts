/** Distance from a list's edge within which it scrolls, in px. */
const edgePx = 32;
/** At the edge itself, in px a second. */
const fastest = 900;
/** After a slow frame it doesn't jump, in ms. */
const longestFrameMs = 50;

/**
 * Scrolls a list of folders while something is dragged near its upper or lower edge, as the browser does in drags of its own.
 * @param pointOf where the pointer is; null: not over the window
 * @param onScrolled something else is under the pointer now
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

/** The nearest list with folders that has more than it shows. */
function scrollerAt({ x, y }: { x: number; y: number }): Element | null {
  for (let at = document.elementFromPoint(x, y); at !== null; at = at.parentElement) {
    const isLonger = at.scrollHeight > at.clientHeight;
    if (isLonger && /auto|scroll/.test(getComputedStyle(at).overflowY))
      return at.querySelector('[data-folder]') ? at : null;
  }
  return null;
}

/** The nearer to the edge, the faster; negative: up. */
function speedIn(list: Element, y: number): number {
  const { top, bottom } = list.getBoundingClientRect();
  const depth = (distance: number) => Math.max(0, 1 - Math.max(0, distance) / edgePx);
  return fastest * (depth(bottom - y) - depth(y - top));
}
