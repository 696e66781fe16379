import { create } from 'zustand';
import { useEffectEvent, useLayoutEffect, useState } from 'react';
import type { ObjectKind, ObjectQuery, Place } from '../../shared/domain/object.ts';
import { placeAfter, type ShownList } from '../../shared/domain/shown-list.ts';
import type { Service } from '../../shared/domain/service.ts';
import { type FolderChange, folderAbove, nameWithin, pathAfter } from '../../shared/domain/folder.ts';
import { commonTexts } from '../i18n/common-texts.ts';
import { objectTexts } from '../i18n/object-texts.ts';
import type { ServiceField } from './service-field.ts';
import { useClient } from './client.ts';

/** What the middle of the window shows; shared by the sidebar and the object browser. */
export type PlaceState = {
  view: 'objects' | 'watch' | 'settings';
  kind: ObjectKind;
  place: Place;
  /** As typed. Cleared when the place changes. */
  search: string;
  sorts: ShownList['sorts'];
  /** Paths of the folders that are expanded in the sidebar. */
  expanded: ReadonlySet<string>;
  /** The setting to scroll to, by its visible name; null: none, or its control has the focus already. */
  setting: string | null;
  /** The open connection form: the service to edit (null: a new one), and the field to focus. */
  connecting: { serviceId: string | null; field: ServiceField | null } | null;
  /** The service whose removal is being confirmed. */
  removing: string | null;
};

const start: PlaceState = {
  view: 'objects',
  kind: 'data',
  place: { kind: 'folder', path: '' },
  search: '',
  sorts: {
    files: { column: 'identifier', direction: 'ascending' },
    objects: { column: 'stored', direction: 'descending' },
    secrets: { column: 'stored', direction: 'descending' },
    gone: { column: 'checked', direction: 'descending' },
    recent: { column: 'stored', direction: 'descending' },
  },
  expanded: new Set(),
  setting: null,
  connecting: null,
  removing: null,
};

export const usePlace = create<PlaceState>()(() => start);

type Visit = Pick<PlaceState, 'view' | 'kind' | 'place' | 'search'>;

const visitsMax = 100;
/** The places visited before and after the one shown; the nearest is the last of each. */
let visits: Record<'back' | 'forward', readonly Visit[]> = { back: [], forward: [] };

function visit(next: Partial<Visit>, setting: PlaceState['setting'] = null): void {
  const from = here();
  usePlace.setState({ ...next, setting });
  if (isSameVisit(from, here())) return;
  visits = { back: [...visits.back, from].slice(-visitsMax), forward: [] };
}

function here(): Visit {
  const { view, kind, place, search } = usePlace.getState();
  return { view, kind, place, search };
}

/** What was searched for is no place of its own. */
function isSameVisit(a: Visit, b: Visit): boolean {
  const keyOf = ({ view, kind, place }: Visit) => JSON.stringify(view === 'objects' ? [kind, place] : view);
  return keyOf(a) === keyOf(b);
}

/** Shows the place visited before this one, or after it, with its search. @returns whether there was one */
export function revisit(way: 'back' | 'forward'): boolean {
  const to = visits[way].at(-1);
  if (to === undefined) return false;
  const other = way === 'back' ? 'forward' : 'back';
  visits = { ...visits, [way]: visits[way].slice(0, -1), [other]: [...visits[other], here()] };
  usePlace.setState({ ...to, setting: null });
  return true;
}

export function showPlace(place: Place, kind: ObjectKind = 'data'): void {
  visit({ view: 'objects', kind, place, search: '' });
}

/** @param setting whose control gets the focus */
export function showSettings(setting: string | null = null): void {
  visit({ view: 'settings' }, setting);
}

/** Call when its control has the focus. */
export function reachSetting(): void {
  usePlace.setState({ setting: null });
}

export function showConnect(serviceId: string | null, field: ServiceField | null = null): void {
  usePlace.setState({ connecting: { serviceId, field } });
}

export function closeConnect(): void {
  usePlace.setState({ connecting: null });
}

/** Asks whether to remove a service; null: closes the question. */
export function showRemove(serviceId: string | null): void {
  usePlace.setState({ removing: serviceId });
}

/** Expands folders in the sidebar, or collapses them. */
export function setExpanded(paths: readonly string[], isExpanded: boolean): void {
  usePlace.setState(({ expanded }) => {
    const others = [...expanded].filter((path) => !paths.includes(path));
    return { expanded: new Set(isExpanded ? [...others, ...paths] : others) };
  });
}

export function setSearch(search: string): void {
  usePlace.setState({ search });
}

