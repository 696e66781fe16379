import { pageLimitMax } from '../../../../shared/domain/object.ts';
import type { GridSize, Lines } from './use-grid-scroll.ts';

/** In pixels: the width that a tile has at least, the space between tiles, and that beside all of them. */
const tilePx = 128;
const gapPx = 8;
const besidePx = 24;
/** Height of a tile with the space below it: `.tile`. */
const linePx = 168;

/** As many tiles side by side as fit; on a huge screen fewer and wider ones, so that a page of rows fills it. */
export function linesOfTiles({ widthPx, heightPx }: GridSize): Lines {
  const fitting = Math.floor((widthPx - besidePx + gapPx) / (tilePx + gapPx));
  // The first and the last one are visible in part.
  const visibleLines = Math.ceil(heightPx / linePx) + 1;
  return { perLine: Math.max(1, Math.min(fitting, Math.floor(pageLimitMax / visibleLines))), linePx };
}
