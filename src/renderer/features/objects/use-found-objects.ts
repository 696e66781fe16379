import { useEffect, useState } from 'react';
import type { ObjectRow } from '../../../shared/contract.ts';
import { useClient } from '../../app/client.ts';

export type FoundObjects = { rows: readonly ObjectRow[]; total: number };

const nothing: FoundObjects = { rows: [], total: 0 };
const shownMax = 5;

/** The first objects that have what was typed, wherever they stand; the answer to the last keystroke is shown. */
export function useFoundObjects(profileId: string | null, typed: string): FoundObjects {
  const client = useClient();
  const [found, setFound] = useState(nothing);
  const isAsked = profileId !== null && typed !== '';
  useEffect(() => {
    let live = true;
    if (profileId === null || typed === '') return undefined;
    const query = {
      profileId,
      kind: 'data' as const,
      place: { kind: 'all' as const },
      search: typed.slice(0, 1000),
      sort: { column: 'identifier' as const, direction: 'ascending' as const },
    };
    client.call('objects.page', { query, offset: 0, limit: shownMax }).then(
      ({ rows, total }) => live && setFound({ rows, total }),
      () => live && setFound(nothing),
    );
    return () => {
      live = false;
    };
  }, [client, profileId, typed]);
  return isAsked ? found : nothing;
}
