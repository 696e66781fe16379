import { environmentProxy } from '../../main/connections/environment-proxy.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Task } from '../../shared/domain/task.ts';
import type { Context } from '../context.ts';
import { errorLine } from '../errors/error-line.ts';
import { commandTexts as texts } from '../texts.ts';
import { HeldUp } from '../errors/errors.ts';
import {
  type ExitCode,
  exitCodeOf,
  exitCodes,
  exitCodeWithoutToken,
  passesByItself,
} from '../errors/exit-code.ts';

/** Loopback hosts, never reached through a proxy. */
const loopback = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/;

/**
 * The text of an error. Without the app nothing reads the system's proxy settings and PAC files, so adds a hint if a service is
 * unreachable and the environment names no proxy for it.
 */
export function errorLineWithProxy(error: AppError, { doneBy, io }: Pick<Context, 'doneBy' | 'io'>): string {
  const line = errorLine(error);
  if (error.code !== 'unreachable' || doneBy !== 'thisCommand' || loopback.test(error.host)) return line;
  return environmentProxy(`https://${error.host}`, io.env) === null ? `${line} ${texts.noProxy}` : line;
}

/** Poll interval, in ms: no event reports that a service is held up. */
const checkMs = 250;

/**
 * Resolves as `work` does, unless its service refuses the token or is unreachable for longer than `waitMs`; such work would never
 * end by itself. @throws HeldUp; the abort reason after an interrupt
 */
export async function unlessHeldUp<T>(context: Context, serviceId: string, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const signal = AbortSignal.any([context.interrupted, over.signal]);
  try {
    return await Promise.race([work, heldUp(context, serviceId, signal)]);
  } finally {
    over.abort();
  }
}

async function heldUp(context: Context, serviceId: string, signal: AbortSignal): Promise<never> {
  const { coffer, io, output, makeWay, waitMs } = context;
  let sinceMs: number | null = null;
  for (;;) {
    await io.clock.delay(checkMs, signal);
    const { error } = await coffer.call('command.trouble', { serviceId });
    signal.throwIfAborted();
    if (!error) {
      sinceMs = null;
      continue;
    }
    const service = await nameOf(context, serviceId);
    if (exitCodeOf(error) === exitCodes.token) {
      const { why, code } = await whyNoToken(context, error);
      throw new HeldUp(texts.heldUp({ service, why }), code);
    }
    const why = errorLineWithProxy(error, context);
    const nowMs = io.clock.monotonicMs();
    if (!passesByItself(error)) throw new HeldUp(texts.heldUp({ service, why }), exitCodeOf(error));
    // Stop at once if the app waits for the data folder: it continues the work.
    if (nowMs - (sinceMs ?? nowMs) >= waitMs || makeWay.aborted)
      throw new HeldUp(texts.heldUp({ service, why }), exitCodes.tryLater);
    if (sinceMs === null) output.say(texts.waitsFor({ service, why }));
    sinceMs ??= nowMs;
  }
}

/** Why there is no usable token, and the exit code for that. @param error of the service's last request */
export async function whyNoToken(
  { coffer, hasList }: Pick<Context, 'coffer' | 'hasList'>,
  error: AppError | null,
): Promise<{ why: string; code: ExitCode }> {
  const { token } = exitCodes;
  if (!hasList) return { why: texts.leftRefused, code: token };
  const { error: trouble } = (await coffer.call('app.info', undefined)).keychain;
  if (error?.code !== 'tokenMissing' || trouble?.code !== 'keychain')
    return { why: texts.leftToken, code: token };
  const code = exitCodeWithoutToken(trouble);
  return { why: code === token ? texts.leftKeychain : texts.leftKeychainLate, code };
}

async function nameOf({ coffer }: Context, serviceId: string): Promise<string> {
  const { services } = await coffer.call('services.list', undefined);
  return services.find(({ id }) => id === serviceId)?.name ?? serviceId;
}

/** Objects of a deletion that ended which were being stored or deleted already: nothing was done for them. */
export function leftOutCount({ kind, state, total, present, missing, failed }: Task): number {
  return kind === 'delete' && state === 'done' ? total - present - missing - failed : 0;
}

/** Prints the failures of a task and returns its exit code. */
export function endOf({ output }: Context, task: Task, isMissingBad: boolean): ExitCode {
  const { kind, state, present, missing, total, error } = task;
  const failures = failuresOf(task);
  const requested = kind === 'delete' ? present : 0;
  // A deletion that was cancelled names none of those that are still there.
  const failed = task.failed + (state === 'cancelled' ? 0 : requested);
  for (const { identifier, error: why } of failures)
    output.error(texts.failed({ identifier, text: errorLine(why) }));
  const unnamed = failed - failures.length;
  if (unnamed > 0 && failures.length > 0) output.error(texts.failedMore({ count: unnamed }));
  else if (unnamed > 0 && error) output.error(texts.error({ text: errorLine(error) }));
  if (state === 'cancelled') return exitCodes.interrupted;
  const leftOut = leftOutCount(task);
  const bad = failed + leftOut + (isMissingBad ? missing : 0);
  if (bad === 0) return exitCodes.done;
  // The service or Coffer is still at it.
  if (bad === requested + leftOut) return exitCodes.tryLater;
  if (bad < total) return exitCodes.someFailed;
  if (failed > 0) return error ? exitCodeOf(error) : exitCodes.error;
  return exitCodes.notFound;
}

/** Sorted by identifier, since the service answers in any order. */
function failuresOf({ failures = [] }: Task): NonNullable<Task['failures']> {
  return failures.toSorted((one, other) => (one.identifier < other.identifier ? -1 : 1));
}

export function failuresJson(task: Task): object[] {
  return failuresOf(task).map(({ identifier, error }) => ({ identifier, error: error.code }));
}
