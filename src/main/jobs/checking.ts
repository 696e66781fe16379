import { toAppError, type AppError } from '../../shared/errors.ts';
import type { DeferredState } from '../service/deferred.ts';
import type { Context, StepWay } from './context.ts';
import type { Endings } from './endings.ts';
import { noteUse, uploadOf, type Entry } from './entry.ts';
import type { UploadSteps } from './upload-steps.ts';

/** The checks of sections 4.2 and 4.3, and what their answers mean. */
export function createChecking(
  { clock, journal, list, log }: Context,
  endings: Endings,
  uploads: UploadSteps,
): (entry: Entry, way: StepWay) => Promise<void> {
  /** A 200 that cannot be read still says: complete. The fetch or HEAD then tells the rest. */
  async function askForState(entry: Entry, token: string, way: StepWay): Promise<DeferredState> {
    const { kind, work } = entry.record;
    const { client, signal } = way;
    try {
      entry.record = { ...entry.record, checks: entry.record.checks + 1 };
      entry.isUnwritten = true;
      return await (kind === 'data'
        ? client.checkDataDeferred(token, { signal })
        : client.checkSecretDeferred(token, { signal }));
    } catch (cause) {
      const error = toAppError(cause);
      if (error?.code !== 'unexpectedAnswer' || error.status !== 200 || work.kind === 'storeSecret')
        throw cause;
      return { state: 'complete', result: { success: true, status: 200, message: '', activityToken: '' } };
    }
  }

  /** There is no HEAD for secrets: the service's word is all there is. */
  async function storedSecret(entry: Entry, activityToken: string): Promise<void> {
    const { objectId, work, totalBytes } = entry.record;
    if (objectId === null || work.kind !== 'storeSecret') return endings.done(entry, [], { activityToken });
    const { classification, sourceName } = work;
    const patch = {
      state: 'stored',
      lengthBytes: totalBytes,
      classification,
      sourceName,
      storedAtMs: clock.nowMs(),
      activityToken,
    } as const;
    await endings.done(entry, [{ id: objectId, patch, history: { action: 'uploaded', activityToken } }], {
      activityToken,
    });
  }

  return async function check(entry, way) {
    const { kind, direction, deferredToken, startedAt } = entry.record;
    if (deferredToken === null || startedAt === null) throw new Error('a check without a token');
    await way.turn();
    const beforeMs = entry.lastUseMs;
    const found = await askForState(entry, deferredToken, way);
    noteUse(entry, journal.now(), clock.monotonicMs());
    entry.tries = 0;
    const ageMs = journal.now().steadyMs - startedAt.steadyMs;
    if (found.state === 'processing') {
      entry.dueMs = clock.monotonicMs() + way.lane.spacing.nextMs(ageMs);
      return;
    }
    // It was completed at some time since it was asked about before.
    if (beforeMs > 0) way.lane.spacing.learn(ageMs - (clock.monotonicMs() - beforeMs) / 2);
    const { success, status, message, activityToken } = found.result;
    const upload = uploadOf(entry);
    if (success && status === 200) {
      if (direction === 'download') return list.move(entry, 'completed', { activityToken });
      if (!upload) return storedSecret(entry, activityToken);
      if (upload.job.answered) upload.job.answered = { ...upload.job.answered, activityToken };
      return list.move(entry, 'verifying', { activityToken });
    }
    log.info('a deferred request came to nothing', { kind, direction, status });
    if (status === 409 && upload) {
      // After an answer that was lost this may be what we stored ourselves.
      return uploads.meetConflict(entry, upload, way);
    }
    const error: AppError =
      status === 409 && direction === 'upload'
        ? { code: 'exists', status, message, activityToken }
        : status === 404 && direction === 'download'
          ? { code: 'missing', status }
          : { code: 'unexpectedAnswer', status: 200, problem: `success: ${success}, status: ${status}` };
    return endings.fail(entry, error, { activityToken });
  };
}
