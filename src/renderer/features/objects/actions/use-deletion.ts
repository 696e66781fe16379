import { useState } from 'react';
import type { Selection } from '../../../../shared/domain/object.ts';
import { type Client, useClient } from '../../../app/client.ts';
import { offerUndo } from '../../../app/undo.ts';
import { folderTexts } from '../../../i18n/folder-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { useBrowser } from '../state/browser-store.ts';
import { isSelected, noFolders, nothingSelected, type ObjectSelection } from '../state/selection.ts';
import { freeze } from './freeze.ts';

/** Above this many objects a deletion is asked about. */
const mostUnasked = 20;

/** `isNow`: without the ten seconds in which it can be undone. */
type Doomed = { selection: Selection; isNow: boolean; folders?: DoomedFolders };

/** Folders without objects, which are only on the list. */
export type DoomedFolders = Pick<Extract<Selection, { kind: 'folders' }>, 'serviceId' | 'paths'>;

/** Deletes what is chosen, or asks first. @param start runs work on it */
export function useDeletion(start: (work: (chosen: Selection) => Promise<void>) => void) {
  const client = useClient();
  const [doomed, setDoomed] = useState<Doomed | null>(null);

  function remove(isNow: boolean) {
    start(async (chosen) => {
      const selection = await freeze(client, chosen);
      if (chosen.kind === 'folders') {
        const folders = await emptyFolders(client, chosen);
        const { count } = await client.call('objects.summarize', { selection });
        if (count > 0) return setDoomed({ selection, isNow, folders });
        await removeFolders(client, folders);
        return useBrowser.setState({ folders: noFolders });
      }
      if (await isAsked(client, selection)) return setDoomed({ selection, isNow });
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

/** Those of the folders, and of what is in them, that have no objects. */
async function emptyFolders(client: Client, { serviceId, paths }: DoomedFolders): Promise<DoomedFolders> {
  const found = await client.call('objects.removeFolders', { serviceId, paths, isDryRun: true });
  return { serviceId, paths: found.changes.flatMap(({ from }) => from ?? []) };
}

/** Removes them from the list, by the list alone. */
export async function removeFolders(client: Client, folders: DoomedFolders): Promise<void> {
  if (folders.paths.length === 0) return;
  const { changes } = await client.call('objects.removeFolders', folders);
  if (changes.length === 0) return;
  offerUndo(folderTexts.removed({ count: changes.length }), {
    of: 'delete',
    key: `folders ${JSON.stringify(changes)}`,
    run: () => client.call('objects.undoFolders', { serviceId: folders.serviceId, changes }),
  });
}

/**
 * Deletes objects after ten seconds, in which it can be undone.
 * @param isNow at once
 * @param folders removed with them, and put back with them
 */
export async function deleteObjects(
  client: Client,
  selection: Selection,
  isNow: boolean,
  folders?: DoomedFolders,
): Promise<void> {
  const task = await client.call('objects.delete', { selection, ...(!isNow && { isHeld: true }) });
  const removed = folders?.paths.length ? await client.call('objects.removeFolders', folders) : undefined;
  if (isNow) return;
  const { id, total } = task;
  offerUndo(objectTexts.said.deleting({ count: total }), {
    of: 'delete',
    key: deletionKey(id),
    hasBegun: true,
    async run() {
      await client.call('tasks.cancel', { id });
      if (folders === undefined || removed === undefined || removed.changes.length === 0) return;
      await client.call('objects.undoFolders', { serviceId: folders.serviceId, changes: removed.changes });
    },
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
