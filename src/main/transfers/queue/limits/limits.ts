import type { Settings } from '../../../../shared/domain/settings.ts';
import type { TransferSummary } from '../../../../shared/domain/transfer-summary.ts';
import type { Clock } from '../../../ports.ts';
import { hourAt, hourNow } from './hours.ts';
import { createRateLimiter } from './rate-limiter.ts';

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
  filesAtOnce(): number;
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
    filesAtOnce: () => settings().transfersAtOnce ?? Infinity,
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
