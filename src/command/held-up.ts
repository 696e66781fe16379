import { setTimeout } from 'node:timers/promises';
import type { AppError } from '../shared/errors.ts';
import { errorLine } from '../shared/i18n/error-text.ts';
import type { Context } from './context.ts';
import { HeldUp } from './errors.ts';
import { exitCodeOf, exitCodeWithoutToken, exitCodes, type ExitCode } from './exit-code.ts';
import { commandTexts as texts } from './texts.ts';

/** Nobody tells of a service that is held up, so it is looked at. */
const lookMs = 250;

/**
 * What `work` answers, unless its service refuses the token, or is away for longer than is waited for: such work has no end of
 * its own. @throws HeldUp; the reason of an interrupt
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
  const { coffer, output, makeWay, waitMs } = context;
  let sinceMs: number | null = null;
  for (;;) {
    await setTimeout(lookMs, undefined, { signal });
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
    const why = errorLine(error);
    const nowMs = performance.now();
    // The app waits for this command, and goes on by itself.
    if (nowMs - (sinceMs ?? nowMs) >= waitMs || makeWay.aborted)
      throw new HeldUp(texts.heldUp({ service, why }), exitCodes.tryLater);
    if (sinceMs === null) output.say(texts.waitsFor({ service, why }));
    sinceMs ??= nowMs;
  }
}

/** Why nothing can be asked of a service for want of a token, and what the command ends with. @param error that its last request met */
export async function whyNoToken(
  { coffer, isKept }: Pick<Context, 'coffer' | 'isKept'>,
  error: AppError | null,
): Promise<{ why: string; code: ExitCode }> {
  const { token } = exitCodes;
  if (!isKept) return { why: texts.leftRefused, code: token };
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
