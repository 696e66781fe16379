import { useEffect, useState } from 'react';
import type { LeftParts } from '../../shared/contract.ts';
import { useClient } from './client.ts';

const none: readonly LeftParts[] = [];

/** Parts of deleted files and cancelled uploads that stay at a service until the person removes them. */
export function useLeftParts(serviceId: string): readonly LeftParts[] {
  const client = useClient();
  const [left, setLeft] = useState({ serviceId, uploads: none });

  useEffect(() => {
    let isLive = true;
    const load = () => {
      client.call('objects.leftParts', { serviceId }).then(
        ({ uploads }) => isLive && setLeft({ serviceId, uploads }),
        // Showing nothing is safe: the next change loads again.
        () => undefined,
      );
    };
    load();
    const stop = client.on('objects.changed', (changed) => {
      if (changed.serviceId === serviceId) load();
    });
    return () => {
      isLive = false;
      stop();
    };
  }, [client, serviceId]);

  return left.serviceId === serviceId ? left.uploads : none;
}
