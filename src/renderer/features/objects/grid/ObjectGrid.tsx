import { useMemo, useState, type MouseEvent } from 'react';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { gridId } from '../../../app/grid.ts';
import { runCommand } from '../../../app/commands.ts';
import { useNow } from '../../../app/use-now.ts';
import { rowGroupRole } from '../../../ui/aria-roles.ts';
import { useBrowser } from '../state/browser-store.ts';
import { spareWidth } from './columns.ts';
import { GridHeader } from './GridHeader.tsx';
import type { GridProps } from './grid-props.ts';
import { rowId, rowIndex } from './ObjectRowView.tsx';
import { countsSeconds, isInOrder } from '../state/row-state.ts';
import { scrollHeight } from './scroll-map.ts';
import { linesOfTiles } from './ObjectTile.tsx';
import { countSelected, isSelected, onlyFolder, onlyId } from '../state/selection.ts';
import { useSlowPress } from './RenameField.tsx';
import { useGridKeys } from './use-grid-keys.ts';
import { useGridScroll, type GridSize } from './use-grid-scroll.ts';

/** Height of the column headings above the scrolled rows: `--bar-columns`. */
const headPx = 28;

/** Interval in ms for updating "5 min ago". */
const agoStepMs = 10_000;

/**
 * A list of any length. The visible rows are in a layer that stays in view and is positioned by the scroll offset:
 * scrolling never shows blank space, and a million rows need no more elements than fit on screen.
 */
