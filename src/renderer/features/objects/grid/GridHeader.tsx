import { memo } from 'react';
import type { ObjectQuery, SortColumn } from '../../../../shared/domain/object.ts';
import type { Column, Settings } from '../../../../shared/domain/settings.ts';
import { useLanguage } from '../../../app/use-language.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { columnHeaderRole, rowGroupRole, rowRole } from '../../../ui/aria-roles.ts';
import { ColumnEdge } from './ColumnEdge.tsx';
import { clampColumnWidth, figureColumns, nextSort, type GridColumns, type ShownColumn } from './columns.ts';

export type HeaderProps = {
  sort: ObjectQuery['sort'];
  columns: readonly ShownColumn[];
  names: GridColumns['names'];
  columnWidths: Settings['columnWidths'];
  /** How much wider a column can become before another is hidden, in pixels. */
  sparePx: number;
  onSort: (sort: ObjectQuery['sort']) => void;
  /** `isFinal`: false during a drag. Omitted: widths are fixed. */
  onColumnWidths?: ((widths: Settings['columnWidths'], isFinal: boolean) => void) | undefined;
};

/** The column headings: a press sorts, the handle before a heading sets its width. */
export const GridHeader = memo(function GridHeader(props: HeaderProps) {
  useLanguage();
  const { sort, columns, names, columnWidths, sparePx, onSort, onColumnWidths } = props;

  function setWidth(column: Column, widthPx: number | null, isFinal: boolean) {
    const { [column]: _, ...others } = columnWidths;
    const widths = widthPx === null ? others : { ...others, [column]: clampColumnWidth(widthPx) };
    onColumnWidths?.(widths, isFinal);
  }

  const widest = ({ widthPx }: ShownColumn) => clampColumnWidth(widthPx + sparePx);

  function heading(column: SortColumn, edge?: ShownColumn) {
    const isSorted = sort.column === column;
    return (
      <span
        key={column}
        {...columnHeaderRole}
        aria-label={names[column]}
        aria-sort={isSorted ? sort.direction : 'none'}
        className={`object-head object-head--${column} ${figureColumns.has(column) ? 'figure' : ''}`}
      >
        {edge && (
          <ColumnEdge
            name={names[column]}
            widthPx={edge.widthPx}
            maxPx={widest(edge)}
            onWidth={(widthPx, isFinal) =>
              setWidth(edge.column, widthPx === null ? null : Math.min(widthPx, widest(edge)), isFinal)
            }
          />
        )}
        <button type="button" className="object-head__sort" onClick={() => onSort(nextSort(sort, column))}>
          {isSorted && <Icon name={sort.direction === 'ascending' ? 'up' : 'dn'} size={12} />}
          <span className="object-head__name">{names[column]}</span>
        </button>
      </span>
    );
  }

  return (
    <div {...rowGroupRole} className="objects-grid__head">
      <div {...rowRole} aria-rowindex={1} className="object-heads">
        {heading('identifier')}
        {columns.map((each) => heading(each.column, onColumnWidths && each))}
      </div>
    </div>
  );
});
