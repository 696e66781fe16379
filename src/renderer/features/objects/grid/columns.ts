import { boundsOf } from '../../../../shared/domain/limits.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import {
  type Column,
  columnSchema,
  columnWidthSchema,
  type Settings,
} from '../../../../shared/domain/settings.ts';
import type { ObjectQuery, SortColumn } from '../../../../shared/domain/object.ts';

export type ShownColumn = { column: Column; widthPx: number };

export const { least: columnWidthMin, most: columnWidthMax } = boundsOf(columnWidthSchema);
const widthDefaultsPx: Record<Column, number> = {
  // "Gespeichert von" is the longest heading.
  storedBy: 90,
  classification: 86,
  size: 62,
  // Wide enough for a date with its year; all columns fit at 1280.
  stored: 83,
  checked: 83,
  // "Needs your answer" is the longest state.
  state: 136,
};
/** While no row has a state to say. */
const quietStatePx = 76;
/** For wide windows: whole classification names, and times beside dates. */
const widthRoomyPx: Record<Column, number> = {
  storedBy: 140,
  classification: 132,
  size: 72,
  stored: 132,
  checked: 132,
  state: 160,
};
/** Minimum width of a column that shows times beside dates. */
export const momentWidthPx = 120;
/** The other columns get their roomy widths only if the name keeps this width. */
const nameWidthRoomyPx = 480;

/** The columns of a list other than the name. */
export type GridColumns = {
  names: Readonly<Record<SortColumn, string>>;
  /** The columns that fit. @param gridPx 0: not measured yet */
  fit: (settings: ColumnSettings, gridPx: number) => ShownColumn[];
};

type ColumnSettings = Pick<Settings, 'hiddenColumns' | 'columnWidths'> & {
  /** All rows are as they should be: nothing is said about their state. */
  isQuiet?: boolean;
};

const gapPx = 8;
const edgesPx = 24;
/** Minimum width of the name. Below it, columns are hidden in the order of `givingWay`. */
const nameWidthMinPx = 222;
/** Lower with the column of who stored it, so that the date still fits at 1280. */
const nameWidthMinInTeamPx = 194;
const givingWay: readonly Column[] = ['checked', 'stored', 'storedBy', 'size'];

export const figureColumns: ReadonlySet<SortColumn> = new Set(['size', 'stored', 'checked']);

function nameWidth(shown: readonly ShownColumn[], gridPx: number): number {
  return shown.reduce((left, each) => left - each.widthPx - gapPx, gridPx - edgesPx);
}

/** Whether the name keeps its roomy width beside these columns. @param gridPx 0: not measured yet */
export function isRoomy(shown: readonly ShownColumn[], gridPx: number): boolean {
  return nameWidth(shown, gridPx) >= nameWidthRoomyPx;
}

/** How much wider a column can become before another is hidden, in pixels. @param gridPx 0: not measured yet */
export function spareWidth(shown: readonly ShownColumn[], gridPx: number): number {
  return gridPx === 0 ? Infinity : Math.max(0, nameWidth(shown, gridPx) - nameWidthMinPx);
}

/** The visible columns beside the name. @param gridPx 0: not measured yet @param kept is always visible */
export function columnsThatFit(settings: ColumnSettings, gridPx: number, kept?: Column): ShownColumn[] {
  const columns = columnSchema.options.filter(
    (column) => column === kept || !settings.hiddenColumns.includes(column),
  );
  const quiet = settings.isQuiet === true ? { state: quietStatePx } : {};
  const withWidths = (widthsPx: Record<Column, number>) => {
    const widths = { ...widthsPx, ...quiet, ...settings.columnWidths };
    return columns.map((column) => ({ column, widthPx: widths[column] }));
  };
  const usual = columns.map((column) => ({ column, widthPx: { ...widthRoomyPx, ...quiet }[column] }));
  if (isRoomy(usual, gridPx)) return withWidths(widthRoomyPx);
  return hideForName(
    withWidths(widthDefaultsPx),
    givingWay.filter((column) => column !== kept),
    columns.includes('storedBy') ? nameWidthMinInTeamPx : nameWidthMinPx,
    gridPx,
  );
}

/** Hides columns until the name has its minimum. @param gridPx 0: not measured yet */
function hideForName(
  columns: readonly ShownColumn[],
  inOrder: readonly Column[],
  nameMinPx: number,
  gridPx: number,
): ShownColumn[] {
  let shown = [...columns];
  for (const next of inOrder) {
    if (gridPx === 0 || nameWidth(shown, gridPx) >= nameMinPx) break;
    shown = shown.filter(({ column }) => column !== next);
  }
  return shown;
}

export const objectColumns: GridColumns = { names: objectTexts.column, fit: columnsThatFit };

/** The order after a press on a column. Names start ascending, sizes and times descending. */
export function nextSort(sort: ObjectQuery['sort'], column: SortColumn): ObjectQuery['sort'] {
  if (sort.column === column) {
    return { column, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' };
  }
  return { column, direction: figureColumns.has(column) ? 'descending' : 'ascending' };
}

export function clampColumnWidth(widthPx: number): number {
  return Math.round(Math.max(columnWidthMin, Math.min(widthPx, columnWidthMax)));
}

/** The deletion date is never hidden: people look for it here. No state column, because all objects are gone. */
const goneShown: readonly ShownColumn[] = [
  { column: 'classification', widthPx: 86 },
  { column: 'size', widthPx: 62 },
  { column: 'stored', widthPx: 83 },
  { column: 'checked', widthPx: 83 },
];
const goneGivingWay: readonly Column[] = ['stored', 'size', 'classification'];
const goneNameWidthMinPx = 232;

/** The last check of a gone object is the one that noticed its deletion. */
export const goneColumns: GridColumns = {
  get names() {
    return { ...objectTexts.column, ...objectTexts.goneColumn };
  },
  fit({ hiddenColumns, columnWidths }, gridPx) {
    const wanted = goneShown
      .filter(({ column }) => column === 'checked' || !hiddenColumns.includes(column))
      .map(({ column, widthPx }) => ({ column, widthPx: columnWidths[column] ?? widthPx }));
    return hideForName(wanted, goneGivingWay, goneNameWidthMinPx, gridPx);
  },
};