export function ObjectGrid(props: GridProps) {
  const { query, settings, rowAt, folders, onShow, Row, isTiled = false, open = null } = props;
  const folderCount = folders?.count ?? 0;
  const total = folderCount + props.total;
  const selection = useBrowser((browser) => browser.selection);
  const selectedFolders = useBrowser((browser) => browser.folders);
  const cursor = useBrowser((browser) => browser.cursor);
  const cursorId = useBrowser((browser) => browser.cursorId);

  const rowPx = settings.density === 'compact' ? 28 : 32;
  const rowLine = { perLine: 1, linePx: rowPx };
  const linesFor = (size: GridSize) => (isTiled ? linesOfTiles(size) : { ...rowLine, folders: rowLine });
  const { ref, map, from, to, lines, shape, pageLines, widthPx, offsetPx, reveal, onScroll } = useGridScroll({
    query,
    total,
    folderCount,
    linesFor,
    headPx: isTiled ? 0 : headPx,
    open,
    onShow,
  });
  const isCounting = indicesOf(Math.max(from, folderCount), to).some((at) =>
    countsSeconds(rowAt(at - folderCount)),
  );
  const nowMs = useNow(isCounting ? 1000 : agoStepMs);
  const { hiddenColumns, columnWidths } = settings;
  const objects = indicesOf(Math.max(from, folderCount), to).flatMap((at) => rowAt(at - folderCount) ?? []);
  const isLoud = useOnceTrue(
    query,
    objects.some((row) => !isInOrder(row, nowMs)),
  );
  const isOfSeveral = useOnceTrue(
    query,
    query.sort.column === 'storedBy' || objects.some(({ storedBy }) => storedBy !== undefined),
  );
  const { fit } = props.columns;
  const columns = useMemo(() => {
    const hidden = isOfSeveral ? hiddenColumns : [...hiddenColumns, 'storedBy' as const];
    return fit({ hiddenColumns: hidden, columnWidths, isQuiet: !isLoud }, widthPx);
  }, [fit, hiddenColumns, columnWidths, widthPx, isLoud, isOfSeveral]);

  /** If the object cannot be opened, shows its details. */
  function openRow() {
    const { cursor: at } = useBrowser.getState();
    const folder = folders?.at(at);
    if (at < 0) {
      if (folder !== undefined) folders?.onOpen(folder.path);
    } else if (props.onOpen !== undefined) props.onOpen();
    else if (!runCommand('open')) runCommand('details');
  }

  const keys = useGridKeys(props, { lines, pageLines, reveal }, { row: openRow, menu: props.onMenu });

  const slow = useSlowPress(() => props.onRename?.());

  /** Whether this row alone is selected, in a list that has the focus. */
  function isOnlyOne(index: number): boolean {
    if (document.activeElement?.id !== gridId || index !== cursor) return false;
    const folder = folders?.at(index);
    return index < 0
      ? folder !== undefined &&
          onlyFolder(selectedFolders, countSelected(selection, props.total)) === folder.path
      : selectedFolders.size === 0 && onlyId(selection) !== null && onlyId(selection) === rowAt(index)?.id;
  }

  function press(event: MouseEvent) {
    slow.release(event);
    const index = rowIndex(event.target);
    if (index === null) return;
    props.onPress(index, { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey });
  }

  function openMenu(event: MouseEvent) {
    const index = rowIndex(event.target);
    if (index === null) return;
    event.preventDefault();
    props.onMenu(index, { x: event.clientX, y: event.clientY });
  }

  function foldersBetween(first: number, end: number) {
    if (folders === undefined) return null;
    return indicesOf(first, Math.min(end, folderCount)).map((at) => {
      const index = at - folderCount;
      const folder = folders.at(index);
      return (
        <folders.Row
          key={index}
          folder={folder}
          index={index}
          rowIndex={at}
          columns={columns}
          nowMs={nowMs}
          isSelected={folder !== undefined && selectedFolders.has(folder.path)}
          isCursor={isCursor(index)}
        />
      );
    });
  }

  function objectsBetween(first: number, end: number) {
    return indicesOf(Math.max(first, folderCount), end).map((at) => {
      const index = at - folderCount;
      const row = rowAt(index);
      return (
        <Row
          key={index}
          row={row}
          index={index}
          rowIndex={at}
          columns={columns}
          separator={props.separator}
          folder={folder}
          nowMs={nowMs}
          isSelected={row !== undefined && isSelected(selection, row.id)}
          isCursor={isCursor(index)}
        />
      );
    });
  }

  // While another row is temporarily at this index, it is not focused.
  const isCursor = (index: number) =>
    index === cursor && (cursorId === null || rowAt(index)?.id === cursorId);
  const cursorAt = cursor + folderCount;
  const isLoaded = (cursor < 0 ? folders?.at(cursor) : rowAt(cursor)) !== undefined;
  const isCursorSeen = cursorAt >= from && cursorAt < to && isLoaded && isCursor(cursor);
  const folder = query.place.kind === 'folder' ? query.place.path : '';
  return (
    <div
      ref={ref}
      id={gridId}
      role="grid"
      aria-label={props.label}
      aria-multiselectable="true"
      aria-rowcount={isTiled ? total : total + 1}
      aria-colcount={isTiled ? 1 : columns.length + 1}
      aria-busy={props.isBusy}
      aria-activedescendant={isCursorSeen ? rowId(cursor) : undefined}
      tabIndex={0}
      className={`objects-grid ${isTiled ? 'objects-grid--tiles' : ''}`}
      style={{
        ['--object-columns' as string]: columns.map((each) => `${each.widthPx}px`).join(' '),
        ['--tiles' as string]: shape.perLine,
        ['--folder-tiles' as string]: shape.folders.perLine,
      }}
      onFocus={(event) => event.target === event.currentTarget && useBrowser.setState({ isHeld: true })}
      onBlur={keys.onBlur}
      onKeyDown={(event) => {
        slow.forget();
        keys.onKeyDown(event);
      }}
      onClick={press}
      onDoubleClick={(event) => {
        slow.forget();
        if (rowIndex(event.target) !== null) openRow();
      }}
      onContextMenu={openMenu}
      onPointerDown={(event) => {
        const index = rowIndex(event.target);
        slow.press(event, index !== null && isOnlyOne(index));
        if (index !== null) props.onGrab?.(index, event);
      }}
      // Prevents the browser's own drag of a thumbnail.
      onDragStart={(event) => event.preventDefault()}
      onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
    >
      {!isTiled && (
        <GridHeader
          sort={query.sort}
          columns={columns}
          names={props.columns.names}
          columnWidths={columnWidths}
          sparePx={spareWidth(columns, widthPx)}
          onSort={props.onSort}
          onColumnWidths={props.onColumnWidths}
        />
      )}
      <div {...rowGroupRole}>
        <div className="objects-grid__length" style={{ height: scrollHeight(map) }}>
          <div className="objects-grid__layer" style={{ height: map.viewportPx }}>
            <div className="objects-grid__rows" style={{ transform: `translateY(${offsetPx}px)` }}>
              {from < folderCount && <div className="objects-grid__folders">{foldersBetween(from, to)}</div>}
              <div className="objects-grid__objects">{objectsBetween(from, to)}</div>
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}

/** Whether it was true once since this list was opened: columns appear, but do not come and go with each row. */
function useOnceTrue(query: ObjectQuery, isTrue: boolean): boolean {
  const [seenIn, setSeenIn] = useState<ObjectQuery | null>(null);
  if (isTrue && seenIn !== query) setSeenIn(query);
  return isTrue || seenIn === query;
}

function indicesOf(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
