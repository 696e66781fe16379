import { use, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts as texts } from '../../i18n/object-texts.ts';
import { folderAbove } from '../../../shared/domain/folder.ts';
import type { SavedFile } from '../../../shared/domain/transfer.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { ObjectRow } from '../../../shared/contract.ts';
import { MoveFolder, OpenFolderMenu } from '../../app/folder-menu.ts';
import { focusGrid, gridId } from '../../app/grid.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { FailedList } from '../../app/FailedList.tsx';
import { setSort, showPlace, usePlace } from '../../app/place.ts';
import { useActiveService, useSettings, useTeam } from '../../app/stores.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { placeTitle } from '../../app/place-title.ts';
import { Topbar } from '../../app/Topbar.tsx';
import { hasBanner } from '../../app/proxy-password.ts';
import { IconButton } from '../../ui/Button.tsx';
import { ContextMenu } from '../../ui/Menu.tsx';
import { announce } from '../../ui/announce.tsx';
import { ActionDialogs } from './ActionDialogs.tsx';
import { returnToFolder, returnToRow, useBrowser } from './browser-store.ts';
import { objectColumns } from './grid/columns.ts';
import { ColumnsMenu, withoutTeam } from './grid/ColumnsMenu.tsx';
import { ObjectGrid, type Point } from './grid/ObjectGrid.tsx';
import { goneColumns } from './grid/gone-columns.ts';
import { RecentRow, recentColumns } from './grid/RecentRow.tsx';
import { LeftParts } from './details/LeftParts.tsx';
import { EmptyList, Notice } from './grid/ObjectNotices.tsx';
import { ObjectRowView } from './grid/ObjectRowView.tsx';
import { FavouriteButton } from './grid/FavouriteButton.tsx';
import { FolderRowView, FolderTile } from './grid/FolderRowView.tsx';
import { FolderTrail } from './grid/FolderTrail.tsx';
import { ObjectTile } from './grid/ObjectTile.tsx';
import { RowDragLabel } from './grid/RowDragLabel.tsx';
import { SortMenu } from './grid/SortMenu.tsx';
import { QuickLook } from './preview/QuickLook.tsx';
import { RemoveAll } from './selection/RemoveAll.tsx';
import { canForget, canOpen } from './grid/row-state.ts';
import { rowMenu } from './grid/row-menu.ts';
import { SearchBox } from './search/SearchBox.tsx';
import { SelectionBar } from './selection/SelectionBar.tsx';
import { countSelected, onlyId, toWire } from './selection/selection.ts';
import { UploadButton } from './UploadButton.tsx';
import { countsOf } from './grid/folded-count.ts';
import { useObjectList } from './grid/use-object-list.ts';
import { useSelectionSummary } from './selection/use-selection-summary.ts';
import { useSize } from './grid/use-size.ts';
import './objects.css';

