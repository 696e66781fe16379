import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberedIdentifier } from './object-id.ts';

test.each([
  ['a/report.pdf', '/', 'a/report-2.pdf'],
  ['report', '/', 'report-2'],
  ['a.b/report', '/', 'a.b/report-2'],
  ['a/.service', '/', 'a/.service-2'],
  ['.service', '/', '.service-2'],
  ['a/x.tar.gz', '/', 'a/x.tar-2.gz'],
  ['a/report-2.pdf', '/', 'a/report-2-2.pdf'],
  ['a::b.c::d', '::', 'a::b.c::d-2'],
  ['a::.d', '::', 'a::.d-2'],
  ['a/', '/', 'a/-2'],
])('the identifier beside %s', (identifier, separator, expected) => {
  expect(numberedIdentifier(identifier, separator, 2)).toBe(expected);
});

test('a numbered identifier is new, differs for each number, and stays in its folder', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.integer({ min: 2, max: 999 }), (folder, name, number) => {
      const identifier = `${folder}/${name}`;
      const next = numberedIdentifier(identifier, '/', number);
      expect(next).not.toBe(identifier);
      expect(next).not.toBe(numberedIdentifier(identifier, '/', number + 1));
      expect(next.split('/').slice(0, -1)).toEqual(identifier.split('/').slice(0, -1));
    }),
  );
});
