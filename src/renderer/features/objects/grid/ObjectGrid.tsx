import {
  useEffect,
  useRef,
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import { focusGrid, gridId } from '../../../app/grid.ts';
import { alongLine, inlineKey, inlineStart } from '../../../app/inline-key.ts';
import type { ObjectRow } from '../../../../shared/contract.ts';
import type { FolderRow, ObjectQuery } from '../../../../shared/domain/object.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import { isPressed, listKeys, type Press } from '../../../../shared/keys.ts';
import { commandOf } from '../../../app/key-bindings.ts';
import { runCommand } from '../../../app/commands.ts';
import { useNow } from '../../../app/use-now.ts';
import { rowGroupRole } from '../../../ui/aria-roles.ts';
import { useBrowser } from '../browser-store.ts';
import { spareWidth, type GridColumns } from './columns.ts';
import type { FolderRowProps } from './FolderRowView.tsx';
import { GridHeader, type HeaderProps } from './GridHeader.tsx';
import { readKey, soughtName, typeOn, type Intent, type Typed } from './grid-keys.ts';
import { rowId, rowIndex, type RowProps } from './ObjectRowView.tsx';
import { scrollHeight, type ScrollMap } from './scroll-map.ts';
import { linesOfTiles } from './tiles.ts';
import { isSelected } from '../selection/selection.ts';
import { useGridScroll, type GridSize } from './use-grid-scroll.ts';

export type Point = { x: number; y: number };

export type GridProps = Pick<HeaderProps, 'onSort' | 'onColumnWidths'> & {
  /** The accessible name. */
  label: string;
  columns: GridColumns;
  Row: ComponentType<RowProps>;
  /** Several rows side by side, without column headings. */
  isTiled?: boolean;
  /** A row that is taller than the others. */
  open?: ScrollMap['open'];
  query: ObjectQuery;
  total: number;
  /** The folders above the rows, with negative indices up to -1. Omitted: none. */
  folders?: FolderRows;
  rowAt: (index: number) => ObjectRow | undefined;
  separator: string;
  settings: Pick<Settings, 'density' | 'hiddenColumns' | 'columnWidths'>;
  isBusy: boolean;
  /** Called when the visible rows change: `from` up to, not including, `to`, counted from the first folder. */
  onShow: (from: number, to: number) => void;
  onIntent: (intent: Intent) => void;
  /** Moves to the next row, starting after `from`, whose name begins with `typed`. */
  onSeek: (sought: { typed: string; from: number }) => void;
  /** Shows the focused row large; omitted: it cannot be shown. */
  onLook?: () => void;
  /** Leaves to what is above the list; omitted: nothing is. */
  onLeave?: () => void;
  onPress: (index: number, modifiers: { shift: boolean; ctrl: boolean }) => void;
  /** Called when a button goes down on a row. Omitted: rows cannot be dragged. */
  onGrab?: (index: number, event: PointerEvent) => void;
  /** Opens the menu of a row, at a point of the window. */
  onMenu: (index: number, at: Point) => void;
};

type FolderRows = {
  count: number;
  at: (index: number) => FolderRow | undefined;
  Row: ComponentType<FolderRowProps>;
  onOpen: (path: string) => void;
  /** Opens the menu of a folder, at a point of the window. */
  onMenu: (path: string, at: Point) => void;
  /** Asks for another path of a folder. */
  onMove: (path: string) => void;
};

/** Height of the column headings above the scrolled rows: `--bar-columns`. */
const headPx = 28;

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

/**
 * A list of any length. The visible rows are in a layer that stays in view and is positioned by the scroll offset:
 * scrolling never shows blank space, and a million rows need no more elements than fit on screen.
 */
export function ObjectGrid(props: GridProps) {
  const { query, settings, rowAt, folders, onShow, Row, isTiled = false, open = null } = props;
  const folderCount = folders?.count ?? 0;
  const total = folderCount + props.total;
  const { selection, cursor, cursorId } = useBrowser();
  const nowMs = useNow();
  const typed = useRef<Typed>({ text: '', atMs: -Infinity });
  /** The last key pressed while the list was loading. */
  const early = useRef<Press | null>(null);

  const rowPx = settings.density === 'compact' ? 28 : 32;
  const linesFor = (size: GridSize) => (isTiled ? linesOfTiles(size) : { perLine: 1, linePx: rowPx });
  const { ref, map, from, to, perLine, pageLines, widthPx, offsetPx, reveal, onScroll } = useGridScroll({
    query,
    total,
    folderCount,
    linesFor,
    headPx: isTiled ? 0 : headPx,
    open,
    onShow,
  });
  const columns = props.columns.fit(settings, widthPx);

  function takeKey(event: KeyboardEvent) {
    if (event.target !== event.currentTarget) {
      const isInRow = event.target instanceof HTMLButtonElement && rowIndex(event.target) !== null;
      if (inlineKey(event.key) === 'start' && isInRow) focusGrid();
      return;
    }
    const typing = typeOn(event, typed.current, event.timeStamp);
    if (typing !== null) {
      typed.current = typing;
      props.onSeek(soughtName(typing, cursor));
      event.preventDefault();
      return;
    }
    const folder = folders?.at(cursor);
    if (folder !== undefined && commandOf(event.nativeEvent, false) === 'move') {
      event.preventDefault();
      event.stopPropagation();
      folders?.onMove(folder.path);
      return;
    }
    const intent = intentOf(event);
    if (isPressed(listKeys.details, event)) runCommand('details');
    else if (isPressed(listKeys.open, event)) {
      if (props.isBusy) early.current = event.nativeEvent;
      else openRow();
    } else if (isPressed(listKeys.delete, event)) runCommand('delete');
    else if (isPressed(listKeys.menu, event)) openMenuAtCursor();
    else if (isPressed(listKeys.look, event)) props.onLook?.();
    else if (!isTiled && inlineKey(event.key) === 'start' && !hasModifier(event)) props.onLeave?.();
    else if (!isTiled && inlineKey(event.key) === 'end')
      document.getElementById(rowId(cursor))?.querySelector('button')?.focus();
    else if (intent === null) return;
    else if (props.isBusy) early.current = event.nativeEvent;
    else takeIntent(intent);
    event.preventDefault();
  }

  function intentOf(press: Press): Intent | null {
    // A list that has just been loaded has moved it already.
    const at = useBrowser.getState().cursor + folderCount;
    const fromTop = readKey(press, { cursor: at, total, perLine, pageLines });
    return fromTop?.kind === 'go' ? { ...fromTop, to: fromTop.to - folderCount } : fromTop;
  }

  function takeIntent(intent: Intent) {
    if (intent.kind === 'go') reveal(intent.to + folderCount);
    props.onIntent(intent);
  }

  // A key pressed while a list loads is meant for that list, not for the rows still shown.
  useEffect(() => {
    if (props.isBusy || early.current === null) return;
    const press = early.current;
    early.current = null;
    const intent = intentOf(press);
    if (isPressed(listKeys.open, press)) openRow();
    else if (intent !== null) takeIntent(intent);
  });

  function openMenuAtCursor() {
    const box = document.getElementById(rowId(cursor))?.getBoundingClientRect();
    if (box) showMenu(cursor, { x: inlineStart(box) + alongLine(40), y: box.bottom });
  }

  function showMenu(index: number, at: Point) {
    if (index >= 0) return props.onMenu(index, at);
    const folder = folders?.at(index);
    if (folder === undefined) return;
    // As a press does: what is selected among the objects is not what the menu is for.
    props.onIntent({ kind: 'go', to: index, how: 'only' });
    folders?.onMenu(folder.path, at);
  }

  /** If the object cannot be opened, shows its details. */
  function openRow() {
    const { cursor: at } = useBrowser.getState();
    const folder = folders?.at(at);
    if (at < 0) {
      if (folder !== undefined) folders?.onOpen(folder.path);
    } else if (!runCommand('open')) runCommand('details');
  }

  function press(event: MouseEvent) {
    const index = rowIndex(event.target);
    if (index === null) return;
    props.onPress(index, { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey });
  }

  function openMenu(event: MouseEvent) {
    const index = rowIndex(event.target);
    if (index === null) return;
    event.preventDefault();
    showMenu(index, { x: event.clientX, y: event.clientY });
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
        ['--tiles' as string]: perLine,
      }}
      onFocus={(event) => event.target === event.currentTarget && useBrowser.setState({ isHeld: true })}
      onBlur={() => (early.current = null)}
      onKeyDown={takeKey}
      onClick={press}
      onDoubleClick={(event) => rowIndex(event.target) !== null && openRow()}
      onContextMenu={openMenu}
      onPointerDown={(event) => {
        const index = rowIndex(event.target);
        if (index !== null) props.onGrab?.(index, event);
      }}
      // The browser would drag a thumbnail by itself.
      onDragStart={(event) => event.preventDefault()}
      onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
    >
      {!isTiled && (
        <GridHeader
          sort={query.sort}
          columns={columns}
          names={props.columns.names}
          columnWidths={settings.columnWidths}
          sparePx={spareWidth(columns, widthPx)}
          onSort={props.onSort}
          onColumnWidths={props.onColumnWidths}
        />
      )}
      <div {...rowGroupRole}>
        <div className="objects-grid__length" style={{ height: scrollHeight(map) }}>
          <div className="objects-grid__layer" style={{ height: map.viewportPx }}>
            <div className="objects-grid__rows" style={{ transform: `translateY(${offsetPx}px)` }}>
              {Array.from({ length: to - from }, (_, at) => {
                const index = from + at - folderCount;
                if (index < 0 && folders !== undefined)
                  return (
                    <folders.Row
                      key={index}
                      folder={folders.at(index)}
                      index={index}
                      rowIndex={from + at}
                      columns={columns}
                      nowMs={nowMs}
                      isCursor={isCursor(index)}
                    />
                  );
                const row = rowAt(index);
                return (
                  <Row
                    key={index}
                    row={row}
                    index={index}
                    rowIndex={from + at}
                    columns={columns}
                    separator={props.separator}
                    folder={folder}
                    nowMs={nowMs}
                    isSelected={row !== undefined && isSelected(selection, row.id)}
                    isCursor={isCursor(index)}
                  />
                );
              })}
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}
