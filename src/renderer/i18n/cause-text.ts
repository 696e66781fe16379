import type { Cause, CurrentLimit, Paused } from '../../shared/domain/transfer-summary.ts';
import { formatDuration, formatList, formatRate, formatUntil } from '../../shared/i18n/format.ts';
import { dockTexts } from './dock-texts.ts';
import { errorLine } from '../../shared/i18n/error-text.ts';
import { troubleText } from './waiting-text.ts';

/**
 * How many, and why: `212 waiting: can’t reach the service`, `3 not found at the service`. Why a token is needed, its
 * banner says.
 */
export function causeText({ group, code, count, error }: Cause, isHeld: boolean): string {
  const texts = dockTexts.cause;
  if (group === 'waiting') {
    if (isHeld) return texts.paused({ count });
    if (error === null || needsToken({ code, error })) return texts.waitingForToken({ count });
    return texts.waiting({ count, trouble: troubleText(error) });
  }
  if (code === 'missing') return texts.missing({ count });
  if (error === null) return texts.failed({ count });
  return texts.failedFor({ count, trouble: troubleText(error) });
}

/** Whether only a new token helps. */
export function needsToken({ code, error }: Pick<Cause, 'code' | 'error'>): boolean {
  return error === null || code === 'tokenRefused' || code === 'tokenMissing';
}

/** What happens next, for the line after the service's name; null: nothing automatic. */
export function causeFacts(cause: Cause, nowMs: number): string | null {
  const texts = dockTexts.cause;
  const { group, retryAtMs } = cause;
  if (group === 'needsYou') return null;
  if (retryAtMs === null || needsToken(cause)) return null;
  return retryAtMs <= nowMs
    ? texts.tryingNow
    : texts.nextTry({ duration: formatDuration(retryAtMs - nowMs) });
}

/** The full explanation and remedy of one of them. */
export function causeHint({ error }: Cause): string | undefined {
  return error === null ? undefined : errorLine(error);
}

/** `At most 5 MB/s up, 10 MB/s down until 18:00`; null: no limit. */
export function limitText(limit: CurrentLimit | null): string | null {
  const texts = dockTexts.limit;
  const { uploadBytesPerSecond: up = null, downloadBytesPerSecond: down = null } = limit ?? {};
  const time = limit === null || limit.untilMs === null ? null : formatUntil(limit.untilMs);
  if (up === null && down === null) return null;
  if (up === down && up !== null) {
    const rate = formatRate(up);
    return time === null ? texts.both({ rate }) : texts.bothUntil({ rate, time });
  }
  const rates = formatList([
    up !== null && texts.up({ rate: formatRate(up) }),
    down !== null && texts.down({ rate: formatRate(down) }),
  ]);
  return time === null ? texts.each({ rates }) : texts.eachUntil({ rates, time });
}

/**
 * A short text for the bottom line; null: nothing is paused.
 * @param names of paused services
 * @param finishing number of transfers that began before the pause and still run
 */
export function pausedText(
  { all, byHour }: Paused,
  names: readonly string[],
  untilMs: number | null,
  finishing: number,
): string | null {
  const texts = dockTexts.paused;
  const what = pausedWhat(all, byHour, names, untilMs);
  return what === null ? null : formatList([what, finishing > 0 && texts.finishing({ count: finishing })]);
}

function pausedWhat(
  all: boolean,
  byHour: boolean,
  names: readonly string[],
  untilMs: number | null,
): string | null {
  const texts = dockTexts.paused;
  if (all) return texts.all;
  if (byHour) return untilMs === null ? texts.all : texts.until({ time: formatUntil(untilMs) });
  const [name] = names;
  if (name === undefined) return null;
  return names.length === 1 ? texts.service({ name }) : texts.services({ count: names.length });
}
