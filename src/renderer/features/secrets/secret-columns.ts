import { secretTexts } from '../../i18n/secret-texts.ts';
import type { GridColumns, ShownColumn } from '../objects/grid/columns.ts';

const columns: readonly ShownColumn[] = [
  { column: 'classification', widthPx: 88 },
  { column: 'size', widthPx: 60 },
  { column: 'stored', widthPx: 114 },
  { column: 'checked', widthPx: 108 },
];
const tightBelowPx = 538;

/**
 * A secret is checked by using it. The last column contains the actions, and Stored also shows the state: these
 * always stay.
 */
export const secretColumns: GridColumns = {
  names: secretTexts.column,
  fit: (_settings, gridPx) =>
    gridPx > 0 && gridPx < tightBelowPx ? columns.filter(({ column }) => column !== 'size') : [...columns],
};
