import { isJobFinished } from '../../shared/domain/job.ts';
import { AppFailure } from '../../shared/errors.ts';
import { createChecking } from './checking.ts';
import type { Context, StepWay } from './context.ts';
import { createDownloadSteps } from './download-steps.ts';
import type { Endings } from './endings.ts';
import { noteUse, occupy, uploadOf, type Entry } from './entry.ts';
import { createFailures } from './failures.ts';
import type { Lane } from './lanes.ts';
import { mostMs } from './spacing.ts';
import { createStarting } from './starting.ts';
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

export function createRunner(context: Context, endings: Endings, random: () => number): Runner {
  const { connections, pacer, clock, journal, list, lanes, closing } = context;
  const uploads = createUploadSteps(context, endings);
  const downloads = createDownloadSteps(context, endings);
  const start = createStarting(context, endings, uploads);
  const check = createChecking(context, endings, uploads);
  const failures = createFailures(context, endings, random);

  async function step(entry: Entry, lane: Lane): Promise<void> {
    const { resumed } = lane;
    entry.dueMs = clock.monotonicMs();
    await occupy(entry, async (run) => {
      try {
        await act(entry, await wayOf(entry, lane, run.abort.signal));
        if (run.isCancelled && !isJobFinished(entry.record.state)) await endings.cancel(entry);
        entry.trouble = null;
        failures.answered(lane);
      } catch (cause) {
        await failures.meet(entry, lane, cause, resumed === lane.resumed).catch((failure: unknown) => {
          // The journal or the catalogue failed: the job stays as it is on the disk, and is tried again.
          entry.dueMs = clock.monotonicMs() + mostMs;
          if (!closing.aborted) failures.describe(failure);
        });
      }
    });
    list.touch();
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
    const onUsed = () => noteUse(entry, journal.now(), clock.monotonicMs());
    switch (state) {
      case 'waiting':
        return start(entry, way);
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
        if (work.kind === 'download') return downloads.fetchFile(entry, work, way, onUsed);
        return downloads.fetchSecret(entry, way, onUsed);
      case 'sending':
      case 'done':
      case 'failed':
      case 'cancelled':
        throw new Error(`nothing is to be done in ${state}`);
    }
  }

  return {
    step,
    async cancel(entry) {
      if (entry.run) {
        entry.run.isCancelled = true;
        entry.run.abort.abort(new AppFailure({ code: 'cancelled' }));
        await entry.run.ended;
      }
      if (!entry.run && !isJobFinished(entry.record.state)) await occupy(entry, () => endings.cancel(entry));
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
