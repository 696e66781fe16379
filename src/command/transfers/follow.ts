import { isFinished, type Transfer } from '../../shared/domain/transfer.ts';
import { formatProgress } from '../../shared/i18n/format.ts';
import { Sleeper } from '../../main/lib/timers.ts';
import type { Output } from '../terminal/output.ts';
import { commandTexts as texts } from '../texts.ts';
import { errorLine } from '../errors/error-line.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodeOf, exitCodeOfAll, exitCodes, passesByItself } from '../errors/exit-code.ts';
import { errorLineWithProxy, whyNoToken } from '../objects/task-end.ts';
import { transferJson } from '../terminal/json.ts';
import { findTransfers } from './find-transfers.ts';
import { giveUpLeft } from './leave-nothing.ts';
import { isHalfReplaced, sayHalfReplaced, finishReplaces } from './finish-replaces.ts';

/** Shows the progress of `total` transfers. Finished ones keep counting, and a restarted file never moves the bar back. */
export function createTransferProgress(
  { progress, showsProgress }: Pick<Output, 'progress' | 'showsProgress'>,
  total: number,
): (now: readonly Transfer[]) => void {
  let endedBytes = 0;
  const shown = { doneBytes: 0, totalBytes: 0, fraction: 0 };
  return (now) => {
    endedBytes += sum(now.filter(({ state }) => isFinished(state)).map(({ totalBytes }) => totalBytes));
    const left = now.filter(({ state }) => !isFinished(state));
    if (!showsProgress || left.length === 0) return;
    const doneBytes = sum(left.map((transfer) => transfer.doneBytes));
    const totalBytes = sum(left.map((transfer) => transfer.totalBytes));
    const ended = total - left.length;
    const moving = totalBytes === 0 ? 0 : (left.length * doneBytes) / totalBytes;
    shown.doneBytes = Math.max(shown.doneBytes, endedBytes + doneBytes);
    shown.totalBytes = Math.max(shown.totalBytes, endedBytes + totalBytes);
    shown.fraction = Math.max(shown.fraction, (ended + moving) / total);
    const files = texts.progress({ done: ended, total });
    progress(`${files}  ${formatProgress(shown.doneBytes, shown.totalBytes)}`, shown.fraction);
  };
}

function sum(bytes: readonly (number | null)[]): number {
  return bytes.reduce<number>((all, each) => all + (each ?? 0), 0);
}

/** Polling thousands of transfers slows them down: rest this many times as long as a poll took. The end of the last one ends the rest. */
const restTimes = 10;
const longestRestMs = 1000;
/** Poll at least this often, in case a change was not announced by an event. */
const unannouncedMs = 1000;
/** Transfers cannot finish faster than this: delays the first poll of many. */
const maxPerMs = 4;
/** How many unfinished transfers are named at the end. */
const maxNamed = 20;

export interface Following {
  /** Called for each transfer that has ended. A returned exit code overrides the default. */
  readonly ended: (transfer: Transfer) => ExitCode | void;
  /** Called for an upload with an open conflict prompt. Resolves with false if it must be left unanswered. */
  readonly asks?: (transfer: Transfer) => Promise<boolean>;
}

/**
 * Waits until these transfers have ended and returns one exit code for all. Stops waiting when all of the rest wait for a
 * token or a setting, have been held up for `waitMs`, when the command is interrupted, or when the app takes over; names the
 * unfinished ones on standard error.
 */
