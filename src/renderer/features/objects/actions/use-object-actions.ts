import { useState } from 'react';
import { versionTexts } from '../../../i18n/detail-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { objectFileName } from '../../../../shared/domain/file-name.ts';
import type { ObjectRecord, Selection } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import { isOpenable } from '../../../../shared/domain/openable.ts';
import { type Client, useClient } from '../../../app/client.ts';
import { followMove, undoOfMove } from '../../../app/undo-move.ts';
import { offerUndo } from '../../../app/undo.ts';
import { objectChangeTexts } from '../../../i18n/object-change-texts.ts';
import { turnDock } from '../../../app/dock.ts';
import { folderOf, followPlaces, usePlace } from '../../../app/place.ts';
import { openFile, showInFolder } from '../../../app/open-file.ts';
import { useActiveService } from '../../../app/stores.ts';
import { useAct } from '../../../app/use-act.ts';
import { announce } from '../../../ui/announce.tsx';
import { seekObject, select } from '../state/browser-store.ts';
import { needsQuestion, type DownloadEstimate } from './download-guard.ts';
import { nothingSelected } from '../state/selection.ts';
import { forgetObjects } from './forget-objects.ts';
import { useDeletion } from './use-deletion.ts';

/**
 * The actions on a selection. A failure stays in `act` until the next action.
 * @param downloadsBelow of a folder: downloads keep the folders below this one; omitted: the open place
 */
export function useObjectActions(selection: Selection | null, downloadsBelow?: string) {
  const client = useClient();
  const act = useAct();
  const service = useActiveService();
  const deletion = useDeletion(start);
  const [reclassified, setReclassified] = useState<Selection | null>(null);
  const [moved, setMoved] = useState<Moved | null>(null);
  const [large, setLarge] = useState<LargeDownload | null>(null);

  function start(work: (chosen: Selection) => Promise<void>) {
    if (selection !== null) void act.run(() => work(selection));
  }

  /** Downloads at once, or asks first if the download is large. */
  function startGuarded(download: (chosen: Selection) => Promise<void>) {
    start(async (chosen) => {
      const estimate = await client.call('objects.downloadEstimate', { selection: chosen });
      if (!needsQuestion(estimate)) return download(chosen);
      const begin = () => {
        setLarge(null);
        void act.run(() => download(chosen));
      };
      return setLarge({ estimate, begin });
    });
  }
  /** Whether *Open* opens it; any other is shown in its folder. */
  const opens = (row: ObjectRecord) => isOpenable(objectFileName(row, service?.separator ?? '/'));
  const below = () => downloadsBelow ?? folderOf(usePlace.getState());

  return {
    act,
    /** The large download being confirmed; null: none. */
    large,
    closeLarge: () => setLarge(null),
    ...deletion,
    /** The selection whose classification is being chosen; null: none. */
    reclassified,
    askToReclassify: () => setReclassified(selection),
    closeReclassify: () => setReclassified(null),
    /** The selection whose new identifiers are being chosen; null: none. */
    moved,
    askToMove: () => setMoved(selection && { selection }),
    askToMoveAll: (all: Selection) => setMoved({ selection: all }),
    askToMoveTo: setMoved,
    moveInto: (into: string, dragged: Selection) =>
      void act.run(async () => {
        if (service !== null && !(await moveAtOnce(client, service, dragged, into)))
          setMoved({ selection: dragged, into });
      }),
    closeMove: () => setMoved(null),
    download: () =>
      startGuarded(async (chosen) => {
        const asked = { selection: chosen, saveAs: false, below: below() };
        sayDownloading(await client.call('objects.download', asked));
      }),
    saveAs: () =>
      start(async (chosen) =>
        sayDownloading(await client.call('objects.download', { selection: chosen, saveAs: true })),
      ),
    downloadDeferred: () =>
      startGuarded(async (chosen) => {
        const { count } = await client.call('objects.downloadDeferred', {
          selection: chosen,
          below: below(),
        });
        announce(texts.deferred({ count }), 'polite', {
          isOnScreen: true,
        });
        turnDock('jobs');
      }),
    check: () =>
      start(async (chosen) => {
        await client.call('objects.check', { selection: chosen });
      }),
    copyFiles: () =>
      start(async (chosen) => {
        announce(texts.fetching, 'polite', { isOnScreen: true });
        const { count, isCopied } = await client.call('takeOut.copy', { selection: chosen });
        announce(isCopied ? texts.filesCopied({ count }) : texts.filesFetched({ count }));
      }),
    copyIdentifiers: () =>
      start(async (chosen) => {
        const { count } = await client.call('objects.copyIdentifiers', { selection: chosen });
        announce(texts.copied({ count }));
      }),
    copyLink: (objectId: number) =>
      void act.run(async () => {
        await client.call('links.copy', { objectId });
        announce(texts.linkCopied);
      }),
    /** Asks the service for versions that the list doesn't have. */
    findVersions: (id: number) =>
      void act.run(async () => {
        announce(versionTexts.found({ count: (await client.call('objects.findVersions', { id })).added }));
      }),
    opens,
    /** Opens a read-only copy, or shows it in its folder. */
    open: (row: ObjectRecord) =>
      void act.run(async () => {
        if (opens(row)) announce(texts.opening, 'polite', { isOnScreen: true });
        else announce(texts.showing, 'polite', { hasBegun: true });
        await client.call('edits.open', { objectId: row.id });
      }),
    edit: (objectId: number) =>
      void act.run(async () => {
        const { isNew } = await client.call('edits.begin', { objectId });
        announce(isNew ? texts.openingToEdit : texts.editedAlready, 'polite', { hasBegun: isNew });
      }),
    showMoved: (row: ObjectRecord) => void act.run(() => showMoved(client, row)),
    openFile: (transferId: number) => openFile(client, transferId),
    showInFolder: (transferIds: readonly number[]) => showInFolder(client, transferIds),
    forget: () =>
      start(async (chosen) => {
        await forgetObjects(client, chosen);
        select(nothingSelected);
      }),
  };
}

