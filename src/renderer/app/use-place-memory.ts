import { useEffectEvent, useLayoutEffect, useState } from 'react';
import type { ShownList } from '../../shared/domain/shown-list.ts';
import { useClient } from './client.ts';
import { resetPlace, showPlace, sortOf, usePlace } from './place.ts';

/**
 * Each service is shown as it was left, also after a restart: its list and the orders, not what was searched for.
 * @param kept what main knows of earlier times
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

  /** A folder of which nothing is left is no place to begin at. */
  async function leaveEmpty(id: string, shown: ShownList): Promise<void> {
    const { kind, place } = shown;
    const query = { serviceId: id, search: '', kind, place, sort: sortOf(shown) };
    const page = await client.call('objects.page', { query, offset: 0, limit: 1 }).catch(() => null);
    if (page?.total === 0 && usePlace.getState().place === shown.place)
      showPlace({ kind: 'all' }, shown.kind);
  }

  // Before the first picture of it.
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
      // Only a memory: when it cannot be kept, the list is as it is now.
      client.call('services.rememberShown', { id: serviceId, shown }).catch(() => undefined);
    });
  }, [client, serviceId, left]);
}
