import type { ObjectRow } from '../../../shared/contract.ts';
import { isJobFinished, type Job } from '../../../shared/domain/job.ts';
import { useClient } from '../../app/client.ts';
import { createMirror, useOwnMirror } from '../../app/mirror.ts';

const filterMax = 200;
const lookedThrough = 50;

/** The deferred request that stores or reads this secret now; null until it is known, and when there is none. */
export function useSecretJob(
  { id, identifier }: Pick<ObjectRow, 'id' | 'identifier'>,
  direction: Job['direction'],
): Job | null {
  const client = useClient();
  const { value } = useOwnMirror(() =>
    createMirror<Job | null>({
      subscribe: (changed) => client.on('jobs.changed', () => changed()),
      load: async () => {
        const filter = identifier.slice(0, filterMax);
        const { rows } = await client.call('jobs.page', { offset: 0, limit: lookedThrough, filter });
        const isIt = (job: Job) =>
          job.kind === 'secret' &&
          job.objectId === id &&
          job.direction === direction &&
          !isJobFinished(job.state);
        return rows.find(isIt) ?? null;
      },
    }),
  );
  return value;
}
