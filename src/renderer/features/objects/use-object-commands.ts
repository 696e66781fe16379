import type { ObjectRow } from '../../../shared/contract.ts';
import { useCommand } from '../../app/commands.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { announce } from '../../ui/announce.tsx';
import type { useObjectActions } from './use-object-actions.ts';

/** The commands of the menu and the keyboard for what is selected. */
export function useObjectCommands(
  actions: ReturnType<typeof useObjectActions>,
  selected: {
    /** Of what is selected something can be asked of the service. */
    canAsk: boolean;
    /** Only a failed upload: nothing of it can be downloaded, checked or deleted at the service. */
    isUnstored: boolean;
    /** The one that opens in a program; null: none does. */
    opened: ObjectRow | null;
  },
): void {
  const { canAsk, isUnstored, opened } = selected;
  const ifStored = (act: () => void) => () => {
    if (isUnstored) announce(objectTexts.said.unstored);
    else act();
  };
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
}
