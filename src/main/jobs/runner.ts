import { randomUUID } from 'node:crypto';
import { deferredWindowMs } from '../../shared/domain/limits.ts';
import { AppFailure, toAppError, type AppError } from '../../shared/errors.ts';
import type { DeferredState } from '../service/deferred.ts';
import { maxTries, remedyFor } from '../transfers/retry.ts';
import { saysNothingWasStored } from '../transfers/upload.ts';
import type { Context, StepWay } from './context.ts';
import { createDownloadSteps } from './download-steps.ts';
import type { Endings } from './endings.ts';
import { isFollowed, uploadOf, type Entry } from './entry.ts';
import type { Lane } from './lanes.ts';
import { mostMs } from './spacing.ts';
import { shortestMs } from './steady-time.ts';
import { createUploadSteps } from './upload-steps.ts';

/** Carries jobs out, one step at a time, and decides what comes after a failure. */
export interface Runner {
  /** Never rejects. */
  readonly step: (entry: Entry, lane: Lane) => Promise<void>;
  /** Resolves when what runs has ended. */
  readonly cancel: (entry: Entry) => Promise<void>;
  /** A new token, or the service is back. */
  readonly resume: (profileId: string) => void;
}

/** A saved file that does not agree with what is known is fetched so often in all. */
const mostDisagreements = 3;
const failsForGood = new Set<AppError['code']>(['downloadLengthDiffers', 'digestDiffers', 'tooLarge']);
/** The built-in service cannot be reached for now. */
const isDownHere = new Set<AppError['code']>(['keychain', 'localService']);

