import type { AppError } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import { HeldUp } from '../errors/errors.ts';
import {
  exitCodeOf,
  exitCodeWithoutToken,
  exitCodes,
  passesByItself,
  type ExitCode,
} from '../errors/exit-code.ts';
import { errorLineWithProxy } from './proxy-hint.ts';
import { commandTexts as texts } from '../texts.ts';

/** Poll interval, in ms: no event reports that a service is held up. */
const lookMs = 250;

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
    await io.clock.delay(lookMs, signal);
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
