import { expect, it, vi } from 'vitest';
import { allocationRefused, limitAllocations } from './limit-allocations.ts';

function limited() {
  const scope = { ...globalThis, ArrayBuffer, Uint8Array, Uint8ClampedArray, Int8Array, Uint16Array };
  const more = { Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array, DecompressionStream };
  const all = { ...scope, ...more };
  const onRefused = vi.fn<(error: RangeError) => void>();
  limitAllocations(all, onRefused);
  return { ...all, onRefused };
}

it('refuses to allocate more than 256 MB at once, and says so', () => {
  const scope = limited();
  const limit = 256 * 1024 * 1024;
  expect(() => new scope.Uint8Array(limit + 1)).toThrow(allocationRefused);
  expect(() => new scope.ArrayBuffer(limit + 1)).toThrow(allocationRefused);
  expect(() => new scope.Float64Array(limit / 8 + 1)).toThrow(allocationRefused);
  expect(scope.onRefused).toHaveBeenCalledTimes(3);
});

it('leaves arrays as they are otherwise, and no native decompression', () => {
  const scope = limited();
  const bytes = new scope.Uint8Array([1, 2, 3]);
  expect(bytes).toBeInstanceOf(Uint8Array);
  expect(bytes).toBeInstanceOf(scope.Uint8Array);
  expect(new scope.Uint8Array(bytes.buffer, 1, 2)).toEqual(Uint8Array.of(2, 3));
  expect(scope.Uint8Array.from([4])).toEqual(Uint8Array.of(4));
  expect(scope.Float64Array.BYTES_PER_ELEMENT).toBe(8);
  class Own extends scope.Uint8Array {}
  expect(new Own(2)).toBeInstanceOf(Own);
  expect(scope).not.toHaveProperty('DecompressionStream');
});
