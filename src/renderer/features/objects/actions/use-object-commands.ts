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
  const { canAsk, isUnstored, opened, stored, look, rename } = selected;
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
    canAsk,
  );
  useCommand('saveAs', actions.saveAs, stored !== null);
  useCommand('copyLink', () => stored && actions.copyLink(stored.id), stored !== null);
  useCommand('look', () => look?.(), look !== null);
  useCommand('copyFiles', ifStored(actions.copyFiles), canAsk);
  useCommand('copyIdentifiers', actions.copyIdentifiers, canAsk);
  useCommand('reclassify', ifStored(actions.askToReclassify), canAsk);
  useCommand('downloadDeferred', ifStored(actions.downloadDeferred), canAsk);
  useCommand('check', ifStored(actions.check), canAsk);
  useCommand('move', rename ?? actions.askToMove, rename !== null || (canAsk && !isUnstored));
  useCommand('delete', isUnstored ? actions.forget : actions.askToDelete, canAsk);
  useCommand('deleteNow', isUnstored ? actions.forget : actions.askToDeleteNow, canAsk);
}
