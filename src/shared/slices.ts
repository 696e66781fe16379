/** The items in their order, at most `size` of them at a time. */
export function* slicesOf<T>(items: ArrayLike<T>, size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size)
    yield Array.prototype.slice.call(items, start, start + size);
}
