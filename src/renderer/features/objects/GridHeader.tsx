import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { alongLine, inlineKey } from '../../app/inline-key.ts';
import type { ObjectQuery, SortColumn } from '../../../shared/domain/object.ts';
import type { Column, Settings } from '../../../shared/domain/settings.ts';
import { Icon } from '../../ui/Icon.tsx';
import { columnHeaderRole, rowGroupRole, rowRole } from '../../ui/aria-roles.ts';
import { clampColumnWidth, figureColumns, type GridColumns, type ShownColumn } from './columns.ts';

export type HeaderProps = {
  sort: ObjectQuery['sort'];
  columns: readonly ShownColumn[];
  names: GridColumns['names'];
  columnWidths: Settings['columnWidths'];
  onSort: (sort: ObjectQuery['sort']) => void;
  /** `isFinal`: not on the way of a drag. Without it the widths stay. */
  onColumnWidths?: ((widths: Settings['columnWidths'], isFinal: boolean) => void) | undefined;
};

const stepPx = 8;

/** Sorts by a press on a heading; sets widths by dragging a heading's first edge, or with Shift and the arrow keys. */
export function GridHeader(props: HeaderProps) {
  const { sort, columns, names, columnWidths, onSort, onColumnWidths } = props;
  const [dragging, setDragging] = useState<{ column: Column; fromX: number; fromPx: number } | null>(null);

  function setWidth(column: Column, widthPx: number, isFinal: boolean) {
    onColumnWidths?.({ ...columnWidths, [column]: clampColumnWidth(widthPx) }, isFinal);
  }

  function heading(column: SortColumn, edge?: ShownColumn) {
    const isSorted = sort.column === column;
    const resizeByKey = (event: KeyboardEvent) => {
      const way = inlineKey(event.key);
      if (!edge || way === null || !event.shiftKey) return;
      event.preventDefault();
      setWidth(edge.column, edge.widthPx + (way === 'start' ? stepPx : -stepPx), true);
    };
    return (
      <span
        key={column}
        {...columnHeaderRole}
        aria-sort={isSorted ? sort.direction : 'none'}
        className={`object-head object-head--${column} ${figureColumns.has(column) ? 'figure' : ''}`}
      >
        {edge && (
          <span
            className="object-head__edge"
            onPointerDown={(event) => startDragging(event, edge)}
            onPointerMove={(event) => drag(event, false)}
            onPointerUp={(event) => drag(event, true)}
            onPointerCancel={(event) => drag(event, true)}
          />
        )}
        <button
          type="button"
          className="object-head__sort"
          aria-keyshortcuts={edge && 'Shift+ArrowLeft Shift+ArrowRight'}
          onClick={() => onSort(nextSort(sort, column))}
          onKeyDown={resizeByKey}
        >
          {isSorted && <Icon name={sort.direction === 'ascending' ? 'up' : 'dn'} size={12} />}
          {names[column]}
        </button>
      </span>
    );
  }

  function startDragging(event: PointerEvent, { column, widthPx }: ShownColumn) {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragging({ column, fromX: event.clientX, fromPx: widthPx });
  }

  function drag(event: PointerEvent, isFinal: boolean) {
    if (dragging === null) return;
    setWidth(dragging.column, dragging.fromPx + alongLine(dragging.fromX - event.clientX), isFinal);
    if (isFinal) setDragging(null);
  }

  return (
    <div {...rowGroupRole} className="objects-grid__head">
      <div {...rowRole} aria-rowindex={1} className="object-heads">
        {heading('identifier')}
        {columns.map((each) => heading(each.column, onColumnWidths && each))}
      </div>
    </div>
  );
}

/** Names go up first; sizes and times go down first. */
function nextSort(sort: ObjectQuery['sort'], column: SortColumn): ObjectQuery['sort'] {
  if (sort.column === column) {
    return { column, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' };
  }
  return { column, direction: figureColumns.has(column) ? 'descending' : 'ascending' };
}
