import { toAppError, type AppError } from '../../shared/errors.ts';
import { changeOfSkipping, takeFreeIdentifier } from '../transfers/conflict.ts';
import type { Seen, Upload } from '../transfers/entry.ts';
import { look } from '../transfers/look.ts';
import { changesOfUpload, isStillOurs } from '../transfers/outcome.ts';
import { compare, judge, sendFile, type AnsweredUpload } from '../transfers/upload.ts';
import type { Context, StepWay } from './context.ts';
import type { Endings } from './endings.ts';
import type { Entry } from './entry.ts';

/**
 * Deferred uploads of files (section 4.2, with Check Data of 4.1). What is learned stays in the
 * upload's job, which goes to the journal with the next step.
 */
export interface UploadSteps {
  /** Answers the deferred token; null: it came to its end without one. */
  readonly start: (entry: Entry, upload: Upload, way: StepWay) => Promise<string | null>;
  /** The answer to the start was lost: what is really there? */
  readonly settle: (entry: Entry, upload: Upload, way: StepWay) => Promise<void>;
  /** The service said that it is done. */
  readonly verify: (entry: Entry, upload: Upload, way: StepWay) => Promise<void>;
  /** The service said that the identifier exists. */
  readonly meetConflict: (entry: Entry, upload: Upload, way: StepWay) => Promise<void>;
  /** The result is lost: what is really there? */
  readonly lookAfterLoss: (entry: Entry, upload: Upload, way: StepWay) => Promise<void>;
}

export const existsError: AppError = { code: 'exists', status: 409, message: '' };

export function createUploadSteps(context: Context, endings: Endings): UploadSteps {
  const { catalogue, clock, list } = context;

  async function conclude(entry: Entry, upload: Upload, result: AnsweredUpload): Promise<void> {
    const changes = await changesOfUpload(catalogue, upload, result, clock.nowMs());
    const { job } = upload;
    const { activityToken } = result.answered;
    // Whoever starts again begins anew.
    job.answered = null;
    job.mayBeThere = false;
    if (result.error) return endings.fail(entry, result.error, { activityToken }, changes);
    entry.doneBytes = result.answered.sentBytes;
    return endings.done(entry, changes, {
      activityToken,
      outcome: { kind: 'stored', verifiedBy: 'length' },
    });
  }

  /** There is something under the identifier: ours, if its answer was lost; else what the person chose decides. */
  async function meet(entry: Entry, upload: Upload, seen: Seen, way: StepWay): Promise<void> {
    const { job } = upload;
    const { identifier, objectId, state } = entry.record;
    if (job.mayBeThere) {
      const result = await compare(identifier, job, seen, way);
      if (result.kind === 'answered') return conclude(entry, upload, result);
    }
    job.conflict = seen;
    job.mayBeThere = false;
    job.answered = null;
    job.ownsRow &&= await isStillOurs(catalogue, objectId);
    if (job.ifExists === 'skip') {
      const changes = changeOfSkipping(upload, clock.nowMs());
      return endings.done(entry, changes, { outcome: { kind: 'skipped' } });
    }
    if (job.ifExists === 'ask' || (state !== 'waiting' && state !== 'unknown')) {
      return endings.fail(entry, existsError);
    }
    const taken = await takeFreeIdentifier(context, upload, way);
    return state === 'waiting' ? list.note(entry, taken) : list.move(entry, 'waiting', taken);
  }

  async function judgeNow(entry: Entry, upload: Upload, way: StepWay): Promise<void> {
    const { answered, fileName } = upload.job;
    const seen = await look(way, entry.record.identifier);
    if (answered) return conclude(entry, upload, judge(answered, seen, fileName));
    return meet(entry, upload, seen, way);
  }

  return {
    async start(entry, upload, way) {
      const { job } = upload;
      const { identifier } = entry.record;
      // A deferred start accepts what it will refuse when it is processed: better to know before the bytes move.
      const seen = entry.isKnownFree ? ({ present: false } as const) : await look(way, identifier);
      entry.isKnownFree = false;
      if (seen.present) {
        await meet(entry, upload, seen, way);
        return null;
      }
      job.answered = null;
      const { mayBeThere } = job;
      await way.turn();
      await list.move(entry, 'sending', { error: null });
      const { answer, sent } = await sendFile(job, { ...way, turn: async () => undefined }, (body, options) =>
        way.client.startDataUpload(identifier, body, options),
      ).catch((cause: unknown) => {
        // Held back: a HEAD before the next try would take the place of its POST again.
        entry.isKnownFree = toAppError(cause)?.code === 'tooManyRequests';
        throw cause;
      });
      job.answered = { ...sent, activityToken: null };
      // Of an earlier start: this one has an answer.
      job.mayBeThere = mayBeThere;
      return answer.deferredToken;
    },

    async settle(entry, upload, way) {
      const seen = await look(way, entry.record.identifier);
      if (seen.present) return meet(entry, upload, seen, way);
      return list.move(entry, 'waiting');
    },

    verify: judgeNow,

    async meetConflict(entry, upload, way) {
      const seen = await look(way, entry.record.identifier);
      await meet(entry, upload, seen, way);
    },

    async lookAfterLoss(entry, upload, way) {
      const { job } = upload;
      const seen = await look(way, entry.record.identifier);
      if (seen.present) {
        job.mayBeThere = true;
        return meet(entry, upload, seen, way);
      }
      job.answered = null;
      return endings.fail(entry, { code: 'missing', status: 404 });
    },
  };
}
