import { useEffect, useState } from 'react';
import type { LeftParts } from '../../shared/contract.ts';
import { useClient } from './client.ts';

const none: readonly LeftParts[] = [];

/** Parts of deleted files and cancelled uploads that are left at a service until a person wants them removed. */
export function useLeftParts(profileId: string): readonly LeftParts[] {
  const client = useClient();
  const [left, setLeft] = useState({ profileId, uploads: none });

  useEffect(() => {
    let isLive = true;
    const look = () => {
      client.call('objects.leftParts', { profileId }).then(
        ({ uploads }) => isLive && setLeft({ profileId, uploads }),
        // Saying nothing is safe: the next change asks again.
        () => undefined,
      );
    };
    look();
    const stop = client.on('objects.changed', (changed) => {
      if (changed.profileId === profileId) look();
    });
    return () => {
      isLive = false;
      stop();
    };
  }, [client, profileId]);

  return left.profileId === profileId ? left.uploads : none;
}
