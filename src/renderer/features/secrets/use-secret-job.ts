import type { ObjectRow } from '../../../shared/contract.ts';
import { isFinished, type Transfer } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import { createRemoteStore, useOwnRemoteStore } from '../../app/remote-store.ts';

const filterMax = 200;
const lookedThrough = 50;

/** The deferred request that is storing or reading this secret; null: none, or not known yet. */
export function useSecretJob(
  { id, identifier }: Pick<ObjectRow, 'id' | 'identifier'>,
  direction: Transfer['direction'],
): Transfer | null {
  const client = useClient();
  const { value } = useOwnRemoteStore(() =>
    createRemoteStore<Transfer | null>({
      subscribe: (changed) => client.on('transfers.changed', () => changed()),
      load: async () => {
        const filter = identifier.slice(0, filterMax);
        const asked = { tab: 'jobs', offset: 0, limit: lookedThrough, filter } as const;
        const { rows } = await client.call('transfers.page', asked);
        const isIt = (job: Transfer) =>
          job.kind === 'secret' &&
          job.objectId === id &&
          job.direction === direction &&
          !isFinished(job.state);
        return rows.find(isIt) ?? null;
      },
    }),
  );
  return value;
}
