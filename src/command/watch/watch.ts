import { isSeenUntouched, type SeenState } from '../../main/local-files/file-state.ts';
import { belowOf } from '../../main/upload-plan/read-files.ts';
import { followFolder } from '../../main/watch/follow-folder.ts';
import type { Run, RunAlone, Waiting } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { limited, type LimitOptions } from '../transfers/limits.ts';
import { compileNarrowing } from '../files/patterns.ts';
import { Absences } from '../sync/absences.ts';
import type { KnownDigests } from '../sync/compare.ts';
import { syncTexts as texts } from '../sync/texts.ts';
import { sync, type SyncOptions } from '../commands/sync.ts';
import type { WatchedFolder } from '../../shared/domain/watch.ts';
import { toIso } from '../terminal/json.ts';
import { rowOf } from '../terminal/layout.ts';

export interface Timing {
  /** In seconds, between runs at most. */
  readonly every: number;
}

/** Delay after a temporary failure, in ms. */
const retryMs = 60_000;

/**
 * `coffer watch DIR TO [options of sync] [--settle SECONDS] [--every SECONDS]`: synchronises at the start and whenever files
 * have settled, until Ctrl+C.
 */
export function watch(
  directory: string | undefined,
  into: string | undefined,
  options: SyncOptions & Timing & LimitOptions & Waiting,
): RunAlone {
  return async ({ io, output, interrupted, attempt }) => {
    if (directory === undefined || into === undefined) throw new Usage(texts.watchNeedsBoth);
    if (options.delete && !options.yes) throw new Usage(texts.watchNeedsYes);
    const { clock } = io;
    const [settleMs, everyMs] = [options.settle * 1000, options.every * 1000];
    const isWanted = compileNarrowing(options, '/');
    const known: KnownDigests = new Map();
    const absences = new Absences({ settleMs, minScans: 3, isWanted });
    const said = { key: '' };
    /** Settled states of files, by path. */
    const settled = new Map<string, SeenState>();
    const isSettled = (path: string, file: SeenState) => {
      const state = settled.get(path);
      return state !== undefined && isSeenUntouched(state, file);
    };
    const ended = new AbortController();
    interrupted.addEventListener('abort', () => ended.abort(), { once: true });
    let exitCode: number = exitCodes.done;
    let nextMs = 0;

    const run = async (isFirst = false): Promise<void> => {
      let isWorking = false;
      const synchronising = sync(directory, into, {
        ...options,
        known,
        absences,
        said,
        onlyChanges: !isFirst,
        isSettled(file) {
          // At the start, files last changed before the settle time count as settled.
          const isOld = isFirst && file.mtimeMs <= clock.nowMs() - settleMs;
          if (isOld) settled.set(file.relative, file);
          return isOld || isSettled(file.relative, file);
        },
        onWork() {
          isWorking = true;
        },
      });
      const code = await attempt(limited(synchronising, options), options.wait);
      nextMs = clock.monotonicMs() + (code === exitCodes.tryLater ? Math.min(retryMs, everyMs) : everyMs);
      // Without a valid token, waiting is pointless. An interrupt is a failure only while files are stored or deleted.
      if (code === exitCodes.token || (code === exitCodes.interrupted && isWorking)) exitCode = code;
      if (code === exitCodes.token || code === exitCodes.interrupted) ended.abort();
    };

    await run(true);
    if (ended.signal.aborted) return exitCode;
    output.say(texts.watching({ folder: directory }));
    const failures: unknown[] = [];
    await followFolder({
      // Not resolved: a link may get another target.
      folder: io.resolve(directory),
      clock,
      signal: ended.signal,
      settleMs,
      ignores: (below, isFolder) => !isFolder && !isWanted(below),
      isKnown: isSettled,
      async send(files) {
        for (const file of files) settled.set(belowOf(file), file);
        await run();
        return new Map();
      },
      async onRead(reading, begunMs) {
        const isDue = absences.add({ ...reading, begunMs, endedMs: clock.monotonicMs() });
        if ((isDue && options.delete === true) || clock.monotonicMs() >= nextMs) await run();
      },
      recall: async () => undefined,
      onChecked: () => undefined,
      onFailed(cause) {
        failures.push(cause);
        ended.abort();
        return null;
      },
    }).ended;
    if (failures.length > 0) throw failures[0];
    return exitCode;
  };
}

/** `coffer watch --list`: the watched folders of the window, and what each is doing. */
export function watchList(directory: string | undefined): Run {
  return async (context) => {
    if (directory !== undefined) throw new Usage(texts.listsAll);
    if (!context.hasList) throw new Usage(texts.noWindow);
    const { id: serviceId } = await context.service();
    const { folders } = await context.coffer.call('watch.list', { serviceId });
    const { output } = context;
    for (const folder of folders) {
      const { label, choices, state } = folder;
      const into = texts.watchedInto({ folder: choices.into === '' ? '/' : choices.into });
      output.result(rowOf(output, [texts.watchState[state].padEnd(13)], label, [into]), watchedJson(folder));
    }
    if (folders.length === 0) output.say(texts.noneWatched);
    else if (context.doneBy !== 'app') output.say(texts.onlyInApp);
    return exitCodes.done;
  };
}

function watchedJson({
  name,
  label,
  choices,
  state,
  lastUploadAtMs,
  error,
  ...counts
}: WatchedFolder): object {
  const { settleSeconds, ...chosen } = choices;
  const { uploads, settling, skippedCount } = counts;
  return {
    name,
    folder: label,
    ...chosen,
    settle: settleSeconds,
    state,
    uploads,
    lastUpload: toIso(lastUploadAtMs),
    settling,
    skipped: skippedCount,
    error: error?.code ?? null,
  };
}
