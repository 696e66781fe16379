import { pageLimitMax } from '../../../../shared/domain/object.ts';
import type { Line, Lines } from './grid-lines.ts';
import type { GridSize } from './use-grid-scroll.ts';

/** In pixels: the gap between tiles, and the total padding at the sides. */
const gapPx = 8;
const besidePx = 24;
/** In pixels: minimum width of a tile, and its height including the gap below. See `tiles.css`. */
const objectPx = { width: 128, height: 168 };
const folderPx = { width: 176, height: 52 };

/** As many tiles side by side as fit; on a huge screen fewer and wider ones, so that a page of rows fills it. */
export function linesOfTiles(size: GridSize): Lines {
  return { ...lineOf(size, objectPx), folders: lineOf(size, folderPx) };
}

function lineOf({ widthPx, heightPx }: GridSize, tilePx: typeof objectPx): Line {
  const fitting = Math.floor((widthPx - besidePx + gapPx) / (tilePx.width + gapPx));
  // The first and the last line may be partly visible.
  const visibleLines = Math.ceil(heightPx / tilePx.height) + 1;
  const perLine = Math.max(1, Math.min(fitting, Math.floor(pageLimitMax / visibleLines)));
  return { perLine, linePx: tilePx.height };
}
