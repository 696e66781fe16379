import { useEffect, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { type ObjectKind, searchLengthMax } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import { useClient } from '../../../app/client.ts';

/** `total` does not include secrets. */
export type FoundObjects = { rows: readonly ObjectRow[]; total: number; secrets: readonly ObjectRow[] };

const nothing: FoundObjects = { rows: [], total: 0, secrets: [] };
const shownMax = 5;

/** The first objects and secrets that match the text anywhere; shows the answer to the last keystroke. */
export function useFoundObjects(service: Service | null, typed: string): FoundObjects {
  const serviceId = service?.id ?? null;
  const client = useClient();
  const [found, setFound] = useState(nothing);
  const isAsked = serviceId !== null && typed !== '';
  useEffect(() => {
    let live = true;
    if (serviceId === null || typed === '') return undefined;
    const ask = (kind: ObjectKind) => {
      const query = {
        serviceId,
        kind,
        place: { kind: 'all' as const },
        search: typed.slice(0, searchLengthMax),
        sort: { column: 'identifier' as const, direction: 'ascending' as const },
      };
      return client.call('objects.page', { query, offset: 0, limit: shownMax });
    };
    Promise.all([ask('data'), ask('secret')]).then(
      ([objects, secrets]) =>
        live && setFound({ rows: objects.rows, total: objects.total, secrets: secrets.rows }),
      () => live && setFound(nothing),
    );
    return () => {
      live = false;
    };
  }, [client, serviceId, typed]);
  return isAsked ? found : nothing;
}
