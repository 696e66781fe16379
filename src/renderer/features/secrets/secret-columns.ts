import { secretTexts } from '../../i18n/secret-texts.ts';
import { isRoomy, type GridColumns, type ShownColumn } from '../objects/grid/columns.ts';

/** Classification and size are in the same place as in the list of objects. */
const columns: readonly ShownColumn[] = [
  { column: 'classification', widthPx: 86 },
  { column: 'size', widthPx: 62 },
  { column: 'stored', widthPx: 109 },
  { column: 'checked', widthPx: 110 },
];
const roomyColumns: readonly ShownColumn[] = [
  { column: 'classification', widthPx: 132 },
  { column: 'size', widthPx: 72 },
  { column: 'stored', widthPx: 146 },
  { column: 'checked', widthPx: 146 },
];
const tightBelowPx = 538;

/**
 * Secrets are only checked by using them. The last column contains the actions, and Stored also shows the state, so
 * both are never hidden.
 */
export const secretColumns: GridColumns = {
  names: secretTexts.column,
  fit(_settings, gridPx) {
    if (isRoomy(roomyColumns, gridPx)) return [...roomyColumns];
    return gridPx > 0 && gridPx < tightBelowPx
      ? columns.filter(({ column }) => column !== 'size')
      : [...columns];
  },
};
