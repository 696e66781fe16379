import { isSameFavourite, type Favourite } from '../../shared/domain/shown-list.ts';
import { usePlace } from './place.ts';
import { useActiveService, useRemoteStore, useStores } from './stores.ts';

/** The favourites of a service, oldest first. */
export function useFavourites(serviceId: string | undefined): readonly Favourite[] {
  return useRemoteStore(useStores().services).value?.favourites?.[serviceId ?? ''] ?? [];
}

/** The favourite that the window shows; undefined: none. */
export function useOpenFavourite(): Favourite | undefined {
  const favourites = useFavourites(useActiveService()?.id);
  return usePlace(({ view, kind, place, search }) => {
    if (view !== 'objects') return undefined;
    const shown = { kind, place, search: search.trim() };
    return favourites.find((favourite) => isSameFavourite(favourite, shown));
  });
}
