import { pageLimitMax } from '../../../../shared/domain/object.ts';
import type { Line, Lines } from './grid-lines.ts';
import type { GridSize } from './use-grid-scroll.ts';

/** In pixels: the space between tiles, and that beside all of them. */
const gapPx = 8;
const besidePx = 24;
/** In pixels: the least width of a tile, and its height with the space below it: `tiles.css`. */
const objectPx = { width: 128, height: 168 };
const folderPx = { width: 176, height: 52 };

/** As many tiles side by side as fit; on a huge screen fewer and wider ones, so that a page of rows fills it. */
export function linesOfTiles(size: GridSize): Lines {
  return { ...lineOf(size, objectPx), folders: lineOf(size, folderPx) };
}

function lineOf({ widthPx, heightPx }: GridSize, tilePx: typeof objectPx): Line {
  const fitting = Math.floor((widthPx - besidePx + gapPx) / (tilePx.width + gapPx));
  // The first and the last one are visible in part.
  const visibleLines = Math.ceil(heightPx / tilePx.height) + 1;
  const perLine = Math.max(1, Math.min(fitting, Math.floor(pageLimitMax / visibleLines)));
  return { perLine, linePx: tilePx.height };
}
