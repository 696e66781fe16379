import { use, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts as texts } from '../../i18n/object-texts.ts';
import { canMove } from '../../../shared/domain/object.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { OpenFolderMenu, type Point } from '../../app/folder-menu.ts';
import { focusGrid, gridId } from '../../app/grid.ts';
import { useClient } from '../../app/client.ts';
import { FailedList } from '../../app/FailedList.tsx';
import { isTop, placeTitle, setSort, showPlace, usePlace } from '../../app/place.ts';
import { useSharedWith } from '../../app/slots.tsx';
import { useActiveService, useSettings } from '../../app/stores.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { ContextMenu } from '../../ui/Menu.tsx';
import { ActionDialogs } from './actions/ActionDialogs.tsx';
import { useBrowser } from './state/browser-store.ts';
import { goneColumns, objectColumns } from './grid/columns.ts';
import { withoutTeam } from './grid/ColumnsMenu.tsx';
import { ObjectGrid } from './grid/ObjectGrid.tsx';
import { RecentRow, recentColumns } from './grid/RecentRow.tsx';
import { LeftParts } from './details/LeftParts.tsx';
import { EmptyList, Notice } from './grid/ObjectNotices.tsx';
import { AskToMove } from './grid/RenameField.tsx';
import { ObjectRowView } from './grid/ObjectRowView.tsx';
import { FolderRowView, FolderTile } from './grid/FolderRowView.tsx';
import { ObjectTile } from './grid/ObjectTile.tsx';
import { usePlaceMenu } from './grid/PlaceMenu.tsx';
import { RowDragLabel } from './grid/RowDragLabel.tsx';
import { QuickLook } from './preview/QuickLook.tsx';
import { canForget, canOpen } from './state/row-state.ts';
import { rowMenu as menuOfRow, useRowMenu } from './grid/row-menu.ts';
import { ObjectsTopbar } from './ObjectsTopbar.tsx';
import { goUp } from './use-place-commands.ts';
import { useObjectCommands } from './actions/use-object-commands.ts';
import { SelectionBar } from './selection/SelectionBar.tsx';
import { countSelected, onlyFolder, onlyId } from './state/selection.ts';
import { useObjectList } from './grid/use-object-list.ts';
import { useSize } from './grid/use-size.ts';
import './objects.css';