const texts = objectTexts.said;

export type Moved = {
  selection: Selection;
  /** The folder they were dropped on, '' for the root. */
  into?: string;
  /** The folder that is renamed. */
  folder?: string;
  /** The identifier or path that is taken. */
  wanted?: string;
};

/** Shows the object at the identifier that this one was moved to, even if it has been deleted since. */
async function showMoved(client: Client, { serviceId, kind, movedTo }: ObjectRecord): Promise<void> {
  const asked = { serviceId, kind, identifier: movedTo ?? '' };
  const { id, state } = await client.call('objects.find', asked);
  seekObject(id, kind, { kind: state === 'gone' ? 'gone' : 'all' });
}

/** Moves what was dropped on a folder, and offers to undo it. @returns false: names are taken there, and nothing moves */
async function moveAtOnce(
  client: Client,
  service: Pick<Service, 'id' | 'separator'>,
  selection: Selection,
  folder: string,
): Promise<boolean> {
  const asked = { selection, to: { kind: 'folder' as const, folder }, ifFree: true as const };
  const moved = await client.call('objects.move', asked);
  const { count, transferIds, folders = [], places = [] } = moved;
  if (moved.taken > 0) return false;
  if (transferIds.length + folders.length > 0) select(nothingSelected);
  if (transferIds.length === 0) {
    followMove(client, service, 'move', moved);
    if (count > 0 || folders.length === 0)
      announce(objectChangeTexts.move.started({ count }), 'polite', { isOnScreen: count > 0 });
    return true;
  }
  followPlaces(service, places);
  offerUndo(texts.moving({ count, folder: folder === '' ? objectTexts.place.files : folder }), {
    ...undoOfMove(client, service, 'move', moved),
    hasBegun: true,
  });
  return true;
}

type LargeDownload = { estimate: DownloadEstimate; begin: () => void };

/** @param started null: cancelled by the person */
function sayDownloading(started: { count: number } | null): void {
  if (started === null) return;
  turnDock('transfers');
  // Visible in the dock or the bottom line; the text must not suggest that it is done.
  announce(texts.downloading({ count: started.count }), 'polite', { isOnScreen: true });
}

export type ObjectActions = ReturnType<typeof useObjectActions>;
