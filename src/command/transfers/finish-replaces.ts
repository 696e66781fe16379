import { Sleeper } from '../../main/lib/timers.ts';
import { isFinished, type Transfer } from '../../shared/domain/transfer.ts';
import { settleMs, type Context } from '../context.ts';
import { findTransfers } from './find-transfers.ts';
import { commandTexts as texts } from '../texts.ts';

/** Polls at least this often, in ms, in case a change was not announced. */
const unannouncedMs = 500;

/**
 * Without a stored list nothing continues an interrupted Replace, so cancels those that have not touched their object, and
 * waits for the others. Resolves with all of `ids` after at most `settleMs`, or as soon as none can end in that time.
 */
export async function finishReplaces(context: Context, ids: readonly number[]): Promise<Transfer[]> {
  const { coffer, io } = context;
  const { clock } = io;
  const untilMs = clock.monotonicMs() + settleMs;
  const sleeper = new Sleeper(clock);
  const never = new AbortController().signal;
  await coffer.follow('transfers.changed', () => sleeper.wake());
  const cancelled = new Set<number>();
  for (;;) {
    const now = await findTransfers(context, ids);
    const open = now.filter(({ state, replacing }) => replacing !== undefined && !isFinished(state));
    const which = open.filter(({ id, replacing }) => !replacing?.isOut && !cancelled.has(id));
    if (which.length > 0) {
      for (const { id } of which) cancelled.add(id);
      await coffer.call('transfers.cancel', { which: which.map(({ id }) => id) });
      continue;
    }
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0 || open.every((transfer) => endsAfter(transfer, clock.nowMs() + leftMs))) return now;
    await sleeper.sleep(Math.min(leftMs, unannouncedMs), never);
  }
}

/** Whether it waits for a person, or for a check that is due too late. */
function endsAfter({ waitingFor, replacing }: Transfer, atMs: number): boolean {
  return waitingFor === 'answer' || (replacing?.againAtMs ?? 0) > atMs;
}

/** Whether the temporary folder must stay, because it holds the undo copy of an unfinished Replace. */
export function isHalfReplaced(
  { hasList }: Pick<Context, 'hasList'>,
  { replacing, state }: Transfer,
): boolean {
  return !hasList && replacing?.oldIsHere === true && state !== 'cancelled';
}

/** Says where the bytes of an unfinished Replace are, and which command finishes it. */
export function sayHalfReplaced(
  { output, temporaryFolder }: Pick<Context, 'output' | 'temporaryFolder'>,
  { identifier, replacing }: Transfer,
  why: string,
): void {
  const folder = temporaryFolder ?? '';
  const beside = replacing?.newBeside ?? null;
  if (beside !== null && replacing?.step === 'finish') output.error(texts.copyLeft({ identifier, beside }));
  else if (beside === null) output.error(texts.replaceLeft({ identifier, why, folder }));
  else output.error(texts.replaceLeftBeside({ identifier, why, folder, beside }));
}
