import { useMemo, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts as texts } from '../../i18n/object-texts.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { showDock } from '../../app/dock.ts';
import { FailedList } from '../../app/FailedList.tsx';
import { DialogPane } from '../../app/Pane.tsx';
import { setSort, usePlace } from '../../app/place.ts';
import { useActiveProfile, useSettings } from '../../app/stores.ts';
import { Topbar } from '../../app/Topbar.tsx';
import { hasBanner } from '../../app/proxy-password.ts';
import { ContextMenu } from '../../ui/Menu.tsx';
import { useBrowser } from './browser-store.ts';
import { objectColumns } from './columns.ts';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import type { Intent } from './grid-keys.ts';
import { focusGrid, ObjectGrid } from './ObjectGrid.tsx';
import { EmptyList, Notice } from './ObjectNotices.tsx';
import { ObjectRowView } from './ObjectRowView.tsx';
import { placeTitle } from './place-text.ts';
import { rowMenu } from './row-menu.ts';
import { SearchBox } from './SearchBox.tsx';
import { countSelected, toWire } from './selection.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { UploadButton } from './UploadButton.tsx';
import { useObjectActions } from './use-object-actions.ts';
import { useObjectQuery, useObjectRows } from './use-object-rows.ts';
import { useRowSelection } from './use-row-selection.ts';
import { useSelectionSummary } from './use-selection-summary.ts';
import { useSoughtObject } from './use-sought-object.ts';
import { useSize } from './use-size.ts';
import './objects.css';

/** The middle of the window: the objects of a place, found, chosen and acted on. */
export function ObjectsView() {
  const client = useClient();
  const profile = useActiveProfile();
  const settings = useSettings();
  const { place, search } = usePlace();
  const profileId = profile?.id ?? null;
  const query = useObjectQuery(profileId);
  const { answered, page, error, rowAt, show, retry } = useObjectRows(query);
  const { selection, cursor } = useBrowser();
  const total = page?.total ?? 0;
  const count = countSelected(selection, total);
  const wire = useMemo(
    () => (query === null || count === 0 ? null : toWire(selection, query)),
    [selection, query, count],
  );
  const summary = useSelectionSummary(wire);
  const actions = useObjectActions(wire);
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const [dragged, setDragged] = useState<Record<'from' | 'to', Settings['columnWidths']> | null>(null);
  const { ref, widthPx } = useSize();
  useSoughtObject(answered === query ? query : null);

  const { act } = actions;
  const rowSelection = useRowSelection({ query: answered, rowAt, run: (work) => act.run(work) });

  function changeSettings(change: Partial<Settings>) {
    void act.run(async () => {
      await client.call('settings.update', change);
    });
  }

  function takeIntent(intent: Intent) {
    if (intent.kind === 'copy') actions.copyIdentifiers();
    else rowSelection.apply(intent);
  }

  function selectAll() {
    const active = document.activeElement;
    if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) active.select();
    else rowSelection.apply({ kind: 'all' });
  }

  // Until main has kept them.
  const columnWidths = dragged?.from === settings.columnWidths ? dragged.to : settings.columnWidths;
  const hasSelection = wire !== null;
  // Of secrets there is only the list: nothing here asks the service for them.
  const isGone = place.kind === 'gone';
  useCommand('selectAll', selectAll, total > 0);
  useCommand('details', () => showDock('details'));
  useCommand('download', () => actions.download(), hasSelection && !isGone);
  useCommand('downloadDeferred', actions.downloadDeferred, hasSelection && !isGone);
  useCommand('check', actions.check, hasSelection && !isGone);
  useCommand('delete', actions.askToDelete, hasSelection && !isGone);

  if (profile === null || query === null) return null;
  const { separator } = profile;
  const isEmpty = page !== null && total === 0;
  return (
    <div className="objects" ref={ref}>
      <Topbar title={placeTitle(place)} {...(page && { count: total })}>
        <ColumnsMenu settings={settings} onChange={changeSettings} />
        <SearchBox onLeave={focusGrid} />
        <UploadButton isQuiet={hasBanner(profile)} />
      </Topbar>
      {isEmpty && <EmptyList place={place} search={search} />}
      {page === null && error !== null && <FailedList error={error} onRetry={retry} />}
      {!isEmpty && (page !== null || error === null) && (
        <ObjectGrid
          label={texts.label}
          columns={objectColumns}
          Row={ObjectRowView}
          query={answered ?? query}
          total={total}
          rowAt={rowAt}
          separator={separator}
          settings={{ ...settings, columnWidths }}
          isBusy={answered !== query}
          onShow={show}
          onSort={setSort}
          onColumnWidths={(widths, isFinal) => {
            setDragged({ from: settings.columnWidths, to: widths });
            if (isFinal) changeSettings({ columnWidths: widths });
          }}
          onIntent={takeIntent}
          onPress={rowSelection.press}
          onMenu={(index, at) => {
            rowSelection.aim(index);
            setMenuAt(at);
          }}
        />
      )}
      {page !== null && error !== null && (
        <Notice error={error} button={commonTexts.tryAgain} onPress={retry} />
      )}
      {act.error !== null && (
        <Notice error={act.error} button={commonTexts.dismiss} onPress={() => act.clear()} />
      )}
      {count > 0 && (
        <SelectionBar
          count={count}
          summary={summary}
          actions={actions}
          isGone={isGone}
          widthPx={widthPx}
          onClear={() => {
            rowSelection.apply({ kind: 'clear' });
            focusGrid();
          }}
        />
      )}
      <ContextMenu
        at={menuAt}
        label={texts.selectedObjects}
        entries={rowMenu(rowAt(cursor), count, actions)}
        onClose={() => {
          setMenuAt(null);
          focusGrid();
        }}
      />
      {actions.doomed !== null && (
        <DialogPane onClose={actions.closeDelete}>
          <DeleteDialog
            selection={actions.doomed}
            separator={separator}
            serviceName={profile.name}
            onDone={() => {
              rowSelection.apply({ kind: 'clear' });
              actions.closeDelete();
            }}
            onClose={actions.closeDelete}
          />
        </DialogPane>
      )}
    </div>
  );
}
