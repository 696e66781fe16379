import { useEffectEvent, useLayoutEffect, useState } from 'react';
import type { ShownList } from '../../shared/domain/shown-list.ts';
import { useClient } from './client.ts';
import { resetPlace, showPlace, sortOf, usePlace } from './place.ts';

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
    if (shown !== undefined && shown.place.kind !== 'all') void leaveEmpty(id, shown);
  });

  /** Do not start in a folder that is empty now. */
  async function leaveEmpty(id: string, shown: ShownList): Promise<void> {
    const { kind, place } = shown;
    const query = { serviceId: id, search: '', kind, place, sort: sortOf(shown) };
    const page = await client.call('objects.page', { query, offset: 0, limit: 1 }).catch(() => null);
    if (page?.total === 0 && usePlace.getState().place === shown.place)
      showPlace({ kind: 'all' }, shown.kind);
  }

  // Before its first paint.
  useLayoutEffect(() => {
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
