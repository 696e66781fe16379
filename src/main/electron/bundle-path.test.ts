import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findInBundle } from './bundle-path.ts';

const folder = join('/opt', 'coffer', 'out', 'renderer');

test('finds files of the bundle, with their media type', () => {
  expect(findInBundle(folder, '/index.html')).toEqual({
    path: join(folder, 'index.html'),
    mediaType: 'text/html; charset=utf-8',
  });
  expect(findInBundle(folder, '/assets/a%20b.js')?.path).toBe(join(folder, 'assets', 'a b.js'));
});

test.each([
  '/',
  '/assets',
  '/../main/index.js',
  '/%2e%2e/main/index.js',
  '/..%2fmain%2findex.js',
  '/assets/..%2f..%2f..%2fmain/index.js',
  '/..\\main\\index.js',
  '/%5c..%5cmain/index.js',
  '/../renderer-other/index.html',
  '/a\0.js',
  '/%00.js',
  '/%ff.js',
  '/index.js.map',
  '/etc/passwd',
])('refuses %j', (path) => {
  expect(findInBundle(folder, path)).toBeNull();
});

test('never serves anything outside the folder', () => {
  const piece = fc.constantFrom('..', '.', '/', '%2f', '%2e', '\\', '%5c', 'a', 'index.html', '.js', '%00');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      // Most paths that leave the folder have no media type: so also with the name of a file.
      for (const path of [`/${pieces.join('')}`, `/${pieces.join('')}/index.html`]) {
        const found = findInBundle(folder, path);
        expect(found === null || found.path.startsWith(join(folder, '/'))).toBe(true);
      }
    }),
  );
});
