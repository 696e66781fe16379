import type { Hour, Settings } from '../../../../shared/domain/settings.ts';
import type { TransferSummary } from '../../../../shared/domain/transfer-summary.ts';
import { Mutex } from '../../../lib/async.ts';
import { Sleeper } from '../../../lib/timers.ts';
import type { Clock } from '../../../ports.ts';

/** In every time zone, offsets from UTC are multiples of 15 minutes, and change only at such a multiple. */
const quarterMs = 15 * 60_000;
/** Two weeks and a day: an hour that summer time leaves out comes only a week later. */
const farthestMs = 15 * 24 * 3_600_000;

type Hours = Pick<Settings, 'limitByHour' | 'hours'>;

/** The limit in force, and when it ends (wall clock, ms); null: only a change of settings ends it. */
export interface HourNow {
  readonly hour: Hour;
  readonly untilMs: number | null;
}

/** By the hours of the week in local time, Monday first; without `limitByHour` the limits always hold. */
function hourAt({ limitByHour, hours }: Hours, atMs: number): Hour {
  if (!limitByHour) return 'limited';
  const date = new Date(atMs);
  return hours[((date.getDay() + 6) % 7) * 24 + date.getHours()] ?? 'full';
}

export function hourNow(settings: Hours, nowMs: number): HourNow {
  const hour = hourAt(settings, nowMs);
  if (!settings.limitByHour) return { hour, untilMs: null };
  // Step in UTC: a local hour comes twice when summer time ends.
  let atMs = Math.floor(nowMs / quarterMs) * quarterMs + quarterMs;
  for (; atMs <= nowMs + farthestMs; atMs += quarterMs)
    if (hourAt(settings, atMs) !== hour) return { hour, untilMs: atMs };
  return { hour, untilMs: null };
}

/** Spreads a rate evenly; unused capacity is saved up for one burst at most. */
export interface RateLimiter {
  /** Resolves when the next may go; rejects with the signal's reason. */
  take(amount: number, signal: AbortSignal): Promise<void>;
}

/**
 * A token bucket. Callers that find it empty queue up, so that a changed limit applies to all of them at once.
 * @param perSecond read each time; null: no limit
 * @param burstMs what may be saved up, in milliseconds of the limit
 */
export function createRateLimiter(
  clock: Clock,
  perSecond: () => number | null,
  burstMs: number,
): RateLimiter & { changed(): void } {
  /** Monotonic time at which everything taken so far is paid for. */
  let paidAtMs = -Infinity;
  const line = new Mutex();
  const sleeper = new Sleeper(clock);

  async function pay(amount: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const limit = perSecond();
      const nowMs = clock.monotonicMs();
      if (limit === null) {
        paidAtMs = nowMs;
        return;
      }
      paidAtMs = Math.max(paidAtMs, nowMs - burstMs);
      const waitMs = paidAtMs - nowMs;
      if (waitMs <= 0) {
        paidAtMs += (amount / limit) * 1000;
        return;
      }
      await sleeper.sleep(waitMs, signal);
    }
  }

  return {
    take(amount, signal) {
      if (perSecond() === null) {
        signal.throwIfAborted();
        return Promise.resolve();
      }
      return line.runExclusive(() => pay(amount, signal));
    },
    changed() {
      sleeper.wake();
      // Forget the debt from an older, lower limit.
      paidAtMs = Math.min(paidAtMs, clock.monotonicMs());
    },
  };
}

export type LimitSettings = Pick<
  Settings,
  | 'transfersAtOnce'
  | 'requestsPerSecond'
  | 'uploadBytesPerSecond'
  | 'downloadBytesPerSecond'
  | 'limitByHour'
  | 'hours'
>;

/** All transfer limits, each enforced in one place. A change applies at once, also to running transfers. */
export interface Limits {
  /** Files that are moved, and requests to one service; Infinity: as many as it answers quickly. */
  transfersAtOnce(): number;
  /** Waits until this many bytes may be moved; undefined: no wait. Rejects with the signal's reason. */
  takeBytes(direction: 'upload' | 'download', bytes: number, signal: AbortSignal): Promise<void> | undefined;
  /** Whether the user's limit slows uploads down. */
  slowsUploads(): boolean;
  /** Waits until a request to this service may be sent. Rejects with the signal's reason. */
  takeRequest(serviceId: string, signal: AbortSignal): Promise<void> | undefined;
  /** The hours of the week say that nothing new begins now. */
  isPausedByHour(): boolean;
  /** For the status line; null: no limit applies now or later. */
  current(): TransferSummary['limit'];
  /** Wall clock, ms: when the hours of the week bring another limit; null: never. */
  changesAtMs(): number | null;
  /** Settings were changed, or an hour began. */
  changed(): void;
}

/** Unused bandwidth that is saved up, so that pieces of 1 MiB pass evenly. */
const burstMs = 250;

export function createLimits(clock: Clock, settings: () => LimitSettings): Limits {
  const bytesPerSecond = (direction: 'upload' | 'download') => {
    const { uploadBytesPerSecond, downloadBytesPerSecond } = settings();
    if (hourAt(settings(), clock.nowMs()) === 'full') return null;
    return direction === 'upload' ? uploadBytesPerSecond : downloadBytesPerSecond;
  };
  const bytes = {
    upload: createRateLimiter(clock, () => bytesPerSecond('upload'), burstMs),
    download: createRateLimiter(clock, () => bytesPerSecond('download'), burstMs),
  };
  const requests = new Map<string, ReturnType<typeof createRateLimiter>>();

  function requestsOf(serviceId: string): ReturnType<typeof createRateLimiter> {
    const known = requests.get(serviceId);
    if (known) return known;
    const limiter = createRateLimiter(clock, () => settings().requestsPerSecond, 0);
    requests.set(serviceId, limiter);
    return limiter;
  }

  return {
    transfersAtOnce: () => settings().transfersAtOnce ?? Infinity,
    takeBytes(direction, count, signal) {
      return bytesPerSecond(direction) === null ? undefined : bytes[direction].take(count, signal);
    },
    slowsUploads: () => bytesPerSecond('upload') !== null,
    takeRequest(serviceId, signal) {
      return settings().requestsPerSecond === null ? undefined : requestsOf(serviceId).take(1, signal);
    },
    isPausedByHour: () => hourAt(settings(), clock.nowMs()) === 'paused',
    current() {
      const { hour, untilMs } = hourNow(settings(), clock.nowMs());
      const [uploadBytesPerSecond, downloadBytesPerSecond] = [
        bytesPerSecond('upload'),
        bytesPerSecond('download'),
      ];
      const isFree = uploadBytesPerSecond === null && downloadBytesPerSecond === null;
      if (isFree && (hour === 'limited' || (hour === 'full' && untilMs === null))) return null;
      return { uploadBytesPerSecond, downloadBytesPerSecond, untilMs };
    },
    changesAtMs: () => hourNow(settings(), clock.nowMs()).untilMs,
    changed() {
      bytes.upload.changed();
      bytes.download.changed();
      for (const limiter of requests.values()) limiter.changed();
    },
  };
}
