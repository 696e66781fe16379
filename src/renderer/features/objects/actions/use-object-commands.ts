import { useEffect } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { useCommand } from '../../../app/commands.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { useBrowser } from '../state/browser-store.ts';
import type { useObjectActions } from './use-object-actions.ts';

/** The commands of the menu and the keyboard for the selection. */
export function useObjectCommands(
  actions: ReturnType<typeof useObjectActions>,
  selected: {
    /** Whether something is selected, in a place other than *Deleted*. */
    canAsk: boolean;
    /** Whether there are objects in the selection, and not only folders without any. */
    hasObjects: boolean;
    /** Whether only a failed upload is selected, which cannot be downloaded, checked or deleted at the service. */
    isUnstored: boolean;
    /** The object that can be opened in a program; null: none. */
    opened: ObjectRow | null;
    /** The only selected object that the service has; null: none. */
    stored: ObjectRow | null;
    /** Opens Quick look; null: on nothing. */
    look: (() => void) | null;
    /** Asks for a new path of the folder to rename as a whole; null: it is none. */
    rename: (() => void) | null;
  },
): void {
  const { canAsk, hasObjects, isUnstored, opened, stored, look, rename } = selected;
  const canFetch = canAsk && hasObjects;
  const ifStored = (act: () => void) => () => {
    if (isUnstored) announce(objectTexts.said.unstored);
    else act();
  };
  const isOnlyShown = opened !== null && !actions.opens(opened);
  useEffect(() => useBrowser.setState({ isOnlyShown }), [isOnlyShown]);
  useCommand('open', () => opened && actions.open(opened), opened !== null);
  useCommand('edit', () => opened && actions.edit(opened.id), opened !== null);
  useCommand(
    'download',
    ifStored(() => actions.download()),
    canFetch,
  );
  useCommand('saveAs', actions.saveAs, stored !== null);
  useCommand('copyLink', () => stored && actions.copyLink(stored.id), stored !== null);
  useCommand('look', () => look?.(), look !== null);
  useCommand('copyFiles', ifStored(actions.copyFiles), canFetch);
  useCommand('copyIdentifiers', actions.copyIdentifiers, canFetch);
  useCommand('reclassify', ifStored(actions.askToReclassify), canFetch);
  useCommand('downloadDeferred', ifStored(actions.downloadDeferred), canFetch);
  useCommand('check', ifStored(actions.check), canFetch);
  useCommand('move', rename ?? actions.askToMove, rename !== null || (canAsk && !isUnstored));
  useCommand('delete', isUnstored ? actions.forget : actions.askToDelete, canAsk);
  useCommand('deleteNow', isUnstored ? actions.forget : actions.askToDeleteNow, canAsk);
}
