import { objectTexts } from '../../../i18n/object-texts.ts';
import type { Column } from '../../../../shared/domain/settings.ts';
import type { GridColumns, ShownColumn } from './columns.ts';

/** When it went always stays: that is what one looks for here. All of them are gone, so there is no state. */
const columns: readonly ShownColumn[] = [
  { column: 'classification', widthPx: 86 },
  { column: 'size', widthPx: 62 },
  { column: 'stored', widthPx: 83 },
  { column: 'checked', widthPx: 83 },
];
const givingWay: readonly Column[] = ['stored', 'size', 'classification'];
const nameWidthMinPx = 232;
const gapPx = 8;
const edgesPx = 24;

/** Of a gone object, the last time it was looked for is when the service did not find it any more. */
export const goneColumns: GridColumns = {
  names: objectTexts.goneColumn,
  fit({ hiddenColumns, columnWidths }, gridPx) {
    let shown = columns
      .filter(({ column }) => column === 'checked' || !hiddenColumns.includes(column))
      .map(({ column, widthPx }) => ({ column, widthPx: columnWidths[column] ?? widthPx }));
    for (const next of givingWay) {
      const nameWidthPx = shown.reduce((left, { widthPx }) => left - widthPx - gapPx, gridPx - edgesPx);
      if (gridPx === 0 || nameWidthPx >= nameWidthMinPx) break;
      shown = shown.filter(({ column }) => column !== next);
    }
    return shown;
  },
};
