import { create } from 'zustand';
import type { ObjectKind, ObjectQuery, Place } from '../../shared/domain/object.ts';
import type { ShownList } from '../../shared/domain/shown-list.ts';
import type { ServiceField } from './service-field.ts';

/** What the middle of the window shows; the left side and the object browser share it. */
export type PlaceState = {
  view: 'objects' | 'settings';
  kind: ObjectKind;
  place: Place;
  /** As typed. Another place empties it. */
  search: string;
  sorts: ShownList['sorts'];
  /** The setting that the settings open at, by the name it is shown under; null: none, or its control has the focus by now. */
  setting: string | null;
  /** The connection form over everything: a service to edit, null for a new one; and the field it is opened for. */
  connecting: { serviceId: string | null; field: ServiceField | null } | null;
  /** The service whose removal is asked about. */
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

/** Its control has the focus. */
export function reachSetting(): void {
  usePlace.setState({ setting: null });
}

export function showConnect(serviceId: string | null, field: ServiceField | null = null): void {
  usePlace.setState({ connecting: { serviceId, field } });
}

export function closeConnect(): void {
  usePlace.setState({ connecting: null });
}

/** Asks whether a service goes; null: no longer. */
export function showRemove(serviceId: string | null): void {
  usePlace.setState({ removing: serviceId });
}

export function setSearch(search: string): void {
  usePlace.setState({ search });
}

/** The list that is open. */
function sortedList({ kind, place }: Pick<PlaceState, 'kind' | 'place'>): keyof ShownList['sorts'] {
  if (kind === 'secret') return 'secrets';
  return place.kind === 'gone' ? 'gone' : 'objects';
}

export function sortOf(state: Pick<PlaceState, 'kind' | 'place' | 'sorts'>): ObjectQuery['sort'] {
  return state.sorts[sortedList(state)];
}

/** Of the list that is open. */
export function setSort(sort: ObjectQuery['sort']): void {
  usePlace.setState((state) => ({ sorts: { ...state.sorts, [sortedList(state)]: sort } }));
}

/** Another service has other places. An open form stays. @param shown what was shown of it last */
export function resetPlace(shown?: ShownList): void {
  usePlace.setState(({ connecting }) => ({ ...start, ...shown, connecting }));
}

/** Where new objects go: the folder that is shown. */
export function folderOf({ view, place }: Pick<PlaceState, 'view' | 'place'>): string {
  return view === 'objects' && place.kind === 'folder' ? place.path : '';
}
