import { isSameFavourite, type Favourite } from '../../shared/domain/shown-list.ts';
import { objectTexts } from '../i18n/object-texts.ts';
import { useClient } from './client.ts';
import { isTop, usePlace } from './place.ts';
import { sayFailure } from './say-failure.ts';
import { useActiveService, useRemoteStore, useStores } from './stores.ts';

const texts = objectTexts.favourite;

/** Whether a place or a search can be a favourite: the sidebar has the others anyway. */
export function canBeFavourite({ place, search }: Favourite): boolean {
  return search !== '' || (place.kind === 'folder' && !isTop(place));
}

/** The favourites of a service, oldest first. */
export function useFavourites(serviceId: string | undefined): readonly Favourite[] {
  return useRemoteStore(useStores().services).value?.favourites?.[serviceId ?? ''] ?? [];
}

/** Whether a place or a search is a favourite, and a function to toggle it. */
export function useFavourite(
  serviceId: string,
  favourite: Favourite,
): { isKept: boolean; label: string; toggle: () => void } {
  const client = useClient();
  const isKept = useFavourites(serviceId).some((other) => isSameFavourite(other, favourite));
  return {
    isKept,
    label: isKept ? texts.remove : texts.add,
    toggle: () =>
      sayFailure(client.call('services.keepFavourite', { id: serviceId, favourite, isKept: !isKept })),
  };
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
