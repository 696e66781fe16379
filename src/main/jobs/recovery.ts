import { rm } from 'node:fs/promises';
import type { Context } from './context.ts';
import type { Endings } from './endings.ts';
import { isOpen, uploadOf, type Entry } from './entry.ts';

/** What cannot go on as it stands in the journal, because the application ended in the middle of it. */
export async function takeUp(
  { list, clock }: Pick<Context, 'list' | 'clock'>,
  endings: Endings,
  entries: readonly Entry[],
): Promise<void> {
  const nowMs = clock.monotonicMs();
  for (const entry of entries.filter(({ record }) => isOpen(record))) {
    const { state, work, totalBytes } = entry.record;
    entry.dueMs = nowMs;
    if (work.kind === 'download' && work.partPath !== null) await rm(work.partPath, { force: true });
    // Nobody waits for it any more.
    if (work.kind === 'readSecret') await endings.cancel(entry);
    // The value was in memory only. Whether it had arrived is not known, once it was on its way.
    else if (work.kind === 'storeSecret' && state === 'waiting')
      await endings.fail(entry, { code: 'cancelled' });
    else if (work.kind === 'storeSecret' && state === 'sending') {
      const lost = { code: 'connectionLost', doneBytes: 0, expectedBytes: totalBytes } as const;
      await endings.fail(entry, { ...lost, outcomeUnknown: true });
    } else if (state === 'sending') {
      const upload = uploadOf(entry);
      if (upload) upload.job.mayBeThere = true;
      await list.move(entry, upload ? 'unknown' : 'waiting');
    }
  }
}
