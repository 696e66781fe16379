import type { Output } from '../../../shared/contract.ts';
import { useClient } from '../../app/client.ts';
import { createRemoteStore, type RemoteState, useOwnRemoteStore } from '../../app/remote-store.ts';

/** The watched folders of a service. Use the service's id as key of the component. */
export function useWatchedFolders(serviceId: string): RemoteState<Output<'watch.list'>> {
  const client = useClient();
  return useOwnRemoteStore(() =>
    createRemoteStore({
      subscribe: (changed) => client.on('watch.changed', ({ revision }) => changed(revision)),
      load: () => client.call('watch.list', { serviceId }),
      revisionOf: ({ revision }) => revision,
    }),
  );
}
