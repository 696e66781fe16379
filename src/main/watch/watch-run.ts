import { randomUUID } from 'node:crypto';
import { toAppError } from '../../shared/app-failure.ts';
import type { WatchedFile, WatchedFiles } from '../database/watched-files.ts';
import { isSeenUntouched } from '../local-files/file-state.ts';
import type { Clock } from '../ports.ts';
import type { RealPathOf } from './watched-folder.ts';
import { ignoresOf } from './existing-files.ts';
import { followFolder, type Checked } from './follow-folder.ts';
import type { Ignores } from './read-changed.ts';
import { sendSettled, type SendDeps } from './send-settled.ts';
import { createTouchedFiles } from './touched-files.ts';
import type { WatchRecord } from './watch-record.ts';

/** Follows one watched folder. */
export interface WatchRun {
  /** Result of the last check; null: not checked yet. */
  readonly checked: () => Checked | null;
  readonly wake: () => void;
  /** Resolves when sending has ended. */
  stop(): Promise<void>;
}

export interface WatchRunDeps extends SendDeps {
  readonly watched: Pick<WatchedFiles, 'of' | 'unsent' | 'sent' | 'touch' | 'forget'>;
  readonly clock: Clock;
  readonly realPathOf: RealPathOf;
  /** Called with the number of uploads that were enqueued. */
  readonly onSent: (id: string, count: number) => Promise<void>;
  readonly onChanged: () => void;
  /** Whether the service's origin differs from the one the person agreed to. */
  readonly hasAddressChanged: (record: WatchRecord) => boolean;
}

export function startWatch(deps: WatchRunDeps, record: WatchRecord): WatchRun {
  const { watched, clock, log, onSent, onChanged, hasAddressChanged } = deps;
  const { id, folder, identity, choices } = record;
  const off = new AbortController();
  const known = new Map<string, WatchedFile>();
  const sending = { known, onSent: (count: number) => onSent(id, count), signal: off.signal };
  const touched = createTouchedFiles(deps, id, known, off.signal);
  let unsent = new Set<number | null>();
  let ignores: Ignores = () => false;
  let checked: Checked | null = null;
  const { wake, ended } = followFolder({
    folder,
    identity,
    clock,
    signal: off.signal,
    settleMs: choices.settleSeconds * 1000,
    ignores: (below, isFolder) => ignores(below, isFolder),
    isKnown(path, file) {
      const before = known.get(path);
      if (before === undefined || unsent.has(before.transferId)) return false;
      if (before.sizeBytes !== file.sizeBytes || before.mtimeMs !== file.mtimeMs) return false;
      // A file that was there before has no digest to compare it with.
      return before.transferId === null || isSeenUntouched(before, file) || !touched.differs(path, file);
    },
    async send(files) {
      if (!hasAddressChanged(record)) return sendSettled(deps, record, files, sending);
      // The files stay unsent, in case the service gets its former address back.
      onChanged();
      return new Map();
    },
    onRead: async () => touched.begin(),
    async recall(isWhole) {
      ignores = await ignoresOf(deps, folder, choices.ignore);
      if (isWhole) for (const file of await watched.of(id)) known.set(file.path, file);
      unsent = new Set(await watched.unsent(id, clock.nowMs()));
    },
    onChecked(now) {
      if (JSON.stringify(now) === JSON.stringify(checked)) return;
      checked = now;
      onChanged();
    },
    onFailed(cause) {
      const reference = randomUUID().slice(0, 8);
      log.warn('files of a watched folder were not sent', { id, reference, cause });
      return toAppError(cause) ?? { code: 'unexpected', reference };
    },
  });

  return {
    checked: () => checked,
    wake,
    async stop() {
      off.abort();
      await ended;
      await touched.ended();
    },
  };
}
