import type { Lines } from './use-grid-scroll.ts';

/** In pixels: the width that a tile has at least, the space between tiles, and that beside all of them. */
const tilePx = 128;
const gapPx = 8;
const besidePx = 24;
/** Height of a tile with the space below it: `.tile`. */
const linePx = 168;

/** As many tiles side by side as fit. @param widthPx 0: not measured yet */
export function linesOfTiles(widthPx: number): Lines {
  return { perLine: Math.max(1, Math.floor((widthPx - besidePx + gapPx) / (tilePx + gapPx))), linePx };
}
