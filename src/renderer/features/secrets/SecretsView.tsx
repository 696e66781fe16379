import { useEffect, useRef, useState } from 'react';
import type { ObjectRow } from '../../../shared/contract.ts';
import { secretTexts, secretTexts as texts } from '../../i18n/secret-texts.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { detailTexts } from '../../i18n/detail-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { ContextMenu } from '../../ui/Menu.tsx';
import { fill } from '../../i18n/rich.tsx';
import { Button } from '../../ui/Button.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { focusGrid } from '../../app/grid.ts';
import { runCommand } from '../../app/commands.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { setSort, usePlace } from '../../app/place.ts';
import { useActiveService, useSettings } from '../../app/stores.ts';
import { Topbar } from '../../app/Topbar.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailedList } from '../../app/FailedList.tsx';
import { hasBanner } from '../../app/proxy-password.ts';
import { isFocusLost } from '../../ui/focus.ts';
import { type GridColumns, isRoomy, type ShownColumn } from '../objects/grid/columns.ts';
import { countsOf } from '../objects/grid/folded-count.ts';
import { ObjectGrid } from '../objects/grid/ObjectGrid.tsx';
import { NothingFound, Notice } from '../objects/grid/ObjectNotices.tsx';
import { SearchBox } from '../objects/search/SearchBox.tsx';
import { useObjectList } from '../objects/grid/use-object-list.ts';
import '../objects/objects.css';
import type { Intent } from '../objects/grid/grid-keys.ts';
import { SecretListProvider } from './secret-list.ts';
import { canRead, secretMenu } from './secret-menu.ts';
import { panelPx } from './RevealPanel.tsx';
import { SecretRow } from './SecretRow.tsx';
import { revealPanelId, useSecretReads } from './use-secret-reads.ts';
import './secrets.css';

/** Classification and size are in the same place as in a list of objects that has states to say. */
const columns: readonly ShownColumn[] = [
  { column: 'classification', widthPx: 86 },
  { column: 'size', widthPx: 62 },
  { column: 'stored', widthPx: 109 },
  { column: 'checked', widthPx: 110 },
];
const roomyColumns: readonly ShownColumn[] = [
  { column: 'classification', widthPx: 132 },
  { column: 'size', widthPx: 72 },
  { column: 'stored', widthPx: 146 },
  { column: 'checked', widthPx: 146 },
];
const tightBelowPx = 538;

/**
 * Secrets are only checked by using them. The last column contains the actions, and Stored also shows the state, so
 * both are never hidden.
 */
const secretColumns: GridColumns = {
  get names() {
    return { ...objectTexts.column, checked: detailTexts.lastUsed };
  },
  fit(_settings, gridPx) {
    if (isRoomy(roomyColumns, gridPx)) return [...roomyColumns];
    return gridPx > 0 && gridPx < tightBelowPx
      ? columns.filter(({ column }) => column !== 'size')
      : [...columns];
  },
};

/** The focus is on the answer that changes nothing. */
const focusHere = { autoFocus: true };

type Props = { identifier: string; onSave: () => void; onClose: () => void };

/** Shown before a value is saved where Coffer cannot protect it. */
function SaveAsWarning({ identifier, onSave, onClose }: Props) {
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={secretTexts.save.title}
      buttons={
        <>
          <Button {...focusHere} size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button kind="primary" size="large" onPress={onSave}>
            {commonTexts.saveAs}
          </Button>
        </>
      }
    >
      <p>
        {fill(secretTexts.save.text, {
          identifier: (
            <b>
              <bdi dir="ltr">{identifier}</bdi>
            </b>
          ),
        })}
      </p>
    </AlertDialog>
  );
}

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
  const opened =
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

  /** Reveals the focused secret, or hides its value again. */
  function open() {
    const row = rowAt(cursor);
    if (row === undefined || !canRead(row)) runCommand('details');
    else if (revealed?.id === row.id) reads.hide();
    else reads.reveal(row);
  }

  function copyValue() {
    const isInPanel = document.getElementById(revealPanelId)?.contains(document.activeElement) === true;
    const row = isInPanel ? page?.rows[revealedAt] : rowAt(cursor);
    if (count > 1 && !isInPanel) announce(texts.selectOne);
    else if (row !== undefined && canRead(row)) reads.copy(row);
  }

  function onIntent(intent: Intent) {
    if (intent.kind === 'copy') copyValue();
    else takeIntent(intent);
  }

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
            open={opened}
            query={answered ?? query}
            total={total}
            rowAt={rowAt}
            separator={service.separator}
            settings={settings}
            isBusy={answered !== query}
            onShow={show}
            onSort={setSort}
            onOpen={open}
            onLook={open}
            onIntent={onIntent}
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
