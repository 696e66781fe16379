/** Rows side by side, and the height of their line in pixels. */
export type Line = { perLine: number; linePx: number };

/** The lines of a list. Folders have their own, before those of the objects. */
export type Lines = Line & { folders: Line };

/** Layout of the rows of a list. Indices count from its first folder. */
export type GridLines = {
  /** Number of lines, and of lines with folders. */
  count: number;
  folderLines: number;
  lineOf: (index: number) => number;
  /** The line that begins nearest to a row. Rounding down would make the list creep back while the window is resized. */
  nearestLineOf: (index: number) => number;
  /** Index of the first row of a line, or the number of rows after the last line. */
  startOf: (line: number) => number;
  /** The row at the same position `lines` below (negative: above), or else the nearest one. */
  below: (index: number, lines: number) => number;
};

export function arrangeLines({ perLine, folders }: Lines, folderCount: number, total: number): GridLines {
  const folderLines = Math.ceil(folderCount / folders.perLine);
  const count = folderLines + Math.ceil((total - folderCount) / perLine);
  const lineOf = (index: number, round = Math.floor) =>
    index < folderCount
      ? round(index / folders.perLine)
      : folderLines + round((index - folderCount) / perLine);
  const startOf = (line: number) => {
    const start = line < folderLines ? line * folders.perLine : folderCount + (line - folderLines) * perLine;
    return Math.min(start, total);
  };
  const widthOf = (line: number) => (line < folderLines ? folders.perLine : perLine);

  function below(index: number, lines: number): number {
    const from = lineOf(index);
    const to = from + lines;
    if (to >= count) return total - 1;
    if (to < 0) return from === 0 ? index : 0;
    // Lines of folders and of objects differ in width: take the row under the middle.
    const middle = (index - startOf(from) + 0.5) / widthOf(from);
    return Math.min(startOf(to) + Math.floor(middle * widthOf(to)), startOf(to + 1) - 1);
  }
  return {
    count,
    folderLines,
    lineOf,
    nearestLineOf: (index) => lineOf(index, Math.round),
    startOf,
    below,
  };
}
