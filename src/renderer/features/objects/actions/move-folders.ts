import type { FolderChange } from '../../../../shared/domain/folder.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import type { Client } from '../../../app/client.ts';
import { undoFolders } from '../../../app/undo-move.ts';
import { offerUndo } from '../../../app/undo.ts';
import { folderTexts } from '../../../i18n/folder-texts.ts';

/** Says that folders were moved, with a button that undoes it. */
export function offerMoveBack(
  client: Client,
  service: Pick<Service, 'id' | 'separator'>,
  selection: Selection,
  changes: FolderChange[],
  places: FolderChange[] = [],
): void {
  if (selection.kind !== 'folders' || changes.length === 0) return;
  offerUndo(folderTexts.moved({ count: changes.length }), {
    of: 'rename',
    key: `folders ${JSON.stringify(changes)}`,
    run: () => undoFolders(client, service, changes, places),
  });
}
