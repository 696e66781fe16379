import type { Job } from '../../../src/shared/domain/job.ts';
import type { CauseKey, Transfer } from '../../../src/shared/domain/transfer.ts';
import type { Engine } from '../../../src/main/transfers/engine.ts';

const all = { offset: 0, limit: 100_000 };

/** Every direct transfer, also those that stand behind a cause. */
export async function allTransfers(engine: Engine): Promise<Transfer[]> {
  const { rows, summary } = await engine.page(all);
  const held = await Promise.all(
    summary.causes.map(async (cause) => (await engine.page({ ...all, cause: keyOf(cause) })).rows),
  );
  return [...rows, ...held.flat()];
}

/** Every deferred request, also those that stand behind a cause. */
export async function allJobs(engine: Engine): Promise<Job[]> {
  const { rows, summary } = await engine.jobsPage({ ...all, filter: '' });
  const held = await Promise.all(
    summary.causes.map(
      async (cause) => (await engine.jobsPage({ ...all, filter: '', cause: keyOf(cause) })).rows,
    ),
  );
  return [...rows, ...held.flat()];
}

function keyOf({ profileId, group, code }: CauseKey): CauseKey {
  return { profileId, group, code };
}
