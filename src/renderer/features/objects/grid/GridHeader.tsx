import { type KeyboardEvent, memo, type PointerEvent, useState } from 'react';
import type { ObjectQuery, SortColumn } from '../../../../shared/domain/object.ts';
import type { Column, Settings } from '../../../../shared/domain/settings.ts';
import { alongLine, inlineKey } from '../../../app/key-bindings.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { useLanguage } from '../../../app/use-language.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { columnHeaderRole, rowGroupRole, rowRole } from '../../../ui/aria-roles.ts';
import {
  clampColumnWidth,
  columnWidthMin,
  figureColumns,
  type GridColumns,
  nextSort,
  type ShownColumn,
} from './columns.ts';

const texts = objectTexts.columns;

const stepPx = 8;

type Props = {
  /** Name of the column. */
  name: string;
  widthPx: number;
  maxPx: number;
  /** null: the default width. `isFinal`: false during a drag. */
  onWidth: (widthPx: number | null, isFinal: boolean) => void;
};

/** The handle before a heading that sets the column's width, with the pointer or the arrow keys. */
function ColumnEdge({ name, widthPx, maxPx, onWidth }: Props) {
  const [dragging, setDragging] = useState<{ fromX: number; fromPx: number } | null>(null);

  function takeKey(event: KeyboardEvent) {
    const way = inlineKey(event.key);
    if (way !== null) onWidth(widthPx + (way === 'start' ? stepPx : -stepPx), true);
    else if (event.key === 'Home') onWidth(columnWidthMin, true);
    else if (event.key === 'End') onWidth(maxPx, true);
    else if (event.key === 'Enter') onWidth(null, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function startDragging(event: PointerEvent) {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragging({ fromX: event.clientX, fromPx: widthPx });
  }

  function drag(event: PointerEvent, isFinal: boolean) {
    if (dragging === null) return;
    const byPx = alongLine(dragging.fromX - event.clientX);
    if (byPx !== 0 || widthPx !== dragging.fromPx) onWidth(dragging.fromPx + byPx, isFinal);
    if (isFinal) setDragging(null);
  }

  const control = { onKeyDown: takeKey, onDoubleClick: () => onWidth(null, true) };
  return (
    <span
      {...edgeRole}
      {...control}
      aria-label={texts.width({ column: name })}
      aria-valuenow={widthPx}
      aria-valuemin={columnWidthMin}
      aria-valuemax={maxPx}
      aria-valuetext={texts.pixels({ count: widthPx })}
      title={texts.resize}
      className="object-head__edge"
      onPointerDown={startDragging}
      onPointerMove={(event) => drag(event, false)}
      onPointerUp={(event) => drag(event, true)}
      onPointerCancel={(event) => drag(event, true)}
    />
  );
}

/** A movable separator is a control, which `hr` is not. */
const edgeRole = { role: 'separator', 'aria-orientation': 'vertical', tabIndex: 0 } as const;

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