/** The key of the open list's sort order. */
function sortedList({ kind, place }: Pick<PlaceState, 'kind' | 'place'>): keyof ShownList['sorts'] {
  if (kind === 'secret') return 'secrets';
  if (place.kind === 'folder') return 'files';
  return place.kind === 'gone' || place.kind === 'recent' ? place.kind : 'objects';
}

export function sortOf(state: Pick<PlaceState, 'kind' | 'place' | 'sorts'>): ObjectQuery['sort'] {
  return state.sorts[sortedList(state)];
}

/** Sets the sort order of the open list. */
export function setSort(sort: ObjectQuery['sort']): void {
  usePlace.setState((state) => ({ sorts: { ...state.sorts, [sortedList(state)]: sort } }));
}

/** Call when the active service changes; an open form stays. @param shown what that service showed last */
export function resetPlace(shown?: ShownList): void {
  visits = { back: [], forward: [] };
  usePlace.setState(({ connecting }) => ({ ...start, ...shown, connecting }));
}

/** The service whose place is shown. */
let shownServiceId: string | null = null;

/** Stays in the open folder, and leads back to those visited, when they were moved; expanded folders stay expanded. */
export function followPlaces(
  { id, separator }: Pick<Service, 'id' | 'separator'>,
  changes: readonly FolderChange[],
): void {
  if (id !== shownServiceId || changes.length === 0) return;
  const follow = (at: Visit): Visit =>
    at.kind === 'data' ? { ...at, place: placeAfter(at.place, changes, separator) } : at;
  visits = { back: visits.back.map(follow), forward: visits.forward.map(follow) };
  usePlace.setState(({ expanded }) => ({
    place: follow(here()).place,
    expanded: new Set(Array.from(expanded, (path) => pathAfter(path, changes, separator))),
  }));
}

/** Whether it is *Files*. */
export function isTop(place: Place): boolean {
  return place.kind === 'folder' && place.path === '';
}

/** The folder for new objects: the one being shown. */
export function folderOf({ view, place }: Pick<PlaceState, 'view' | 'place'>): string {
  return view === 'objects' && place.kind === 'folder' ? place.path : '';
}

/** A folder by its last segment: the folders above are shown before it. The top is *Files*. */
export function placeTitle(place: Place, separator: string): string {
  switch (place.kind) {
    case 'all':
      return objectTexts.place.all;
    case 'unfiled':
      return objectTexts.place.files;
    case 'folder':
      if (place.path === '') return objectTexts.place.files;
      return nameWithin(place.path, folderAbove(place.path, separator), separator);
    case 'classification':
      return place.value ?? commonTexts.serviceDefault;
    case 'gone':
      return objectTexts.place.gone;
    case 'attention':
      return objectTexts.place.attention;
    case 'recent':
      return objectTexts.place.recent;
  }
}

/**
 * Restores each service's list and sort orders as they were left, also after a restart, but not the search.
 * @param kept the lists stored in main
 */
export function usePlaceMemory(
  serviceId: string | null,
  kept: Readonly<Record<string, ShownList>> | undefined,
): void {
  const client = useClient();
  const [left] = useState(() => new Map<string, ShownList>());

  const restore = useEffectEvent((id: string) => {
    const shown = left.get(id) ?? kept?.[id];
    resetPlace(shown);
    if (shown !== undefined && shown.place.kind !== 'all' && !isTop(shown.place)) void leaveEmpty(id, shown);
  });

  /** Do not start in a folder that is empty now. */
  async function leaveEmpty(id: string, shown: ShownList): Promise<void> {
    const { kind, place } = shown;
    const query = { serviceId: id, search: '', kind, place, oneLevel: true, sort: sortOf(shown) };
    const page = await client.call('objects.page', { query, offset: 0, limit: 1 }).catch(() => null);
    const isEmpty = page?.total === 0 && !page.folders?.isKept && (page.folders?.total ?? 0) === 0;
    if (isEmpty && usePlace.getState().place === shown.place)
      showPlace(kind === 'secret' ? { kind: 'all' } : start.place, kind);
  }

  // Before its first paint.
  useLayoutEffect(() => {
    shownServiceId = serviceId;
    if (serviceId === null) {
      resetPlace();
      return undefined;
    }
    restore(serviceId);
    return usePlace.subscribe(({ kind, place, sorts }, before) => {
      if (kind === before.kind && place === before.place && sorts === before.sorts) return;
      const shown = { kind, place, sorts };
      left.set(serviceId, shown);
      // Not important: if it cannot be saved, only the next start is affected.
      client.call('services.rememberShown', { id: serviceId, shown }).catch(() => undefined);
    });
  }, [client, serviceId, left]);
}
