import { objectTexts } from '../../../i18n/object-texts.ts';
import type { Column } from '../../../../shared/domain/settings.ts';
import { hideForName, type GridColumns, type ShownColumn } from './columns.ts';

/** The deletion date is never hidden: people look for it here. No state column, because all objects are gone. */
const columns: readonly ShownColumn[] = [
  { column: 'classification', widthPx: 86 },
  { column: 'size', widthPx: 62 },
  { column: 'stored', widthPx: 83 },
  { column: 'checked', widthPx: 83 },
];
const givingWay: readonly Column[] = ['stored', 'size', 'classification'];
const nameWidthMinPx = 232;

/** The last check of a gone object is the one that noticed its deletion. */
export const goneColumns: GridColumns = {
  get names() {
    return { ...objectTexts.column, ...objectTexts.goneColumn };
  },
  fit({ hiddenColumns, columnWidths }, gridPx) {
    const wanted = columns
      .filter(({ column }) => column === 'checked' || !hiddenColumns.includes(column))
      .map(({ column, widthPx }) => ({ column, widthPx: columnWidths[column] ?? widthPx }));
    return hideForName(wanted, givingWay, nameWidthMinPx, gridPx);
  },
};
