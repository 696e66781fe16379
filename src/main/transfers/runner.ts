import { randomUUID } from 'node:crypto';
import { isFinished } from '../../shared/domain/transfer.ts';
import { AppFailure, toAppError, type AppError } from '../../shared/errors.ts';
import type { ObjectChange } from '../catalogue/catalogue.ts';
import { changeOfSkipping, takeFreeIdentifier } from './conflict.ts';
import type { Context } from './context.ts';
import { attemptDownload } from './download.ts';
import {
  isDownload,
  isUpload,
  movingStateOf,
  type DownloadEntry,
  type Entry,
  type Run,
  type UploadEntry,
} from './entry.ts';
import type { PatientWay } from './look.ts';
import {
  changesOfDownload,
  changesOfGivingUp,
  changesOfMissing,
  changesOfUpload,
  isStillOurs,
  isLeftOpen,
  knownOf,
  targetOf,
} from './outcome.ts';
import { remedyFor } from './retry.ts';
import { attemptUpload } from './upload.ts';

/** Carries transfers out, one attempt at a time, and decides what comes after a failure. */
export interface Runner {
  /** One attempt. Never rejects. */
  start(entry: Entry): Promise<void>;
  stop(entry: Entry, why: 'cancel' | 'close'): void;
  /** A new token, or the service is back. */
  resume(profileId: string): void;
  /** Bytes moved since the beginning, both directions together. */
  movedBytes(): number;
}

/** How a profile's service has behaved lately. */
interface Standing {
  /** Times in a row that everything had to hold back. */
  troubles: number;
  unreachable: boolean;
  /** Counts new tokens, so that the refusal of an old one does not stop what a new one has started. */
  resumed: number;
}

