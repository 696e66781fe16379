import type { Favourite } from '../../shared/domain/shown-list.ts';
import { useRemoteStore, useStores } from './stores.ts';

/** The favourites of a service, oldest first. */
export function useFavourites(serviceId: string): readonly Favourite[] {
  return useRemoteStore(useStores().services).value?.favourites?.[serviceId] ?? [];
}
