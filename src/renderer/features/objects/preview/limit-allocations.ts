/*
 * Limits what PDF.js allocates at once, in its parser's thread. It doubles the buffers that it decompresses into, and a thread that is ended
 * goes on for seconds: without this, 400 KB of PDF take more than a gigabyte before the page's limit (memory-limit.ts) has an effect.
 */

/** The pixels of the largest image, at four bytes each, fit in. */
const maxBytes = 256 * 1024 * 1024;

/** The message of the error. */
export const allocationRefused = 'A preview may not allocate as much at once';

const names = [
  'ArrayBuffer', 'Uint8Array', 'Uint8ClampedArray', 'Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array',
  'Float32Array', 'Float64Array',
]; // oxfmt-ignore

/** @param onRefused PDF.js goes on after many errors, with a page that lacks what could not be read */
export function limitAllocations(
  scope: Record<string, unknown>,
  onRefused: (error: RangeError) => void,
): void {
  for (const name of names) {
    const original = scope[name] as { new (...values: unknown[]): object; BYTES_PER_ELEMENT?: number };
    scope[name] = new Proxy(original, {
      construct(target, values, newTarget) {
        const [length] = values as unknown[];
        if (typeof length === 'number' && length * (target.BYTES_PER_ELEMENT ?? 1) > maxBytes) {
          const error = new RangeError(allocationRefused);
          onRefused(error);
          throw error;
        }
        return Reflect.construct(target, values, newTarget) as object;
      },
    });
  }
  // Decompresses all at once, natively. PDF.js has an inflater of its own.
  delete scope['DecompressionStream'];
}