/** @param settle finds out what became of an upload that is given up with its outcome unknown */
export function createRunner(
  context: Context,
  settle: (entry: UploadEntry) => void,
  random = Math.random,
): Runner {
  const { catalogue, connections, pacer, clock, log, records, list, queue } = context;
  const runs = new Set<Run>();
  const standings = new Map<string, Standing>();
  let movedBytes = 0;

  function standingOf(profileId: string): Standing {
    const standing = standings.get(profileId) ?? { troubles: 0, unreachable: false, resumed: 0 };
    standings.set(profileId, standing);
    return standing;
  }

  async function start(entry: Entry): Promise<void> {
    const run: Run = { entry, abort: new AbortController(), stop: null };
    const standing = standingOf(entry.transfer.profileId);
    const { resumed } = standing;
    entry.run = run;
    runs.add(run);
    try {
      if (isUpload(entry)) await runUpload(entry, run);
      else if (isDownload(entry)) await runDownload(entry, run);
      noteAnswer(entry.transfer.profileId, standing);
    } catch (cause) {
      await endAttempt(entry, run, cause, resumed === standing.resumed).catch((failure: unknown) => {
        // The catalogue itself failed: what is shown is still the truth about the transfer.
        if (isFinished(entry.transfer.state)) return;
        list.move(entry, 'failed', { error: describe(failure), finishedAtMs: clock.nowMs() });
      });
    } finally {
      runs.delete(run);
      if (entry.run === run) entry.run = null;
    }
  }

  async function wayOf(entry: Entry, { abort: { signal } }: Run): Promise<PatientWay> {
    const { transfer } = entry;
    return {
      client: await connections.clientOf(transfer.profileId),
      signal,
      turn: () => pacer.turn(transfer.profileId, signal),
      delay: (delayMs) => clock.delay(delayMs, signal),
      onState(kind) {
        const state = kind === 'moving' ? movingStateOf(entry) : 'verifying';
        if (state === 'verifying' && transfer.state === 'waiting') list.move(entry, movingStateOf(entry));
        if (transfer.state !== state) list.move(entry, state, { error: null });
      },
      onProgress(doneBytes, totalBytes) {
        movedBytes += Math.max(doneBytes - transfer.doneBytes, 0);
        list.change(entry, { doneBytes, ...(totalBytes !== transfer.totalBytes && { totalBytes }) });
      },
    };
  }

  async function runUpload(entry: UploadEntry, run: Run): Promise<void> {
    const { job, transfer } = entry;
    const way = await wayOf(entry, run);
    for (;;) {
      if (job.conflict) {
        if (job.ifExists === 'ask') return list.change(entry, { waitingFor: 'answer' });
        if (job.ifExists === 'skip') {
          await records.update(changeOfSkipping(entry, clock.nowMs()));
          return finish(entry, 'done', { outcome: { kind: 'skipped' } });
        }
        list.change(entry, await takeFreeIdentifier(context, entry, way));
      }
      const result = await attemptUpload(transfer.identifier, job, way);
      if (result.kind === 'answered') {
        await records.update(await changesOfUpload(catalogue, entry, result, clock.nowMs()));
        const { error, answered } = result;
        const { activityToken } = answered;
        // Whoever tries again begins anew: what is there now is in the way, and said so by a 409.
        job.answered = null;
        job.mayBeThere = false;
        if (error) return finish(entry, 'failed', { error, activityToken });
        const doneBytes = answered.sentBytes;
        return finish(entry, 'done', {
          activityToken,
          doneBytes,
          outcome: { kind: 'stored', verifiedBy: 'length' },
        });
      }
      job.conflict = result.seen;
      job.mayBeThere = false;
      job.ownsRow &&= await isStillOurs(catalogue, transfer.objectId);
      list.move(entry, 'waiting', { doneBytes: 0 });
    }
  }

  async function runDownload(entry: DownloadEntry, run: Run): Promise<void> {
    const { transfer, job } = entry;
    const way = await wayOf(entry, run);
    const [row] = transfer.objectId === null ? [] : await catalogue.getMany([transfer.objectId]);
    if (!row) throw new AppFailure({ code: 'notFound', what: 'object' });
    const target = targetOf(row, job, await connections.factsOf(transfer.profileId));
    const downloaded = await attemptDownload(row.identifier, target, knownOf(row), way);
    job.savedPath = downloaded.path;
    await records.update(changesOfDownload(row, downloaded, clock.nowMs()));
    finish(entry, 'done', { outcome: downloaded.outcome });
  }

  function finish(
    entry: Entry,
    state: 'done' | 'failed' | 'cancelled',
    change: Parameters<typeof list.move>[2],
  ): void {
    list.move(entry, state, { ...change, finishedAtMs: clock.nowMs() });
  }

  /** The service took what we sent: whatever held the profile back is over. */
  function noteAnswer(profileId: string, standing: Standing): void {
    standing.troubles = 0;
    if (!standing.unreachable) return;
    standing.unreachable = false;
    connections.report(profileId, 'ready');
  }

  /** An attempt came to nothing. @param tokenIsCurrent no new token came while it ran */
  async function endAttempt(entry: Entry, run: Run, cause: unknown, tokenIsCurrent: boolean): Promise<void> {
    const { profileId } = entry.transfer;
    if (run.stop === 'close') return;
    if (run.stop === 'cancel') return giveUp(entry, 'cancelled', null);
    if (run.stop === 'token') return waitAgain(entry, {});

    const error = describe(cause);
    const standing = standingOf(profileId);
    const isHeld = pacer.heldUntilMs(profileId) !== null;
    const past = { tries: entry.tries + 1, troubles: standing.troubles + (isHeld ? 0 : 1), random: random() };
    const remedy = remedyFor(error, past);
    switch (remedy.kind) {
      case 'fail':
        return giveUp(entry, 'failed', error);
      case 'awaitToken':
        if (tokenIsCurrent) refuse(profileId, error);
        return waitAgain(entry, {});
      case 'retry':
        if (!remedy.everyone) {
          entry.tries = past.tries;
          return waitAgain(entry, { error, delayMs: remedy.delayMs });
        }
        standing.troubles = past.troubles;
        pacer.holdBack(profileId, remedy.delayMs);
        if (error.code === 'unreachable' && !standing.unreachable) {
          standing.unreachable = true;
          connections.report(profileId, 'unreachable');
        }
        return waitAgain(entry, { error });
    }
  }

  /** @param delayMs its own wait; without one it is ready as soon as its profile is */
  function waitAgain(
    entry: Entry,
    { error = null, delayMs }: { error?: AppError | null; delayMs?: number },
  ): void {
    const untilMs =
      delayMs === undefined ? pacer.heldUntilMs(entry.transfer.profileId) : clock.nowMs() + delayMs;
    const change = {
      doneBytes: 0,
      error,
      waitingFor: error ? ('retry' as const) : ('turn' as const),
      retryAtMs: error ? untilMs : null,
    };
    if (entry.transfer.state === 'waiting') list.change(entry, change);
    else list.move(entry, 'waiting', change);
    entry.run = null;
    if (delayMs === undefined) queue.push(entry);
    else queue.sleep(entry, delayMs);
  }

  async function giveUp(entry: Entry, state: 'failed' | 'cancelled', error: AppError | null): Promise<void> {
    const { changes, abandoned } = await changesOfGivingUp(catalogue, [entry], error);
    await records.update([...changes, ...(await findMissing(entry, error))]);
    await catalogue.remove(abandoned);
    const activityToken = error && 'activityToken' in error ? (error.activityToken ?? null) : null;
    finish(entry, state, { error, activityToken });
    if (isUpload(entry) && isLeftOpen(entry)) settle(entry);
  }

  async function findMissing(
    { transfer: { objectId } }: Entry,
    error: AppError | null,
  ): Promise<ObjectChange[]> {
    if (error?.code !== 'missing' || objectId === null) return [];
    const [row] = await catalogue.getMany([objectId]);
    return changesOfMissing(row, clock.nowMs());
  }

  /** Section 7, 401: nothing fails, everything of the profile waits for a new token. */
  function refuse(profileId: string, error: AppError): void {
    queue.refuse(profileId);
    if (error.code === 'tokenRefused') connections.report(profileId, 'tokenRefused');
    for (const run of runs) if (run.entry.transfer.profileId === profileId) interrupt(run, 'token');
  }

  function interrupt(run: Run, why: NonNullable<Run['stop']>): void {
    // A person's word, or the end, stands over a pause.
    if (run.stop === null || run.stop === 'token') run.stop = why;
    run.abort.abort(new AppFailure({ code: 'cancelled' }));
  }

  function describe(cause: unknown): AppError {
    const error = toAppError(cause);
    if (error) return error;
    const reference = randomUUID().slice(0, 8);
    log.error('transfer failed unexpectedly', { reference, cause });
    return { code: 'unexpected', reference };
  }

  return {
    start,
    stop(entry, why) {
      if (entry.run && !isFinished(entry.transfer.state)) interrupt(entry.run, why);
    },
    resume(profileId) {
      const standing = standingOf(profileId);
      standing.resumed += 1;
      queue.allow(profileId);
      if (standing.unreachable) pacer.release(profileId);
      queue.pump();
    },
    movedBytes: () => movedBytes,
  };
}