/** The list of a place, with search, selection and actions. */
export function ObjectsView() {
  const client = useClient();
  const service = useActiveService();
  const settings = useSettings();
  const hasTeam = useTeam(service?.id ?? null) !== null;
  const { place, search } = usePlace();
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
  const [menu, setMenu] = useState<{
    at: Point;
    saved: SavedFile | null;
    downloads: readonly number[];
  } | null>(null);
  /** The object that the person asked to see large; its neighbours are shown as the settings for previews say. */
  const [lookedAt, setLookedAt] = useState<number | null>(null);
  const [dragged, setDragged] = useState<Record<'from' | 'to', Settings['columnWidths']> | null>(null);
  const { ref, element, widthPx } = useSize();

  function changeSettings(change: Partial<Settings>) {
    void act.run(async () => {
      await client.call('settings.update', change);
    });
  }

  // Until main has stored them.
  const columnWidths = dragged?.from === settings.columnWidths ? dragged.to : settings.columnWidths;
  const hasSelection = wire !== null && count > 0;
  // Secrets are only listed: nothing here requests them from the service.
  const isGone = place.kind === 'gone';
  const isRecent = place.kind === 'recent';
  const columns = isGone ? goneColumns : isRecent ? recentColumns : objectColumns;
  const isTiled = settings.objectView === 'grid' && !isGone;
  const row = rowAt(cursor);
  // A failed upload: nothing can be downloaded, checked or deleted at the service.
  const isUnstored = count === 1 && row?.state === 'failed' && row.id === onlyId(selection) && canForget(row);
  const ifStored = (act: () => void) => () => {
    if (isUnstored) announce(texts.said.unstored);
    else act();
  };
  /** Main checks first whether the files of earlier downloads still exist, to offer them in the menu. */
  async function openMenu(pressed: ObjectRow | undefined, at: Point) {
    const asked = pressed === undefined ? null : client.call('objects.savedFile', { id: pressed.id });
    const { selection: chosen } = useBrowser.getState();
    const several = query === null || countSelected(chosen, total) < 2 ? null : toWire(chosen, query);
    const [saved, downloads] = await Promise.all([
      asked?.then(
        (answer) => answer.saved,
        () => null,
      ),
      several &&
        client.call('objects.savedFiles', { selection: several }).then(
          (answer) => answer.transferIds,
          () => [],
        ),
    ]);
    setMenu({ at, saved: saved ?? null, downloads: downloads ?? [] });
  }

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
  useCommand('open', () => opened && actions.open(opened.id), opened !== null);
  useCommand('edit', () => opened && actions.edit(opened.id), opened !== null);
  useCommand(
    'download',
    ifStored(() => actions.download()),
    canAsk,
  );
  useCommand('downloadDeferred', ifStored(actions.downloadDeferred), canAsk);
  useCommand('check', ifStored(actions.check), canAsk);
  useCommand('move', actions.askToMove, canAsk && !isUnstored);
  useCommand('delete', isUnstored ? actions.forget : actions.askToDelete, canAsk);

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
      <Topbar
        trail={
          place.kind === 'folder' && <FolderTrail path={place.path} separator={separator} widthPx={widthPx} />
        }
        title={
          <bdi title={place.kind === 'folder' ? place.path : undefined}>{placeTitle(place, separator)}</bdi>
        }
        {...(page && countsOf(page))}
        {...(isGone && { note: texts.goneNote })}
      >
        <FavouriteButton serviceId={service.id} />
        {!isGone && (
          <IconButton
            icon={isTiled ? 'list' : 'tiles'}
            label={isTiled ? texts.view.list : texts.view.grid}
            onPress={() => changeSettings({ objectView: isTiled ? 'list' : 'grid' })}
          />
        )}
        {isTiled ? (
          <SortMenu
            sort={query.sort}
            names={columns.names}
            onSort={setSort}
            shownRows={settings}
            onChange={changeSettings}
          />
        ) : (
          <ColumnsMenu hasTeam={hasTeam} settings={settings} onChange={changeSettings} />
        )}
        <SearchBox onLeave={focusGrid} />
        {isGone ? (
          !isEmpty && (
            <RemoveAll query={query} serviceName={service.name} onEmptied={() => element.current?.focus()} />
          )
        ) : (
          <UploadButton isQuiet={hasBanner(service)} />
        )}
      </Topbar>
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
          settings={{ ...(hasTeam ? settings : withoutTeam(settings)), columnWidths }}
          isBusy={answered !== query}
          onShow={show}
          onSort={setSort}
          onColumnWidths={(widths, isFinal) => {
            setDragged({ from: settings.columnWidths, to: widths });
            if (isFinal) changeSettings({ columnWidths: widths });
          }}
          onIntent={takeIntent}
          onSeek={rowSelection.seek}
          onLook={look}
          {...(place.kind === 'folder' && { onLeave: goToParent })}
          onPress={rowSelection.press}
          onGrab={list.grab}
          onMenu={(index, at) => {
            rowSelection.aim(index);
            void openMenu(rowAt(index), at);
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
        entries={rowMenu(row, count, actions, menu?.saved ?? null, menu?.downloads ?? [], look)}
        onClose={() => {
          setMenu(null);
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
