import { expect, it } from 'vitest';
import { settingsDefault, type Column } from '../../../../shared/domain/settings.ts';
import { columnsThatFit } from './columns.ts';

const widthsAt = (gridPx: number, columnWidths = {}, hiddenColumns: Column[] = ['checked', 'storedBy']) =>
  Object.fromEntries(
    columnsThatFit({ hiddenColumns, columnWidths }, gridPx).map(({ column, widthPx }) => [column, widthPx]),
  );

it('by default hides only the column of the last check', () => {
  expect(columnsThatFit(settingsDefault, 1600).map(({ column }) => column)).toEqual([
    'storedBy',
    'classification',
    'size',
    'stored',
    'state',
  ]);
});

it('widens the columns if the name has enough room', () => {
  const usual = { classification: 86, size: 62, stored: 83, state: 136 };
  const roomy = { classification: 132, size: 72, stored: 132, state: 160 };
  expect(widthsAt(736)).toEqual(usual);
  expect(widthsAt(1031)).toEqual(usual);
  expect(widthsAt(1032)).toEqual(roomy);
  expect(widthsAt(1032, { state: 300 })).toEqual({ ...roomy, state: 300 });
});

it('has room for the heading of who stored it in German', () => {
  expect(widthsAt(736, {}, ['checked'])).toMatchObject({ storedBy: 90 });
});

it('keeps the date beside who stored it at 1280, by shrinking the name a little', () => {
  expect(Object.keys(widthsAt(715, {}, ['checked']))).toEqual([
    'storedBy',
    'classification',
    'size',
    'stored',
    'state',
  ]);
  expect(Object.keys(widthsAt(680, {}, ['checked']))).not.toContain('stored');
});

it('keeps a narrow column for states while there is none to say', () => {
  const widths = (columnWidths = {}, gridPx = 736) =>
    columnsThatFit({ hiddenColumns: [], columnWidths, isQuiet: true }, gridPx).find(
      ({ column }) => column === 'state',
    )?.widthPx;
  expect(widths()).toBe(76);
  expect(widths({}, 1600)).toBe(76);
  expect(widths({ state: 200 })).toBe(200);
});