export async function followTransfers(
  context: Context,
  ids: readonly number[],
  { ended, asks }: Following,
): Promise<ExitCode> {
  const { coffer, io, output, hasList, interrupted, makeWay, waitMs } = context;
  const { clock } = io;
  const codes: ExitCode[] = [];
  let open = [...ids];
  /** Those whose end was neither seen nor announced. */
  const running = new Set(ids);
  const rest = new Sleeper(clock);
  const change = new Sleeper(clock);
  const checkNow = () => {
    rest.wake();
    change.wake();
  };
  await coffer.follow('transfers.changed', () => change.wake());
  await coffer.follow('transfers.ended', (ends) => {
    for (const id of ends.ids) running.delete(id);
    if (running.size === 0) checkNow();
  });
  makeWay.addEventListener('abort', checkNow, { once: true });
  let heldSinceMs: number | null = null;
  const show = createTransferProgress(output, ids.length);
  try {
    await rest.sleep(Math.min(ids.length / maxPerMs, longestRestMs), interrupted);
    while (open.length > 0) {
      interrupted.throwIfAborted();
      const lookedMs = clock.monotonicMs();
      const now = await findTransfers(context, open);
      const checkMs = clock.monotonicMs() - lookedMs;
      for (const transfer of now.filter(({ state }) => isFinished(state))) {
        running.delete(transfer.id);
        codes.push(ended(transfer) ?? codeOf(context, transfer));
      }
      const unfinished = now.filter(({ state }) => !isFinished(state));
      const asking = unfinished.filter(({ waitingFor }) => waitingFor === 'answer');
      if (asking.length > 0) output.progress(null);
      const unanswered: Transfer[] = [];
      for (const transfer of asking) if (asks && !(await asks(transfer))) unanswered.push(transfer);
      sayLeft(context, unanswered);
      codes.push(...unanswered.map(() => exitCodes.exists));
      for (const { id } of unanswered) running.delete(id);
      const left = unfinished.filter((transfer) => !unanswered.includes(transfer));
      open = left.map(({ id }) => id);
      show(now);
      const isHeld = left.length > 0 && left.every(isHeldUp);
      heldSinceMs = isHeld ? (heldSinceMs ?? clock.monotonicMs()) : null;
      const isLeaving = makeWay.aborted && left.length > 0;
      const heldMs = heldSinceMs === null ? 0 : clock.monotonicMs() - heldSinceMs;
      const code = isLeaving ? exitCodes.tryLater : leaves(left, heldMs, waitMs);
      if (code !== null) {
        output.progress(null);
        const waiting = left.find(({ waitingFor }) => waitingFor === 'token');
        const noToken = waiting && (await whyNoToken(context, waiting.error));
        sayLeft(context, left, noToken?.why);
        codes.push(...left.map(() => (code === exitCodes.token && noToken ? noToken.code : code)));
        break;
      }
      if (open.length > 0 && asking.length === 0) {
        await rest.sleep(Math.min(checkMs * restTimes, longestRestMs), interrupted);
        const heldLeftMs = isHeld ? waitMs - heldMs + 1 : Infinity;
        await change.sleep(Math.min(unannouncedMs, heldLeftMs), interrupted);
      }
    }
  } catch (cause) {
    if (!interrupted.aborted) throw cause;
    output.progress(null);
    const now = await (hasList ? findTransfers(context, open) : finishReplaces(context, open));
    const isOver = ({ state }: Transfer) => isFinished(state) && state !== 'cancelled';
    codes.push(...now.filter(isOver).map((transfer) => ended(transfer) ?? codeOf(context, transfer)));
    const left = now.filter((transfer) => !isOver(transfer));
    if (left.length === 0) return exitCodeOfAll(codes);
    sayLeft(context, left);
    return exitCodes.interrupted;
  } finally {
    output.progress(null);
    await giveUpLeft(context, ids);
  }
  return exitCodeOfAll(codes);
}

const heldUp = new Set<Transfer['waitingFor']>(['token', 'network', 'retry', 'paused']);

function isHeldUp({ waitingFor }: Transfer): boolean {
  return heldUp.has(waitingFor);
}

/** The exit code with which to stop waiting; null: keep waiting. */
function leaves(left: readonly Transfer[], heldMs: number, waitMs: number): ExitCode | null {
  if (left.length === 0) return null;
  if (left.every(({ waitingFor }) => waitingFor === 'token')) return exitCodes.token;
  const [first] = left;
  if (first?.error && left.every(({ error }) => error && !passesByItself(error)))
    return exitCodeOf(first.error);
  return heldMs > waitMs ? exitCodes.tryLater : null;
}

/** Prints why each is unfinished, and where it continues. */
function sayLeft(
  context: Context,
  left: readonly Transfer[],
  noToken: string = context.hasList ? texts.leftToken : texts.leftRefused,
): void {
  const { output, hasList, doneBy, makeWay } = context;
  const goesOn = hasList ? texts.goesOn[makeWay.aborted ? 'app' : doneBy] : texts.goesOnNot;
  const isHalf = (transfer: Transfer) => isHalfReplaced(context, transfer);
  for (const transfer of left.filter(isHalf))
    sayHalfReplaced(context, transfer, whyLeft(context, transfer, noToken));
  const others = left.filter((transfer) => !isHalf(transfer));
  for (const transfer of others.slice(0, maxNamed)) {
    const { identifier } = transfer;
    output.error(texts.left({ identifier, why: whyLeft(context, transfer, noToken), goesOn }));
  }
  if (others.length > maxNamed) output.error(texts.leftMore({ count: others.length - maxNamed, goesOn }));
  for (const transfer of left) output.value(transferJson(transfer));
}

function whyLeft(context: Context, { waitingFor, error }: Transfer, noToken: string): string {
  if (waitingFor === 'token') return noToken;
  if (waitingFor === 'answer') return texts.leftAnswer;
  if (waitingFor === 'paused') return texts.leftPaused;
  return error ? errorLineWithProxy(error, context) : texts.leftUnfinished;
}

function codeOf(context: Context, transfer: Transfer): ExitCode {
  const { output } = context;
  const { state, error, identifier } = transfer;
  if (state === 'done') return exitCodes.done;
  const text = error ? errorLine(error) : '';
  if (isHalfReplaced(context, transfer)) sayHalfReplaced(context, transfer, text);
  else if (state === 'cancelled') output.error(texts.cancelled({ identifier }));
  else if (error) output.error(texts.failed({ identifier, text }));
  output.value(transferJson(transfer));
  return error ? exitCodeOf(error) : exitCodes.error;
}
