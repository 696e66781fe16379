import { useEffect } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { createRemoteStore, useOwnRemoteStore } from '../../app/remote-store.ts';

export type Curation = Output<'team.curation'>;

/** This person's access and, for curators, the whole team. */
export type Membership = Output<'team.membership'>;

/** Props of a tab of `ManageDialog`. */
export type PartProps = {
  service: Service;
  curation: Curation;
  /** Runs a change, reports its failure, and refreshes. */
  change: (work: () => Promise<unknown>) => Promise<void>;
  /** To be called after a change made by another dialog. */
  refresh: () => Promise<void>;
};

/** Interval of refreshes, in ms, while the server assigns objects to their areas. */
const settlingMs = 3000;

/** Loaded once, after each change made here, and while objects are being assigned: each load connects to the team's server. */
export function useCuration(serviceId: string) {
  const client = useClient();
  const remote = useOwnRemoteStore<Membership>(() =>
    createRemoteStore({
      subscribe: () => () => undefined,
      load: () => client.call('team.membership', { serviceId }),
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
