import type { RememberedFile, WatchedFiles } from '../database/watched-files.ts';
import type { Clock } from '../ports.ts';
import { ignoresOf } from './existing-files.ts';
import { followFolder, type FollowedFolder, type Looked } from './follow-folder.ts';
import { sendSettled, type SendDeps } from './send-settled.ts';
import type { WatchRecord } from './watch-record.ts';

/** A watched folder that is followed. */
export interface WatchRun {
  /** What the last look has found; null: not looked yet. */
  readonly looked: () => Looked | null;
  readonly wake: () => void;
  /** Resolves when nothing more is sent. */
  stop(): Promise<void>;
}

export interface WatchRunDeps extends SendDeps {
  readonly watched: Pick<WatchedFiles, 'of'>;
  readonly clock: Clock;
  /** Uploads have begun. */
  readonly onSent: (id: string, count: number) => Promise<void>;
  readonly onChanged: () => void;
  /** The service has another address than when the person asked. */
  readonly hasMoved: (record: WatchRecord) => boolean;
}

export function startWatch(deps: WatchRunDeps, record: WatchRecord): WatchRun {
  const { watched, connections, clock, log, onSent, onChanged, hasMoved } = deps;
  const { id, serviceId, folder, identity, choices } = record;
  const off = new AbortController();
  const known = new Map<string, RememberedFile>();
  let looked: Looked | null = null;
  let followed: FollowedFolder | null = null;

  async function follow(): Promise<void> {
    const ignores = await ignoresOf(connections, serviceId, folder, choices.ignore);
    followed = followFolder({
      folder,
      identity,
      clock,
      signal: off.signal,
      settleMs: choices.settleSeconds * 1000,
      ignores,
      isKnown(path, { sizeBytes, mtimeMs }) {
        const before = known.get(path);
        return before?.isUnsent === false && before.sizeBytes === sizeBytes && before.mtimeMs === mtimeMs;
      },
      async send(files) {
        if (!hasMoved(record)) return sendSettled(deps, record, files, known, (count) => onSent(id, count));
        // The files stay unsent, in case the service gets its former address back.
        onChanged();
        return new Map();
      },
      async recall() {
        for (const file of await watched.of(id)) known.set(file.path, file);
      },
      onLooked(now) {
        if (JSON.stringify(now) === JSON.stringify(looked)) return;
        looked = now;
        onChanged();
      },
      onFailed: (cause) => log.warn('files of a watched folder were not sent', { id, cause }),
    });
    await followed.ended;
  }
  const ended = follow().catch((cause: unknown) =>
    log.error('a watched folder is not followed', { id, cause }),
  );

  return {
    looked: () => looked,
    wake: () => followed?.wake(),
    stop() {
      off.abort();
      return ended;
    },
  };
}