export function createRunner(context: Context, endings: Endings, random: () => number): Runner {
  const { connections, pacer, clock, log, journal, list, lanes, closing } = context;
  const uploads = createUploadSteps(context, endings);
  const downloads = createDownloadSteps(context, endings);

  async function step(entry: Entry, lane: Lane): Promise<void> {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const abort = new AbortController();
    const run = { abort, ended, isCancelled: false };
    const { resumed } = lane;
    entry.run = run;
    entry.dueMs = clock.monotonicMs();
    try {
      await act(entry, await wayOf(entry, lane, abort.signal));
      if (run.isCancelled && entry.record.finishedAtMs === null) await endings.cancel(entry);
      entry.trouble = null;
      answered(lane);
    } catch (cause) {
      await afterFailure(entry, lane, cause, resumed === lane.resumed).catch((failure: unknown) => {
        // The journal or the catalogue failed: the job stays as it is on the disk, and is tried again.
        entry.dueMs = clock.monotonicMs() + mostMs;
        if (!closing.aborted) unforeseen(failure);
      });
    } finally {
      entry.run = null;
      resolve();
      list.touch();
    }
  }

  async function wayOf(entry: Entry, lane: Lane, aborted: AbortSignal): Promise<StepWay> {
    const { profileId } = entry.record;
    const signal = AbortSignal.any([aborted, closing]);
    let isFirst = true;
    return {
      lane,
      client: await connections.clientOf(profileId),
      signal,
      async turn() {
        await pacer.turn(profileId, signal);
        // The first request of a step had its slot before it began.
        if (!isFirst) await lane.slot(signal);
        isFirst = false;
      },
      onState: () => undefined,
      onProgress(doneBytes) {
        entry.doneBytes = doneBytes;
        list.touch();
      },
    };
  }

  /** What the state says is next. */
  async function act(entry: Entry, way: StepWay): Promise<void> {
    const { state, work } = entry.record;
    const upload = uploadOf(entry);
    switch (state) {
      case 'waiting': {
        const token = await start(entry, way);
        return token === null ? undefined : started(entry, token, way.lane);
      }
      case 'unknown':
        return upload ? uploads.settle(entry, upload, way) : undefined;
      case 'processing':
        return check(entry, way);
      case 'verifying':
        return upload ? uploads.verify(entry, upload, way) : undefined;
      case 'lost':
        return upload ? uploads.lookAfterLoss(entry, upload, way) : undefined;
      case 'completed':
        await list.move(entry, 'fetching');
        return act(entry, way);
      case 'fetching':
        if (work.kind === 'download') return downloads.fetchFile(entry, work, way, () => used(entry));
        return downloads.fetchSecret(entry, way, () => used(entry));
      case 'sending':
      case 'done':
      case 'failed':
      case 'cancelled':
        throw new Error(`nothing is to be done in ${state}`);
    }
  }

  /** Answers the deferred token; null: the job came to its end without one. */
  async function start(entry: Entry, way: StepWay): Promise<string | null> {
    const { identifier, work } = entry.record;
    const { client, signal } = way;
    const upload = uploadOf(entry);
    if (upload) return uploads.start(entry, upload, way);
    const value = entry.secret;
    if (work.kind === 'storeSecret' && value === null) {
      await endings.fail(entry, { code: 'cancelled' });
      return null;
    }
    await way.turn();
    await list.move(entry, 'sending', { error: null });
    if (work.kind === 'download')
      return (await client.startDataDownload(identifier, { signal })).deferredToken;
    if (work.kind === 'readSecret')
      return (await client.startSecretDownload(identifier, { signal })).deferredToken;
    const { classification } = work.kind === 'storeSecret' ? work : { classification: null };
    const bytes = value ?? new Uint8Array();
    const body = (async function* () {
      yield bytes;
    })();
    const options = { lengthBytes: bytes.length, classification, signal };
    return (await client.startSecretUpload(identifier, body, options)).deferredToken;
  }

  async function started(entry: Entry, deferredToken: string, lane: Lane): Promise<void> {
    const now = journal.now();
    entry.lastUseMs = clock.monotonicMs();
    entry.tries = 0;
    await list.move(entry, 'processing', {
      deferredToken,
      startedAt: now,
      usedAt: now,
      warned: 0,
    });
    entry.secret?.fill(0);
    entry.secret = null;
    entry.dueMs = clock.monotonicMs() + lane.spacing.nextMs(0);
  }

  /** The service answered for the token: by the one reading, the window begins anew. */
  function used(entry: Entry): void {
    entry.record = { ...entry.record, usedAt: journal.now() };
    entry.isUnwritten = true;
    entry.lastUseMs = clock.monotonicMs();
    entry.tries = 0;
  }

  async function check(entry: Entry, way: StepWay): Promise<void> {
    const { kind, direction, deferredToken, startedAt } = entry.record;
    if (deferredToken === null || startedAt === null) throw new Error('a check without a token');
    await way.turn();
    const beforeMs = entry.lastUseMs;
    const found = await askForState(entry, deferredToken, way);
    used(entry);
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
  }

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

  /** The service answered: whatever held the profile back is over. */
  function answered(lane: Lane): void {
    lane.troubles = 0;
    if (!lane.isUnreachable) return;
    lane.isUnreachable = false;
    connections.report(lane.profileId, 'ready');
    lanes.hurry(lane.profileId);
  }

  async function afterFailure(
    entry: Entry,
    lane: Lane,
    cause: unknown,
    tokenIsCurrent: boolean,
  ): Promise<void> {
    if (entry.run?.isCancelled) return endings.cancel(entry);
    if (closing.aborted) return;
    const error = toAppError(cause) ?? unforeseen(cause);
    const isHeld = pacer.heldUntilMs(lane.profileId) !== null;
    const past = { tries: entry.tries + 1, troubles: lane.troubles + (isHeld ? 0 : 1), random: random() };
    const remedy = isDownHere.has(error.code)
      ? ({ kind: 'retry', everyone: true, delayMs: mostMs } as const)
      : remedyFor(error, past);
    if (remedy.kind === 'awaitToken') {
      if (tokenIsCurrent) {
        lane.isRefused = true;
        if (error.code === 'tokenRefused') connections.report(lane.profileId, 'tokenRefused');
      }
      return stepBack(entry, null, 0);
    }
    if (remedy.kind === 'retry' && remedy.everyone) {
      lane.troubles = past.troubles;
      pacer.holdBack(lane.profileId, remedy.delayMs);
      await stepBack(entry, error, 0);
      if (isSilentTooLong(entry)) await endings.lose(entry, null);
      if (error.code === 'unreachable') await noteUnreachable(lane);
      return;
    }
    entry.tries = past.tries;
    const delayMs = remedy.kind === 'retry' ? remedy.delayMs : Math.min(1000 * 2 ** entry.tries, mostMs);
    if (isFollowed(entry.record)) return afterTokenFailure(entry, error, delayMs);
    if (remedy.kind === 'retry') return stepBack(entry, error, delayMs);
    return endings.fail(entry, error);
  }

  /** Something else than success was answered for a token, or nothing was. */
  async function afterTokenFailure(entry: Entry, error: AppError, delayMs: number): Promise<void> {
    const isGone =
      error.code === 'missing' ||
      error.code === 'badRequest' ||
      (error.code === 'unexpectedAnswer' && error.status === 410);
    if (isGone || isSilentTooLong(entry)) return endings.lose(entry, error);
    if (failsForGood.has(error.code) && entry.tries >= mostDisagreements) return endings.fail(entry, error);
    return stepBack(entry, error, Math.min(delayMs, mostMs));
  }

  /** Both readings have run out: nobody answered for its token as long as it can be used. */
  function isSilentTooLong({ record }: Entry): boolean {
    const { usedAt } = record;
    return isFollowed(record) && usedAt !== null && shortestMs(usedAt, journal.now()) >= deferredWindowMs;
  }

  /** Back to where the next try begins. */
  async function stepBack(entry: Entry, error: AppError | null, delayMs: number): Promise<void> {
    const { state, work } = entry.record;
    entry.trouble = error;
    entry.doneBytes = 0;
    entry.dueMs = clock.monotonicMs() + delayMs;
    if (state === 'fetching') return list.move(entry, 'completed');
    if (state !== 'sending') return;
    const upload = uploadOf(entry);
    if (work.kind === 'storeSecret' && error && !saysNothingWasStored(error))
      return endings.fail(entry, error);
    if (!upload?.job.mayBeThere) return list.move(entry, 'waiting');
    return entry.tries >= maxTries && error ? endings.fail(entry, error) : list.move(entry, 'unknown');
  }

  async function noteUnreachable(lane: Lane): Promise<void> {
    if (!lane.isUnreachable) {
      lane.isUnreachable = true;
      connections.report(lane.profileId, 'unreachable');
    }
    for (const entry of list.all()) {
      const isIdle = entry.record.profileId === lane.profileId && entry.run === null;
      if (isIdle && isSilentTooLong(entry)) await endings.lose(entry, null);
    }
    lanes.hurry(lane.profileId);
  }

  function unforeseen(cause: unknown): AppError {
    const reference = randomUUID().slice(0, 8);
    log.error('a job failed unexpectedly', {
      reference,
      cause: cause instanceof Error ? cause.stack : String(cause),
    });
    return { code: 'unexpected', reference };
  }

  return {
    step,
    async cancel(entry) {
      if (!entry.run) return endings.cancel(entry);
      entry.run.isCancelled = true;
      entry.run.abort.abort(new AppFailure({ code: 'cancelled' }));
      await entry.run.ended;
    },
    resume(profileId) {
      const lane = lanes.of(profileId);
      lane.resumed += 1;
      lane.isRefused = false;
      if (lane.isUnreachable) pacer.release(profileId);
      lanes.hurry(profileId);
    },
  };
}
