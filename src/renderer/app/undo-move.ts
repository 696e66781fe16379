import type { Output } from '../../shared/contract.ts';
import { folderTexts } from '../i18n/folder-texts.ts';
import { objectTexts } from '../i18n/object-texts.ts';
import { announce } from '../ui/announce.tsx';
import type { Service } from '../../shared/domain/service.ts';
import { opposite, type FolderChange } from '../../shared/domain/folder.ts';
import type { Client } from './client.ts';
import { followPlaces } from './place.ts';
import { offerUndo, type Undo, undoAct } from './undo.ts';

/** Moves that an undo has taken back or asked for: when they are said to be done, that is no further step to undo. */
export const undoneMoves = new Set<number>();

/** The key of the undo of these moves. */
export function moveKey([first]: readonly number[]): string {
  return `move ${String(first)}`;
}

/** Cancels what has not been moved yet, and moves back what has. Says how many can't be. */
export async function undoMove(client: Client, transferIds: readonly number[]): Promise<void> {
  for (const id of transferIds) undoneMoves.add(id);
  const { leftOut, transferIds: back } = await client.call('objects.undoMove', {
    transferIds: [...transferIds],
  });
  for (const id of back) undoneMoves.add(id);
  if (leftOut > 0) announce(objectTexts.said.notMovedBack({ count: leftOut }), 'assertive');
}

type Started = Pick<Output<'objects.move'>, 'transferIds' | 'folders' | 'places'>;

type MovedIn = Pick<Service, 'id' | 'separator'>;

/** Moves folders without objects back, and with them what points at the folders: favourites, and the open place. */
export async function undoFolders(
  client: Client,
  service: MovedIn,
  changes: FolderChange[],
  places: FolderChange[],
): Promise<void> {
  await client.call('objects.undoFolders', { serviceId: service.id, changes, places });
  followPlaces(service, places.map(opposite));
}

/** Undoes a move as a whole: its objects, and the folders without objects that went along or got their first one. */
export function undoOfMove(
  client: Client,
  service: MovedIn,
  of: 'move' | 'rename',
  { transferIds, folders = [], places = [] }: Started,
): Undo {
  return {
    of,
    key: moveKey(transferIds),
    transferIds,
    async run() {
      await undoMove(client, transferIds);
      if (folders.length + places.length > 0) await undoFolders(client, service, folders, places);
    },
  };
}

/**
 * What follows a move that has begun: the open place stays in its folder, and *Undo* is offered if folders went along,
 * of which its transfers say nothing when they are done. If only folders without objects moved, a message says so.
 */
export function followMove(
  client: Client,
  service: MovedIn,
  of: 'move' | 'rename',
  moved: Started & { count: number },
): void {
  const { count, transferIds, folders = [], places = [] } = moved;
  followPlaces(service, places);
  if (count === 0 && folders.length > 0)
    offerUndo(folderTexts.moved({ count: folders.length }), {
      of,
      key: `folders ${JSON.stringify(folders)}`,
      run: () => undoFolders(client, service, folders, places),
    });
  else if (transferIds.length > 0 && folders.length + places.length > 0)
    undoAct(undoOfMove(client, service, of, moved));
}
