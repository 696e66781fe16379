import { Sleeper } from '../../main/lib/timers.ts';
import type { LeftBehind } from '../../shared/contract.ts';
import { isFinished, pickedMax } from '../../shared/domain/transfer.ts';
import type { Context } from '../context.ts';
import { commandTexts as texts } from '../texts.ts';
import { findTransfers } from './find-transfers.ts';
import { isHalfReplaced } from './finish-replaces.ts';

/** A command that was held up or interrupted names at once what is left, in ms. */
const heldUpMs = 2000;
/** Polls at least this often, in ms, in case a change was not announced by an event. */
const unannouncedMs = 250;
/** Polling thousands of deletions slows them down: rest this many times as long as a poll took. */
const restTimes = 4;
const maxNamed = 20;

type Ending = Pick<Context, 'io' | 'coffer' | 'output' | 'interrupted' | 'waitMs'>;

/**
 * Gives up the transfers that a command without a stored list leaves unfinished, except Replaces that changed their object: nothing
 * else would remove what they have sent.
 */
export async function giveUpLeft(context: Context, ids: readonly number[]): Promise<void> {
  const { coffer, temporaryFolder } = context;
  if (temporaryFolder === null) return;
  const left = (await findTransfers(context, ids)).filter(
    (transfer) =>
      transfer.state !== 'done' && transfer.replacing?.isOut !== true && !isHalfReplaced(context, transfer),
  );
  for (let from = 0; from < left.length; from += pickedMax) {
    const batch = left.slice(from, from + pickedMax);
    const open = batch.filter(({ state }) => !isFinished(state)).map(({ id }) => id);
    if (open.length > 0) await coffer.call('transfers.cancel', { which: open });
    await coffer.call('transfers.drop', { which: batch.map(({ id }) => id) });
  }
}

/**
 * Without a stored list nothing deletes later what is still to be deleted at the service: parts that no file needs, copies of a
 * Replace, and replaced versions, which nobody can bring back any more. Waits for it, and names what is left.
 * @param isHeldUp do not wait long: the command was interrupted, or the service does not answer
 * @returns whether something is left
 */
export async function leaveNothing(context: Ending, isHeldUp: boolean): Promise<boolean> {
  const { io, coffer, output, interrupted, waitMs } = context;
  const { services } = await coffer.call('services.list', undefined);
  const [service] = services;
  if (!service) return false;
  await coffer.call('undo.clear', undefined);
  const untilMs = io.clock.monotonicMs() + (isHeldUp ? Math.min(heldUpMs, waitMs) : waitMs);
  const change = new Sleeper(io.clock);
  await coffer.follow('transfers.ended', () => change.wake());
  await coffer.follow('transfers.changed', () => change.wake());
  for (;;) {
    const lookedMs = io.clock.monotonicMs();
    const { left } = await coffer.call('command.leftBehind', { serviceId: service.id });
    const isOver = !left.some(({ isGoing }) => isGoing) || io.clock.monotonicMs() >= untilMs;
    if (isOver || (interrupted.aborted && !isHeldUp)) {
      sayLeftBehind(output, left, service.baseAddress);
      return left.length > 0;
    }
    const checkMs = io.clock.monotonicMs() - lookedMs;
    await io.clock.delay(Math.min(checkMs * restTimes, unannouncedMs));
    await change.sleep(unannouncedMs, new AbortController().signal);
  }
}

function sayLeftBehind(output: Context['output'], left: readonly LeftBehind[], address: string): void {
  for (const { kind, identifier, lastPart, count } of left.slice(0, maxNamed))
    output.error(
      kind === 'object'
        ? texts.objectLeft({ identifier, address })
        : texts.partsLeft({ identifier, address, count, lastPart }),
    );
  if (left.length > maxNamed) output.error(texts.moreLeft({ count: left.length - maxNamed, address }));
}
