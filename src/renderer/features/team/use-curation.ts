import { useEffect } from 'react';
import type { Output } from '../../../shared/contract.ts';
import { isWholeList } from '../../../shared/domain/team-area.ts';
import type { Service } from '../../../shared/domain/service.ts';
import type { TeamArea } from '../../../shared/domain/team.ts';
import { useClient } from '../../app/client.ts';
import { createRemoteStore, useOwnRemoteStore } from '../../app/remote-store.ts';

export type Curation = Output<'team.curation'>;

/** What a person may do, and all of the team if they curate it. */
export type Membership = { mine: readonly TeamArea[]; curation: Curation | null };

/** Of a part of the team's window. */
export type PartProps = {
  service: Service;
  curation: Curation;
  /** Reports a failure itself. */
  change: (work: () => Promise<unknown>) => Promise<void>;
  /** After something that a dialog of its own has done. */
  refresh: () => Promise<void>;
};

/** While objects are given to their areas. */
const settlingMs = 3000;

/** Asked of the team's server once, and again after each change that is made here: it is another visit each time. */
export function useCuration(serviceId: string) {
  const client = useClient();
  const remote = useOwnRemoteStore<Membership>(() =>
    createRemoteStore({
      subscribe: () => () => undefined,
      load: async () => {
        const { areas } = await client.call('team.access', { serviceId });
        const isCurator = areas.some((area) => isWholeList(area) && area.may === 'curate');
        return {
          mine: areas,
          curation: isCurator ? await client.call('team.curation', { serviceId }) : null,
        };
      },
    }),
  );
  const { value, refresh } = remote;
  const isSettling = value?.curation?.unsettled != null;
  useEffect(() => {
    if (!isSettling) return undefined;
    const timer = setInterval(() => void refresh(), settlingMs);
    return () => clearInterval(timer);
  }, [isSettling, refresh]);
  return remote;
}
