import { useEffect, useState } from 'react';
import { useClient } from '../../app/client.ts';

const none: readonly string[] = [];

/** The classifications in the service's order; none while they are not known. The picker tells why, not the list. */
export function useListedClasses(profileId: string | null): readonly string[] {
  const client = useClient();
  const [known, setKnown] = useState<{ of: string; values: readonly string[] } | null>(null);
  useEffect(() => {
    let live = true;
    if (profileId === null) return undefined;
    const look = () =>
      client.call('classifications.list', { profileId, folder: '', refresh: false }).then(
        ({ values }) => live && setKnown({ of: profileId, values: values.map(({ value }) => value) }),
        () => undefined,
      );
    void look();
    // Where they come from may be another now.
    const stop = client.on('profiles.changed', () => void look());
    return () => {
      live = false;
      stop();
    };
  }, [client, profileId]);
  return known !== null && known.of === profileId ? known.values : none;
}
