import type { Handlers, Input } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import {
  checkFolderName,
  folderPrefix,
  isWithin,
  opposite,
  type FolderChange,
} from '../../shared/domain/folder.ts';
import type { ObjectRecord, Selection } from '../../shared/domain/object.ts';
import type { Connections } from '../connections/connections.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { newBaseOf } from './new-base.ts';

/** Moves what points at folders along with them. */
export type FollowFolders = (serviceId: string, changes: readonly FolderChange[]) => Promise<void>;

/** Makes and removes folders without objects. No service is asked: it knows no folders. */
export function createMadeFolders({
  catalogue,
  connections,
  followFolders,
}: {
  catalogue: Pick<Catalogue, 'makeFolder' | 'madeFolders' | 'changeFolders'>;
  connections: Pick<Connections, 'factsOf'>;
  followFolders: FollowFolders;
}): { handlers: Pick<Handlers, 'objects.makeFolder' | 'objects.removeFolders' | 'objects.undoFolders'> } {
  return {
    handlers: {
      'objects.makeFolder': async ({ serviceId, into, name }) => {
        const { separator } = await connections.factsOf(serviceId);
        const verdict = checkFolderName(name, separator);
        if (!verdict.ok) throw new AppFailure({ code: 'badIdentifier', problem: verdict.problem });
        const path = folderPrefix(into, separator) + name;
        return { path, taken: await catalogue.makeFolder(serviceId, path) };
      },
      'objects.removeFolders': async ({ serviceId, paths, isDryRun = false }) => {
        const { separator } = await connections.factsOf(serviceId);
        const removed = keptIn(await catalogue.madeFolders(serviceId), paths, separator);
        const changes = removed.map((from) => ({ from, to: null }));
        return { changes: isDryRun ? changes : await catalogue.changeFolders(serviceId, changes) };
      },
      'objects.undoFolders': async ({ serviceId, changes, places = [] }) => {
        await catalogue.changeFolders(serviceId, changes.map(opposite));
        await followFolders(serviceId, places.map(opposite));
        return undefined;
      },
    },
  };
}

/** Those of the folders `kept` that are among these, or inside of one. */
function keptIn(kept: readonly string[], paths: readonly string[], separator: string): string[] {
  return kept.filter((path) => paths.some((folder) => isWithin(path, folder, separator)));
}

/** Selected folders without any object; null: there are objects, or none of the folders is kept without. */
export async function findFolders(
  { catalogue, connections }: { catalogue: FolderSource; connections: Pick<Connections, 'factsOf'> },
  selection: Selection,
): Promise<{ ids: Float64Array; first: Pick<ObjectRecord, 'serviceId' | 'kind'> } | null> {
  if (selection.kind !== 'folders') return null;
  const { serviceId, paths } = selection;
  const ids = await catalogue.idsOf(selection);
  const { separator } = await connections.factsOf(serviceId);
  const kept = keptIn(await catalogue.madeFolders(serviceId), paths, separator);
  return ids.length > 0 || kept.length === 0 ? null : { ids, first: { serviceId, kind: 'data' } };
}

type FolderSource = Pick<Catalogue, 'idsOf' | 'madeFolders'>;

/** What a move of a selection means for the folders without objects among it. @param kept all of the service */
export function planFolders(
  kept: readonly string[],
  selection: Selection,
  to: Input<'objects.move'>['to'],
  separator: string,
): FolderChange[] {
  if (to.kind === 'name') return [];
  const tops = topsOf(selection, to, separator);
  return keptIn(kept, tops, separator).flatMap((from) => {
    const top = tops.find((folder) => isWithin(from, folder, separator)) ?? from;
    const moved = withoutEnd(newBaseOf(from + separator, top, to, separator), separator);
    if (moved === from) return [];
    return { from, to: moved === '' ? null : moved };
  });
}

/** The folders that a person moves as a whole, and does not join with others. */
export async function planPlaces(
  { catalogue, connections }: { catalogue: FolderSource; connections: Pick<Connections, 'factsOf'> },
  serviceId: string,
  selection: Selection,
  to: Input<'objects.move'>['to'],
): Promise<FolderChange[]> {
  const { separator } = await connections.factsOf(serviceId);
  const made = new Set(await catalogue.madeFolders(serviceId));
  const places: FolderChange[] = [];
  for (const place of planFolders(topsOf(selection, to, separator), selection, to, separator)) {
    if (place.to === null || made.has(place.to)) continue;
    const there = { kind: 'folders' as const, serviceId, paths: [place.to], and: null };
    if ((await catalogue.idsOf(there)).length === 0) places.push(place);
  }
  return places;
}

/** The folders without objects in which these identifiers are: no longer so, until it is undone. */
export function foldersFilled(
  kept: readonly string[],
  identifiers: readonly string[],
  separator: string,
): FolderChange[] {
  const isFilled = (path: string) => identifiers.some((identifier) => isWithin(identifier, path, separator));
  return kept.filter(isFilled).map((from) => ({ from, to: null }));
}

function topsOf(selection: Selection, to: Input<'objects.move'>['to'], separator: string): readonly string[] {
  if (to.kind === 'beginning') return [withoutEnd(to.from, separator)];
  return selection.kind === 'folders' ? selection.paths : [];
}

function withoutEnd(path: string, separator: string): string {
  return path.endsWith(separator) ? withoutEnd(path.slice(0, -separator.length), separator) : path;
}
