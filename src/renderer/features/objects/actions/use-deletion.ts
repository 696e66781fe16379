import { useState } from 'react';
import type { Selection } from '../../../../shared/domain/object.ts';
import { type Client, useClient } from '../../../app/client.ts';
import { offerUndo } from '../../../app/undo.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { useBrowser } from '../state/browser-store.ts';
import { isSelected, nothingSelected, type ObjectSelection } from '../state/selection.ts';
import { freeze } from './freeze.ts';

/** Above this many objects a deletion is asked about. */
const mostUnasked = 20;

/** `isNow`: without the ten seconds in which it can be undone. */
type Doomed = { selection: Selection; isNow: boolean };

/**
 * Deletes what is chosen, or asks first.
 * @param start runs work on it
 * @param isFolder it is what is in a folder
 */
export function useDeletion(start: (work: (chosen: Selection) => Promise<void>) => void, isFolder: boolean) {
  const client = useClient();
  const [doomed, setDoomed] = useState<Doomed | null>(null);

  function remove(isNow: boolean) {
    start(async (chosen) => {
      const selection = await freeze(client, chosen);
      if (isFolder || chosen.kind === 'folders' || (await isAsked(client, selection)))
        return setDoomed({ selection, isNow });
      await deleteObjects(client, selection, isNow);
      return useBrowser.setState(({ selection: shown }) =>
        isOf(shown, chosen) ? { selection: nothingSelected } : {},
      );
    });
  }
  return {
    /** The deletion that is being confirmed; null: none. */
    doomed,
    askToDelete: () => remove(false),
    askToDeleteNow: () => remove(true),
    closeDelete: () => setDoomed(null),
  };
}

/** Deletes objects after ten seconds, in which it can be undone. @param isNow at once */
export async function deleteObjects(client: Client, selection: Selection, isNow: boolean): Promise<void> {
  if (isNow) {
    await client.call('objects.delete', { selection });
    return;
  }
  const { id, total } = await client.call('objects.delete', { selection, isHeld: true });
  offerUndo(objectTexts.said.deleting({ count: total }), {
    of: 'delete',
    key: deletionKey(id),
    run: () => client.call('tasks.cancel', { id }),
  });
}

/** The key of its Undo, which is withdrawn once something is sent. */
export function deletionKey(taskId: number): string {
  return `deletion ${taskId}`;
}

/** Whether there are many, or it isn't clear what is meant by them: older versions, or what was never stored. */
async function isAsked(client: Client, selection: Selection): Promise<boolean> {
  const [{ count }, { states }, { older }] = await Promise.all([
    client.call('objects.summarize', { selection }),
    client.call('objects.mixOf', { selection }),
    client.call('objects.freezeVersions', { selection }),
  ]);
  return count > mostUnasked || older > 0 || states.some(({ state }) => state === 'failed');
}

/** Whether the selection of the list is what was acted on, and not a row that was chosen elsewhere. */
function isOf(shown: ObjectSelection, acted: Selection): boolean {
  return acted.kind !== 'ids' || acted.ids.every((id) => isSelected(shown, id));
}
