import { useEffect, useRef, useState } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { secretTexts as texts } from '../../i18n/secret-texts.ts';
import type { ObjectRow } from '../../../shared/contract.ts';
import { focusGrid } from '../../app/grid.ts';
import { runCommand } from '../../app/commands.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { setSort, usePlace } from '../../app/place.ts';
import { useActiveService, useSettings } from '../../app/stores.ts';
import { Topbar } from '../../app/Topbar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ContextMenu } from '../../ui/Menu.tsx';
import { countsOf } from '../objects/grid/folded-count.ts';
import { ObjectGrid } from '../objects/grid/ObjectGrid.tsx';
import { FailedList } from '../../app/FailedList.tsx';
import { hasBanner } from '../../app/proxy-password.ts';
import { NothingFound, Notice } from '../objects/grid/ObjectNotices.tsx';
import { SearchBox } from '../objects/search/SearchBox.tsx';
import { useObjectList } from '../objects/grid/use-object-list.ts';
import { panelPx } from './RevealPanel.tsx';
import { SaveAsWarning } from './SaveAsWarning.tsx';
import { secretColumns } from './secret-columns.ts';
import { SecretListProvider } from './secret-list.ts';
import { secretMenu } from './secret-menu.ts';
import { SecretRow } from './SecretRow.tsx';
import { useSecretReads } from './use-secret-reads.ts';
import '../objects/objects.css';
import './secrets.css';
import { isFocusLost } from '../../ui/focus.ts';

const searchExamples = ['class:Restricted', 'state:unknown', 'before:2026-01-01'];

/** The secrets of a service, without their values. */
export function SecretsView() {
  const service = useActiveService();
  const settings = useSettings();
  const search = usePlace((place) => place.search);
  const objects = useObjectList(service?.id ?? null);
  const { query, answered, page, error, rowAt, show, retry } = objects;
  const { total, cursor, count, actions, rowSelection, takeIntent } = objects;
  const { act } = actions;
  const reads = useSecretReads(act);
  const [toSave, setToSave] = useState<ObjectRow | null>(null);
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);

  function closeWarning() {
    setToSave(null);
    focusGrid();
  }

  const { revealed } = reads;
  const revealedAt = revealed === null ? -1 : (page?.rows.findIndex(({ id }) => id === revealed.id) ?? -1);
  const open =
    revealed === null || page === null || revealedAt < 0
      ? null
      : { index: page.offset + revealedAt, byPx: panelPx(revealed) };
  const list = {
    ...reads,
    askToSave: setToSave,
    aim(index: number) {
      rowSelection.aim(index);
      focusGrid();
    },
  };

  const isEmpty = page !== null && total === 0;
  const isFirst = isEmpty && search === '';
  // The button for the first secret unmounts with the empty list: keep the focus.
  const wasFirst = useRef(isFirst);
  useEffect(() => {
    if (wasFirst.current && !isFirst && isFocusLost()) focusGrid();
    wasFirst.current = isFirst;
  }, [isFirst]);

  if (service === null || query === null) return null;
  const isQuiet = hasBanner(service);
  return (
    <div className="objects">
      <Topbar title={texts.label} {...(page && countsOf(page))}>
        <SearchBox label={texts.search} examples={searchExamples} onLeave={focusGrid} />
        {!isFirst && <NewSecretButton isQuiet={isQuiet} />}
      </Topbar>
      {isFirst && (
        <EmptyState
          symbol="key"
          title={texts.none}
          text={texts.noneText}
          buttons={
            <>
              <NewSecretButton isQuiet={isQuiet} />
              <Button kind="line" onPress={() => runCommand('addKnown')}>
                {texts.addKnown}
              </Button>
            </>
          }
        />
      )}
      {isEmpty && !isFirst && <NothingFound search={search} text={texts.noMatchText} />}
      {page === null && error !== null && <FailedList error={error} onRetry={retry} />}
      {!isEmpty && (page !== null || error === null) && (
        <SecretListProvider value={list}>
          <ObjectGrid
            label={texts.label}
            columns={secretColumns}
            Row={SecretRow}
            open={open}
            query={answered ?? query}
            total={total}
            rowAt={rowAt}
            separator={service.separator}
            settings={settings}
            isBusy={answered !== query}
            onShow={show}
            onSort={setSort}
            onIntent={takeIntent}
            onSeek={rowSelection.seek}
            onPress={rowSelection.press}
            onMenu={(index, at) => {
              rowSelection.aim(index);
              setMenuAt(at);
            }}
          />
        </SecretListProvider>
      )}
      {page !== null && error !== null && (
        <Notice error={error} button={commonTexts.tryAgain} onPress={retry} />
      )}
      {act.error !== null && (
        <Notice error={act.error} button={commonTexts.dismiss} onPress={() => act.clear()} />
      )}
      <ContextMenu
        at={menuAt}
        label={texts.selected}
        entries={secretMenu(rowAt(cursor), count, list, actions)}
        onClose={() => {
          setMenuAt(null);
          focusGrid();
        }}
      />
      {toSave !== null && (
        <DialogPane onClose={closeWarning}>
          <SaveAsWarning
            identifier={toSave.identifier}
            onClose={closeWarning}
            onSave={() => {
              closeWarning();
              reads.saveAs(toSave);
            }}
          />
        </DialogPane>
      )}
    </div>
  );
}

function NewSecretButton({ isQuiet }: { isQuiet: boolean }) {
  return (
    <Button kind={isQuiet ? 'line' : 'primary'} icon="plus" onPress={() => runCommand('newSecret')}>
      {texts.newSecret}
    </Button>
  );
}
