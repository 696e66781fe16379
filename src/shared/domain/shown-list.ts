import { z } from 'zod';
import { pathAfter, type FolderChange } from './folder.ts';
import { objectKindSchema, objectQuerySchema, placeSchema, searchLengthMax, type Place } from './object.ts';

const { sort } = objectQuerySchema.shape;
const newestFirst = { column: 'stored', direction: 'descending' } as const;
const byName = { column: 'identifier', direction: 'ascending' } as const;

/** What is in no folder was a place of its own before *Files* began there. */
const shownPlaceSchema = placeSchema
  .transform((place): Place => (place.kind === 'unfiled' ? { kind: 'folder', path: '' } : place))
  .pipe(placeSchema);

/** Which list of a service is shown, and the sort order of each; saved over a restart. */
export const shownListSchema = z.strictObject({
  kind: objectKindSchema,
  place: shownPlaceSchema,
  /** Those with a default were added later. `files`: of folders. */
  sorts: z.strictObject({
    files: sort.default(byName),
    objects: sort,
    secrets: sort,
    gone: sort,
    recent: sort.default(newestFirst),
  }),
});
export type ShownList = z.infer<typeof shownListSchema>;

export const favouriteNameMax = 200;

/** A place or a search that the person keeps in the sidebar. Those that differ in their names alone are the same. */
export const favouriteSchema = z.strictObject({
  kind: objectKindSchema,
  place: shownPlaceSchema,
  search: z.string().max(searchLengthMax),
  /** Given by the person; without one, a search is named by its words. Favourites of before have none. */
  name: z.string().min(1).max(favouriteNameMax).exactOptional(),
});
export type Favourite = z.infer<typeof favouriteSchema>;
export const favouritesMax = 50;

export function isSameFavourite(a: Favourite, b: Favourite): boolean {
  return keyOfFavourite(a) === keyOfFavourite(b);
}

/** Where a place is after folders were moved. */
export function placeAfter(place: Place, changes: readonly FolderChange[], separator: string): Place {
  if (place.kind !== 'folder') return place;
  const path = pathAfter(place.path, changes, separator);
  return path === place.path ? place : { ...place, path };
}

/** Favourites of folders that were moved, and of what is in them, under the new paths. Where two become one, the first stays. */
export function favouritesAfter(
  favourites: readonly Favourite[],
  changes: readonly FolderChange[],
  separator: string,
): Favourite[] {
  const moved = favourites.map((favourite) => {
    return { ...favourite, place: placeAfter(favourite.place, changes, separator) };
  });
  return moved.filter((one, at) => moved.findIndex((other) => isSameFavourite(one, other)) === at);
}

/** Unique key of a favourite. */
export function keyOfFavourite({ kind, place, search }: Favourite): string {
  const where = place.kind === 'folder' ? place.path : place.kind === 'classification' ? place.value : null;
  return JSON.stringify([kind, place.kind, where, search]);
}
