import { create } from 'zustand';
import type { ObjectKind, ObjectQuery, Place } from '../../shared/domain/object.ts';
import type { ShownList } from '../../shared/domain/shown-list.ts';
import type { ServiceField } from './service-field.ts';

/** What the middle of the window shows; shared by the sidebar and the object browser. */
export type PlaceState = {
  view: 'objects' | 'watch' | 'settings';
  kind: ObjectKind;
  place: Place;
  /** As typed. Cleared when the place changes. */
  search: string;
  sorts: ShownList['sorts'];
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
  place: { kind: 'all' },
  search: '',
  sorts: {
    objects: { column: 'stored', direction: 'descending' },
    secrets: { column: 'stored', direction: 'descending' },
    gone: { column: 'checked', direction: 'descending' },
    recent: { column: 'stored', direction: 'descending' },
  },
  setting: null,
  connecting: null,
  removing: null,
};

export const usePlace = create<PlaceState>()(() => start);

export function showPlace(place: Place, kind: ObjectKind = 'data'): void {
  usePlace.setState({ view: 'objects', kind, place, search: '', setting: null });
}

/** @param setting whose control gets the focus */
export function showSettings(setting: string | null = null): void {
  usePlace.setState({ view: 'settings', setting });
}

/** The folders of this computer that are watched. */
export function showWatched(): void {
  usePlace.setState({ view: 'watch', setting: null });
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

export function setSearch(search: string): void {
  usePlace.setState({ search });
}

/** The key of the open list's sort order. */
function sortedList({ kind, place }: Pick<PlaceState, 'kind' | 'place'>): keyof ShownList['sorts'] {
  if (kind === 'secret') return 'secrets';
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
  usePlace.setState(({ connecting }) => ({ ...start, ...shown, connecting }));
}

/** The folder for new objects: the one being shown. */
export function folderOf({ view, place }: Pick<PlaceState, 'view' | 'place'>): string {
  return view === 'objects' && place.kind === 'folder' ? place.path : '';
}
