import { setTimeout } from 'node:timers/promises';
import { errorLine } from '../shared/i18n/error-text.ts';
import { HeldUp, type Context } from './context.ts';
import { exitCodeOf, exitCodes } from './exit-code.ts';
import { commandTexts as texts } from './texts.ts';

/** Nobody tells of a service that is held up, so it is looked at. */
const lookMs = 250;

/**
 * What `work` answers, unless its service refuses the token, or is away for longer than is waited for: such work has no end of
 * its own. @throws HeldUp; the reason of an interrupt
 */
export async function unlessHeldUp<T>(context: Context, profileId: string, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const signal = AbortSignal.any([context.interrupted, over.signal]);
  try {
    return await Promise.race([work, heldUp(context, profileId, signal)]);
  } finally {
    over.abort();
  }
}

async function heldUp(context: Context, profileId: string, signal: AbortSignal): Promise<never> {
  const { coffer, output, makeWay, waitMs, isKept } = context;
  let sinceMs: number | null = null;
  for (;;) {
    await setTimeout(lookMs, undefined, { signal });
    const { error } = await coffer.call('command.trouble', { profileId });
    signal.throwIfAborted();
    if (!error) {
      sinceMs = null;
      continue;
    }
    const service = await nameOf(context, profileId);
    if (exitCodeOf(error) === exitCodes.token) {
      const why = isKept ? texts.leftToken : texts.leftRefused;
      throw new HeldUp(texts.heldUp({ service, why }), exitCodes.token);
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

async function nameOf({ coffer }: Context, profileId: string): Promise<string> {
  const { profiles } = await coffer.call('profiles.list', undefined);
  return profiles.find(({ id }) => id === profileId)?.name ?? profileId;
}
