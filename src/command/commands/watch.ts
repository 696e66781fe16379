import { watch as watchFolder } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Clock } from '../../main/ports.ts';
import { Sleeper } from '../../main/lib/timers.ts';
import type { RunAlone } from '../context.ts';
import { Usage } from '../errors.ts';
import { exitCodes } from '../exit-code.ts';
import { limited, type LimitOptions } from '../limits.ts';
import type { Waiting } from '../runner.ts';
import type { KnownDigests } from '../sync/compare.ts';
import { syncTexts as texts } from '../sync/texts.ts';
import { sync, type SyncOptions } from './sync.ts';

/** In seconds. @param settle of quiet after a change @param every at the latest */
export interface Timing {
  readonly settle: number;
  readonly every: number;
}

/** A file that is written to all the time does not hold up the others for longer than this many times `--settle`. */
const longestSettles = 12;
/** After a failure that may pass. */
const retryMs = 60_000;

/** `coffer watch DIR TO [options of sync] [--settle SECONDS] [--every SECONDS]`: synchronises after each change, until Ctrl+C. */
export function watch(
  directory: string,
  into: string,
  options: SyncOptions & Timing & LimitOptions & Waiting,
): RunAlone {
  return async ({ io, output, interrupted, attempt }) => {
    if (options.delete && !options.yes) throw new Usage(texts.watchNeedsYes);
    const [settleMs, everyMs] = [options.settle * 1000, options.every * 1000];
    const changes = followChanges(io.clock, interrupted);
    const root = await realpath(resolve(io.cwd, directory)).catch(() => null);
    if (root !== null)
      changes.follow(root, (code) =>
        output.error(texts.notReported({ folder: directory, code, seconds: options.every })),
      );
    const known: KnownDigests = new Map();
    let isWorking = false;
    const onWork = () => {
      isWorking = true;
    };
    try {
      for (let isFirst = true; ; isFirst = false) {
        isWorking = false;
        const run = sync(directory, into, { ...options, known, onWork, onlyChanges: !isFirst });
        const code = await attempt(limited(run, options), options.wait);
        // A new token has to be set first.
        if (code === exitCodes.token) return code;
        // While it only compares, nothing is left unfinished.
        if (code === exitCodes.interrupted) return isWorking ? code : exitCodes.done;
        if (isFirst) output.say(texts.watching({ folder: directory }));
        const isLeft = code === exitCodes.tryLater;
        await changes.wait(isLeft ? Math.min(retryMs, everyMs) : everyMs, settleMs);
      }
    } catch (cause) {
      // Between two runs nothing is left unfinished.
      if (interrupted.aborted) return exitCodes.done;
      throw cause;
    }
  };
}

function followChanges(clock: Clock, interrupted: AbortSignal) {
  const sleeper = new Sleeper(clock);
  let count = 0;
  return {
    /** @param onFailed with the code of the error */
    follow(folder: string, onFailed: (code: string) => void): void {
      const fail = (cause: unknown) =>
        onFailed(cause instanceof Error && 'code' in cause ? String(cause.code) : '');
      try {
        watchFolder(folder, { recursive: true, signal: interrupted })
          .on('change', () => {
            count += 1;
            sleeper.wake();
          })
          .on('error', fail);
      } catch (cause) {
        fail(cause);
      }
    },

    /** Waits for a change, also for one since the last wait, until it has settled. @throws the signal's reason */
    async wait(longestMs: number, settleMs: number): Promise<void> {
      await sleeper.sleep(longestMs, interrupted);
      const latestMs = clock.monotonicMs() + settleMs * longestSettles;
      for (let seen = -1; seen !== count && clock.monotonicMs() < latestMs;) {
        seen = count;
        await clock.delay(settleMs, interrupted);
      }
    },
  };
}
