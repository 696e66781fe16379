import { use, useCallback, useMemo, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts as texts } from '../../i18n/object-texts.ts';
import { folderAbove } from '../../../shared/domain/folder.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { MoveFolder, OpenFolderMenu } from '../../app/folder-menu.ts';
import { focusGrid, gridId } from '../../app/grid.ts';
import { useClient } from '../../app/client.ts';
import { FailedList } from '../../app/FailedList.tsx';
import { setSort, showPlace, usePlace } from '../../app/place.ts';
import { useSharedWith } from '../../app/slots.tsx';
import { useActiveService, useSettings } from '../../app/stores.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { ContextMenu } from '../../ui/Menu.tsx';
import { ActionDialogs } from './actions/ActionDialogs.tsx';
import { returnToFolder, returnToRow, useBrowser } from './state/browser-store.ts';
import { goneColumns, objectColumns } from './grid/columns.ts';
import { withoutTeam } from './grid/ColumnsMenu.tsx';
import { ObjectGrid } from './grid/ObjectGrid.tsx';
import { RecentRow, recentColumns } from './grid/RecentRow.tsx';
import { LeftParts } from './details/LeftParts.tsx';
import { EmptyList, Notice } from './grid/ObjectNotices.tsx';
import { ObjectRowView } from './grid/ObjectRowView.tsx';
import { FolderRowView, FolderTile } from './grid/FolderRowView.tsx';
import { ObjectTile } from './grid/ObjectTile.tsx';
import { RowDragLabel } from './grid/RowDragLabel.tsx';
import { QuickLook } from './preview/QuickLook.tsx';
import { canForget, canOpen } from './state/row-state.ts';
import { rowMenu as menuOfRow, useRowMenu } from './grid/row-menu.ts';
import { ObjectsTopbar } from './ObjectsTopbar.tsx';
import { useObjectCommands } from './actions/use-object-commands.ts';
import { SelectionBar } from './selection/SelectionBar.tsx';
import { onlyId } from './state/selection.ts';
import { useObjectList } from './grid/use-object-list.ts';
import { useSelectionSummary } from './selection/use-shown-selection.ts';
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
  const moveFolder = use(MoveFolder);
  const { total, folderCount, cursor, wire, actions, rowSelection, takeIntent } = list;
  const { act } = actions;
  const selection = useBrowser((browser) => browser.selection);
  const summary = useSelectionSummary(wire, page?.revision);
  // Some of the selected rows may have been removed since.
  const count = selection.kind === 'allExcept' ? list.count : (summary?.count ?? list.count);
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
  const hasSelection = wire !== null && count > 0;
  const isGone = place.kind === 'gone';
  const isRecent = place.kind === 'recent';
  const columns = isGone ? goneColumns : isRecent ? recentColumns : objectColumns;
  const isTiled = settings.objectView === 'grid' && !isGone;
  const row = rowAt(cursor);
  // A failed upload: nothing can be downloaded, checked or deleted at the service.
  const isUnstored = count === 1 && row?.state === 'failed' && row.id === onlyId(selection) && canForget(row);
  function goToParent() {
    if (place.kind !== 'folder' || service === null) return;
    const above = folderAbove(place.path, service.separator);
    const { cursorId } = useBrowser.getState();
    showPlace(above === '' ? { kind: 'all' } : { kind: 'folder', path: above });
    if (cursorId === null) returnToFolder(place.path);
    else returnToRow(cursorId);
  }
  const canAsk = hasSelection && !isGone;
  const opened = count === 1 && row?.id === onlyId(selection) && canOpen(row) ? row : null;
  useObjectCommands(actions, { canAsk, isUnstored, opened });

  const canLook = !isGone && row !== undefined && answered === query;
  /** Also selects the row, so that its actions apply to it. */
  function look() {
    if (!canLook) return;
    rowSelection.apply({ kind: 'go', to: cursor, how: 'only' });
    setLookedAt(row.id);
  }

  if (service === null || query === null) return null;
  const { separator } = service;
  const isEmpty = page !== null && total === 0;
  return (
    <div className="objects" ref={ref} tabIndex={-1}>
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
      {isEmpty && <EmptyList place={place} search={search} service={service} />}
      {page === null && error !== null && <FailedList error={error} onRetry={retry} />}
      {!isEmpty && (page !== null || error === null) && (
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
            onMenu: (path, at) => {
              const grid = document.getElementById(gridId);
              if (grid !== null) openFolderMenu(path, at, grid);
            },
            onMove: moveFolder,
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
          {...(place.kind === 'folder' && { onLeave: goToParent })}
          onPress={rowSelection.press}
          onGrab={list.grab}
          onMenu={(index, at) => {
            rowSelection.aim(index);
            void rowMenu.open(rowAt(index), at);
          }}
        />
      )}
      {page !== null && error !== null && (
        <Notice error={error} button={commonTexts.tryAgain} onPress={retry} />
      )}
      {act.error !== null && (
        <Notice error={act.error} button={commonTexts.dismiss} onPress={() => act.clear()} />
      )}
      <RowDragLabel />
      <LeftParts serviceId={service.id} />
      {count > 0 && (
        <SelectionBar
          count={count}
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
        entries={menuOfRow(row, count, actions, menu?.saved ?? null, menu?.downloads ?? [], look)}
        onClose={() => {
          rowMenu.close();
          focusGrid();
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
