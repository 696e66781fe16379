import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitFolder, splitIdentifier } from './identifier-parts.ts';

describe('identifier parts', () => {
  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('/', ':', '::'), (identifier, separator) => {
        const { folder, leaf } = splitIdentifier(identifier, separator);
        expect(folder + leaf).toBe(identifier);
        expect(leaf === '').toBe(identifier === '');
      }),
    );
  });

  it('shortens a folder by whole segments', () => {
    const shortest = (length: number) =>
      fitFolder('reports/2026/q2/final/', '/', (folder) => folder.length <= length);
    expect(shortest(22)).toBe('reports/2026/q2/final/');
    expect(shortest(21)).toBe('reports/…/q2/final/');
    expect(shortest(16)).toBe('reports/…/final/');
    expect(shortest(12)).toBe('reports/…/');
    expect(shortest(5)).toBe('…/');
    expect(shortest(1)).toBe('');
  });

  it('never answers what does not fit', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), fc.nat(60), (segments, length) => {
        const folder = segments.map((segment) => `${segment}/`).join('');
        expect(fitFolder(folder, '/', (each) => each.length <= length).length).toBeLessThanOrEqual(length);
      }),
    );
  });
});
