import { isFinished, type Question, type TransferGroup } from '../../shared/domain/transfer.ts';
import { AppFailure } from '../../shared/errors.ts';
import { askAbout } from './conflict.ts';
import type { Context } from './context.ts';
import { isUpload, type Entry, type UploadEntry } from './entry.ts';
import type { Intake } from './intake.ts';
import { changesOfGivingUp, isLeftOpen } from './outcome.ts';
import type { Recovery } from './recovery.ts';
import type { Runner } from './runner.ts';

type Which = 'all' | readonly number[];

/** What a person wants of transfers that are there. */
export interface Wishes {
  readonly cancel: (which: Which) => Promise<void>;
  readonly retry: (which: Which) => Promise<void>;
  readonly clear: (group: TransferGroup) => void;
  readonly question: (transferId: number | null) => Promise<Question | null>;
  readonly answer: (transferId: number, answer: 'skip' | 'keepBoth', applyToAll: boolean) => void;
}

export function createWishes(context: Context, intake: Intake, runner: Runner, recovery: Recovery): Wishes {
  const { catalogue, list, queue, pacer, clock, records } = context;

  function chosen(which: Which): Entry[] {
    if (which === 'all') return [...list.all()];
    return which.map((id) => list.get(id)).filter((entry) => entry !== undefined);
  }

  /** Those that wait for an answer, the oldest first. */
  function unanswered(profileId?: string): UploadEntry[] {
    return [...list.group('needsYou').values()]
      .filter(isUpload)
      .filter(
        ({ transfer }) =>
          transfer.waitingFor === 'answer' && transfer.profileId === (profileId ?? transfer.profileId),
      )
      .toSorted((a, b) => a.transfer.id - b.transfer.id);
  }

  function unansweredOf(transferId: number): UploadEntry {
    const entry = list.get(transferId);
    if (entry && isUpload(entry) && entry.transfer.waitingFor === 'answer') return entry;
    throw new AppFailure({ code: 'notFound', what: 'transfer' });
  }

  return {
    async cancel(which) {
      const cancelled: Entry[] = [];
      for (const entry of chosen(which)) {
        if (isFinished(entry.transfer.state)) continue;
        if (entry.run) {
          runner.stop(entry, 'cancel');
          continue;
        }
        queue.drop(entry);
        list.move(entry, 'cancelled', { error: null, finishedAtMs: clock.nowMs() });
        cancelled.push(entry);
      }
      const { changes, abandoned } = await changesOfGivingUp(catalogue, cancelled, null);
      await records.update(changes);
      await catalogue.remove(abandoned);
      for (const entry of cancelled) if (isUpload(entry) && isLeftOpen(entry)) recovery.settle(entry);
    },

    async retry(which) {
      const profiles = new Set<string>();
      const finished: Entry[] = [];
      for (const entry of chosen(which)) {
        const { state, waitingFor, profileId } = entry.transfer;
        if (state === 'failed' || (state === 'cancelled' && which !== 'all')) {
          finished.push(entry);
        } else if (waitingFor === 'retry' && !entry.run) {
          profiles.add(profileId);
          queue.push(entry);
        }
      }
      for (const profileId of profiles) pacer.release(profileId);
      queue.pump();
      await intake.again(finished);
    },

    clear(group) {
      for (const entry of list.group(group).values()) {
        if (isFinished(entry.transfer.state)) list.remove(entry);
      }
    },

    async question(transferId) {
      const entry = transferId === null ? unanswered()[0] : unansweredOf(transferId);
      return entry ? askAbout(context, entry, unanswered(entry.transfer.profileId).length) : null;
    },

    answer(transferId, answer, applyToAll) {
      const asked = unansweredOf(transferId);
      const { profileId } = asked.transfer;
      const answered = applyToAll ? unanswered(profileId) : [asked];
      asked.job.ifExists = answer;
      // Those that have not met the question yet will not ask it.
      for (const { transfer, job } of applyToAll ? [...list.all()].filter(isUpload) : []) {
        if (transfer.profileId === profileId && !isFinished(transfer.state) && job.ifExists === 'ask')
          job.ifExists = answer;
      }
      for (const entry of answered) {
        list.change(entry, { waitingFor: 'turn' });
        queue.push(entry);
      }
      queue.pump();
    },
  };
}
