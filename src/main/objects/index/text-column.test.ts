import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldText } from '../../../shared/domain/search.ts';
import { encodeNeedle, TextColumn } from './text-column.ts';

const letter = fc.constantFrom('a', 'b', 'é', '日');
const text = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''));
const piece = fc.array(letter, { minLength: 1, maxLength: 2 }).map((letters) => letters.join(''));

it('finds pieces in order within one field, like a plain search of each field', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(), text), { maxLength: 4 }),
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      (rows, changes, pieces) => {
        const column = new TextColumn();
        for (const [slot, fields] of rows.entries()) column.set(slot, fields);
        for (const [n, field] of changes) {
          rows[n % rows.length] = [field];
          column.set(n % rows.length, [field]);
        }
        const expression = new RegExp(pieces.join('.*'), 'u');
        const wanted = rows.map((fields) =>
          fields.some((field) => expression.test(foldText(field))) ? 1 : 0,
        );
        const needles = pieces.map((each) => encodeNeedle(each));
        const found = new Uint8Array(rows.length);
        const hits = column.scan(needles, found);
        expect([...found]).toEqual(wanted);
        expect(hits).toBe(wanted.filter((mark) => mark === 1).length);
        const again = new Uint8Array(rows.length);
        const within = Uint8Array.from(rows, (_, slot) => (slot % 3 === 0 ? 1 : 0));
        column.scanWithin(needles, within, again);
        expect([...again]).toEqual(wanted.map((mark, slot) => (slot % 3 === 0 ? mark : 0)));
      },
    ),
    { numRuns: 500 },
  );
});

it('finds texts on both sides of a segment boundary, even after a change', () => {
  const column = new TextColumn();
  const rows = 16_384 * 2 + 3;
  const wanted = new Map([16_383, 16_384, 16_385, 16_384 * 2].map((slot) => [slot, `row-${String(slot)}`]));
  for (let slot = 0; slot < rows; slot += 1) column.set(slot, [wanted.get(slot) ?? '-']);
  const find = (needle: string): number[] => {
    const mask = new Uint8Array(rows);
    column.scan([encodeNeedle(needle)], mask);
    return [...mask.keys()].filter((slot) => mask[slot] === 1);
  };
  expect(find('row-')).toEqual([...wanted.keys()]);
  column.set(16_383, ['-']);
  column.set(16_000, ['row-moved']);
  column.set(rows - 1, ['row-last']);
  expect(find('row-')).toEqual([16_000, 16_384, 16_385, 16_384 * 2, rows - 1]);
  const within = new Uint8Array(rows).fill(1, 16_384, 16_386);
  const found = new Uint8Array(rows);
  column.scanWithin([encodeNeedle('row-')], within, found);
  expect([...found.keys()].filter((slot) => found[slot] === 1)).toEqual([16_384, 16_385]);
});
