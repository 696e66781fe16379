/**
 * Walks along the groups of a list and says which entries of each are on a page.
 * @returns takes the number of entries of the next group; `from` up to, not including, `to`
 */
export function walkPage(offset: number, limit: number): (count: number) => { from: number; to: number } {
  let skip = offset;
  let left = limit;
  return (count) => {
    const from = Math.min(skip, count);
    const to = Math.min(from + left, count);
    skip -= from;
    left -= to - from;
    return { from, to };
  };
}