/** The list of a place, with search, selection and actions. */
export function ObjectsView() {
  const client = useClient();
  const service = useActiveService();
  const settings = useSettings();
  const hasTeam = useSharedWith(service?.id ?? null) !== null;
  const place = usePlace((state) => state.place);
  const search = usePlace((state) => state.search);
  const list = useObjectList(service?.id ?? null);
  const { query, answered, page, error, rowAt, show, retry } = list;
  const openFolderMenu = use(OpenFolderMenu);
  const { total, folderCount, cursor, wire, actions, rowSelection, takeIntent, summary } = list;
  const { objectCount: count } = list;
  const { act } = actions;
  const selection = useBrowser((browser) => browser.selection);
  const folders = useBrowser((browser) => browser.folders);
  const rowMenu = useRowMenu(query, total);
  const { menu } = rowMenu;
  /** The object that was opened large. Its neighbours are fetched only as the preview settings allow. */
  const [lookedAt, setLookedAt] = useState<number | null>(null);
  const [dragged, setDragged] = useState<Record<'from' | 'to', Settings['columnWidths']> | null>(null);
  const { ref, element, widthPx } = useSize();

  const { run } = act;
  const changeSettings = useCallback(
    (change: Partial<Settings>) =>
      void run(async () => {
        await client.call('settings.update', change);
      }),
    [run, client],
  );
  const { columnWidths: storedWidths } = settings;
  const setColumnWidths = useCallback(
    (widths: Settings['columnWidths'], isFinal: boolean) => {
      setDragged({ from: storedWidths, to: widths });
      if (isFinal) changeSettings({ columnWidths: widths });
    },
    [storedWidths, changeSettings],
  );
  const focusView = useCallback(() => element.current?.focus(), [element]);

  // Use the dragged widths until main has stored them.
  const columnWidths = dragged?.from === storedWidths ? dragged.to : storedWidths;
  const shownSettings = useMemo(
    () => ({ ...(hasTeam ? settings : withoutTeam(settings)), columnWidths }),
    [hasTeam, settings, columnWidths],
  );
  const hasSelection = wire !== null && count + folders.size > 0;
  const isGone = place.kind === 'gone';
  const isRecent = place.kind === 'recent';
  const columns = isGone ? goneColumns : isRecent ? recentColumns : objectColumns;
  const isTiled = settings.objectView === 'grid' && !isGone;
  const row = rowAt(cursor);
  // A failed upload: nothing can be downloaded, checked or deleted at the service.
  const isOnly = row !== undefined && count === 1 && folders.size === 0 && row.id === onlyId(selection);
  const isUnstored = isOnly && row.state === 'failed' && canForget(row);
  /** One folder has a menu of its own. */
  function openMenu(index: number, at: Point) {
    rowSelection.aim(index);
    const now = useBrowser.getState();
    const path = onlyFolder(now.folders, countSelected(now.selection, total));
    const grid = document.getElementById(gridId);
    if (path === null || grid === null) void rowMenu.open(rowAt(index), at);
    else openFolderMenu(path, at, grid);
  }
  const canAsk = hasSelection && !isGone;
  const opened = isOnly && canOpen(row) ? row : null;
  const canLook = !isGone && row !== undefined && answered === query;
  /** Also selects the row, so that its actions apply to it. */
  function look() {
    if (!canLook) return;
    rowSelection.apply({ kind: 'go', to: cursor, how: 'only' });
    setLookedAt(row.id);
  }

  const stoodOn = list.folderAt(cursor)?.path ?? null;
  /** In its row: the only selected object or folder, or the focused folder while nothing is selected. */
  const renamed = hasSelection
    ? (onlyFolder(folders, list.count) ?? (isOnly && row.transfer === null && canMove(row) ? row.id : null))
    : stoodOn;
  const isInView = renamed !== null && answered === query;
  const rename = () => useBrowser.setState({ renaming: renamed });
  useObjectCommands(actions, {
    canAsk,
    hasObjects: summary?.count !== 0,
    isUnstored,
    opened,
    stored: isOnly && canAsk && !isUnstored ? row : null,
    look: canLook ? look : null,
    rename: isInView ? rename : null,
  });

  const isEmpty = page !== null && total + folderCount === 0;
  // The list is there only while it has rows: what replaces it takes the focus over.
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (!hadFocus.current || (activeElement !== document.body && activeElement !== element.current)) return;
    if (isEmpty) element.current?.focus();
    else focusGrid();
  }, [element, isEmpty]);

  const { menu: placeMenu, open: openPlaceMenu } = usePlaceMenu(placeTitle(place, service?.separator ?? '/'));

  if (service === null || query === null) return null;
  const { separator } = service;
  return (
    <div
      className="objects"
      ref={ref}
      tabIndex={-1}
      onFocus={() => (hadFocus.current = true)}
      // Not called for an element that is removed.
      onBlur={() => (hadFocus.current = false)}
      {...(place.kind === 'folder' && { onContextMenu: openPlaceMenu })}
    >
      <ObjectsTopbar
        service={service}
        query={query}
        page={page}
        names={columns.names}
        isTiled={isTiled}
        hasTeam={hasTeam}
        settings={settings}
        onSettings={changeSettings}
        widthPx={widthPx}
        onEmptied={focusView}
      />
      {isEmpty && (
        <EmptyList place={place} search={search} isKept={page.folders?.isKept === true} service={service} />
      )}
      {page === null && error !== null && <FailedList error={error} onRetry={retry} />}
      {!isEmpty && (page !== null || error === null) && (
        <AskToMove value={actions.askToMoveTo}>
          <ObjectGrid
            label={texts.label}
            columns={columns}
            Row={isTiled ? ObjectTile : isRecent ? RecentRow : ObjectRowView}
            isTiled={isTiled}
            query={answered ?? query}
            total={total}
            folders={{
              count: folderCount,
              at: list.folderAt,
              Row: isTiled ? FolderTile : FolderRowView,
              onOpen: (path) => showPlace({ kind: 'folder', path }),
            }}
            rowAt={rowAt}
            separator={separator}
            settings={shownSettings}
            isBusy={answered !== query}
            onShow={show}
            onSort={setSort}
            onColumnWidths={setColumnWidths}
            onIntent={takeIntent}
            onSeek={rowSelection.seek}
            onLook={look}
            {...(isInView && { onRename: rename })}
            {...(place.kind === 'folder' && !isTop(place) && { onLeave: () => goUp(service.separator) })}
            onPress={rowSelection.press}
            onGrab={list.grab}
            onMenu={openMenu}
          />
        </AskToMove>
      )}
      {page !== null && error !== null && (
        <Notice error={error} button={commonTexts.tryAgain} onPress={retry} />
      )}
      {act.error !== null && (
        <Notice error={act.error} button={commonTexts.dismiss} onPress={() => act.clear()} />
      )}
      {placeMenu}
      <RowDragLabel />
      <LeftParts serviceId={service.id} />
      {hasSelection && (
        <SelectionBar
          count={count}
          folderCount={folders.size}
          summary={summary}
          actions={actions}
          isGone={isGone || isUnstored}
          widthPx={widthPx}
          onClear={() => {
            rowSelection.apply({ kind: 'clear' });
            focusGrid();
          }}
        />
      )}
      <ContextMenu
        at={menu?.at ?? null}
        label={texts.selectedObjects}
        entries={menuOfRow(
          folders.size > 0 ? undefined : row,
          count,
          actions,
          menu?.saved ?? null,
          menu?.downloads ?? [],
          look,
          isInView ? rename : null,
        )}
        onClose={() => {
          rowMenu.close();
          if (useBrowser.getState().renaming === null) focusGrid();
        }}
      />
      {lookedAt !== null && total > 0 && (
        <DialogPane onClose={() => setLookedAt(null)}>
          <QuickLook
            row={row}
            index={cursor}
            total={total}
            separator={separator}
            isAsked={row?.id === lookedAt}
            actions={actions}
            onGo={(index) => rowSelection.apply({ kind: 'go', to: index, how: 'only' })}
            onClose={() => setLookedAt(null)}
          />
        </DialogPane>
      )}
      <ActionDialogs
        actions={actions}
        serviceId={service.id}
        separator={separator}
        serviceName={service.name}
        onDeleted={() => rowSelection.apply({ kind: 'clear' })}
      />
    </div>
  );
}
