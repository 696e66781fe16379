import { useEffect, useState } from 'react';
import type { Collections, Folder } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import type { SearchToken } from '../../../../shared/domain/search-tokens.ts';
import { useClassificationValues } from '../../../app/classification/classification-values.ts';
import { useClient } from '../../../app/client.ts';
import { useTeam } from '../../../app/stores.ts';
import { parentOf, type SearchSources } from './search-suggestions.ts';

type Known = { of: string; classifications: Collections['classifications']; folders: readonly Folder[] };
const nothing: Known = { of: '', classifications: [], folders: [] };

/**
 * The values that can complete the current token; loaded when a token is begun. If that fails, there are
 * none.
 */
export function useSearchSources(service: Service | null, token: SearchToken | null): SearchSources {
  const client = useClient();
  const [known, setKnown] = useState(nothing);
  const separator = service?.separator ?? '/';
  const parent = parentOf(token, separator);
  const wanted = parent !== null ? `folder ${parent}` : token?.key === 'class' ? 'class' : '';
  const of = service === null || wanted === '' ? '' : `${service.id} ${wanted}`;
  const serviceId = service?.id ?? '';
  useEffect(() => {
    if (of === '') return undefined;
    let live = true;
    const loading =
      parent === null
        ? client
            .call('objects.collections', { serviceId })
            .then(({ classifications }) => ({ classifications }))
        : client.call('objects.folders', { serviceId, parent }).then(({ folders }) => ({ folders }));
    loading.then(
      (loaded) => live && setKnown({ ...nothing, of, ...loaded }),
      () => undefined,
    );
    return () => {
      live = false;
    };
  }, [client, of, serviceId, parent]);
  const { classifications, folders } = known.of === of ? known : nothing;
  const classes = useClassificationValues(classifications);
  const team = useTeam(service?.id ?? null);
  const others = team?.people.filter(({ id }) => id !== team.status.me);
  // Two people may share a name, which then finds the objects of both.
  const people = others ? [...new Set(others.map(({ shown }) => shown))] : null;
  return { classes: classes.map(({ value }) => value), folders, separator, people };
}
