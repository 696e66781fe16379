import { create } from 'zustand';
import type { UndoQuestion } from '../../shared/contract.ts';
import { commonTexts } from '../i18n/common-texts.ts';
import { replaceTexts } from '../i18n/replace-texts.ts';
import { announce } from '../ui/announce.tsx';
import type { Client } from './client.ts';
import { sayFailure } from './say-failure.ts';

/** The Undo that asks which classification to restore with; null: none. */
export const useUndoQuestion = create<{ asked: (UndoQuestion & { id: string }) | null }>()(() => ({
  asked: null,
}));

/** Undoes a Replace by an upload, which is listed like any other. Asks if that would change the object's classification. */
export function undoReplace(client: Client, id: string): void {
  sayFailure(
    client.call('undo.restore', { id, classification: 'ask' }).then((answer) => {
      if ('transferId' in answer) announce(replaceTexts.undoing, 'polite', { isOnScreen: true });
      else if (useUndoQuestion.getState().asked === null)
        useUndoQuestion.setState({ asked: { ...answer, id } });
      // It would take the place of the question that is being answered.
      else announce(commonTexts.closeDialogFirst, 'assertive');
    }),
  );
}

/** The person has decided. */
export async function undoAs(client: Client, id: string, classification: 'kept' | 'present'): Promise<void> {
  await client.call('undo.restore', { id, classification });
  announce(replaceTexts.undoing, 'polite', { isOnScreen: true });
}
