/**
 * Finds which entries of each group of a list are on a page.
 * @returns call it for each group in turn, with its number of entries; `to` is exclusive
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
