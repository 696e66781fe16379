import { dirname, join } from 'node:path';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import type { Clock, Desktop, Log } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import type { TransferRecord } from '../transfers/model/record.ts';
import { KeyedMutex } from '../lib/async.ts';
import { createEditEnds, type EditEnds, type EditLife, EditLives } from './edit-lives.ts';
import type { EditFolders } from './edit-folders.ts';
import type { EditBook, EditRecord } from './edit-record.ts';
import type { EditNow } from './edit-view.ts';
import { digestOf, removeFile, statOf } from '../local-files/file-bytes.ts';
import { followFile, quietMs, type WatchFolder } from './follow-file.ts';
import type { Saves } from './saves.ts';

/** Drives edits: each takes the next step that follows from its record, its file and its transfer. */
export interface EditRuns extends Pick<EditEnds, 'end' | 'forget' | 'letGo' | 'leave'> {
  /** Serialises the work on each edit. */
  readonly mutex: KeyedMutex<string>;
  /** Takes all steps that are possible now. */
  readonly advance: (id: string) => Promise<void>;
  /** Like `advance`, without waiting. */
  readonly goOn: (id: string) => void;
  readonly nowOf: (edit: Pick<EditRecord, 'id'>) => EditNow;
  /** Ends the edit when its last save is stored. The caller holds the mutex. */
  readonly finish: (edit: EditRecord) => Promise<void>;
  /** Opens the copy with the system's program. Resolves to whether that worked. The caller holds the mutex. */
  readonly show: (edit: EditRecord) => Promise<boolean>;
  /** Does nothing for a copy that a command opens itself. */
  readonly showSoon: (edit: EditRecord) => void;
  /** Leaves opening the copy to the caller, and sends nothing before the edit is finishing. */
  readonly hold: (edit: EditRecord) => void;
  close(): Promise<void>;
}

export function createEditRuns(deps: {
  book: EditBook;
  folders: EditFolders;
  saves: Saves;
  engine: Pick<Engine, 'actions' | 'recordsOf'>;
  desktop: Pick<Desktop, 'openFile'>;
  clock: Clock;
  log: Log;
  watchFolder: WatchFolder;
  /** Files of the person stay in this folder, and no edit refers to them any more. */
  onLeft: (folder: string) => void;
  onChanged: (serviceIds: readonly string[]) => void;
}): EditRuns {
  const { book, folders, saves, engine, desktop, clock, log, watchFolder, onChanged } = deps;
  const mutex = new KeyedMutex<string>();
  const lives = new EditLives(book, onChanged);
  const closed = new AbortController();
  const closing = closed.signal;

  const { end, remove, forget, letGo, leave } = createEditEnds({
    ...deps,
    stop: (edit) => lives.stop(edit),
    onRefused: (edit, notEnded) => lives.of(edit).show({ notEnded }),
  });

  const failed = (cause: unknown) => {
    if (!closing.aborted) log.error('an edit did not go on', { cause });
  };

  async function advance(id: string): Promise<void> {
    await mutex.runExclusive(id, async () => {
      for (let edit = book.get(id); edit && !closing.aborted; edit = book.get(id)) {
        const isFurther = edit.isEnding ? await remove(edit) : await step(edit);
        lives.tell(id);
        if (!isFurther) return;
      }
    });
  }

  const goOn = (id: string) => void advance(id).catch(failed);

  /** Takes one step. false: nothing to do now */
  async function step(edit: EditRecord): Promise<boolean> {
    const live = lives.of(edit);
    const moving = edit.fetch ?? edit.sending;
    const transfer =
      moving?.transferId == null ? null : ((await engine.recordsOf([moving.transferId]))[0] ?? null);
    live.show({ transfer });
    // The transfer is being enqueued.
    if (moving?.transferId === null) return false;
    if (edit.fetch) return fetched(edit, transfer);
    if (live.isHeld && !edit.isFinishing) return false;
    follow(edit);
    if (edit.sending) return sent(edit, transfer);
    if (edit.kept) {
      if (edit.conflict) return false;
      if (edit.kept.answer === undefined) {
        compareSoon(edit, live);
        return false;
      }
      await saves.send(edit);
      return true;
    }
    if (!edit.isFinishing) return false;
    if (live.isLooked) return end(edit);
    void checkLast(edit, live);
    return false;
  }

  async function fetched(edit: EditRecord, transfer: TransferRecord | null): Promise<boolean> {
    const { state } = transfer ?? {};
    if (state === undefined) {
      await letGo(edit);
      return false;
    }
    if (state.name === 'cancelled') return end(edit);
    if (state.name !== 'done') return false;
    const copy = folders.copyOf(edit);
    // The name differs if an earlier copy was in the way: the database was restored. Then that copy counts as a save.
    const path = state.outcome?.kind === 'saved' ? join(dirname(copy), state.outcome.fileName) : copy;
    const read = await digestOf(path);
    if (read === null) {
      if ((await statOf(path)) === null) return end(edit);
      // It is changing, or locked by another program: try again later.
      clock.delay(quietMs, lives.of(edit).abort.signal).then(
        () => goOn(edit.id),
        () => undefined,
      );
      return false;
    }
    const { sha256, lengthBytes } = read;
    // Before a program can change the copy: later saves are detected by comparing with this.
    await book.put({ ...edit, fetch: null, base: { sha256, lengthBytes } });
    showSoon(edit);
    if (path !== copy) await removeFile(path);
    return true;
  }

  async function sent(edit: EditRecord, transfer: TransferRecord | null): Promise<boolean> {
    const { state } = transfer ?? {};
    switch (state?.name) {
      case undefined:
        await saves.takeBack(edit, { kind: 'failed', error: { code: 'cancelled' } });
        return true;
      case 'done': {
        const skipped = state.outcome?.kind === 'skipped' ? state.outcome : null;
        if (skipped && skipped.isIdentical !== true) {
          const error = { code: 'exists', status: 409, message: '' } as const;
          await saves.takeBack(edit, { kind: 'failed', error });
        } else if (transfer) await saves.stored(edit, { ...transfer, sameAs: skipped?.sameAs ?? null });
        return true;
      }
      case 'failed':
      case 'lost':
      case 'cancelled':
        // A newer save supersedes the failed one. Otherwise the person retries, here or in the list.
        if (edit.kept === null || !transfer) return false;
        await saves.takeBack(edit, null);
        await engine.actions.drop({ kind: 'ids', ids: [transfer.id] });
        return true;
      case 'waiting':
      case 'asking':
      case 'numbering':
      case 'replacing':
      case 'sending':
      case 'unsure':
      case 'verifying':
      case 'processing':
      case 'completed':
      case 'receiving':
      case 'publishing':
      case 'deleting':
        return false;
    }
  }

  async function show(edit: EditRecord): Promise<boolean> {
    const isOpened = await desktop.openFile(folders.copyOf(edit));
    if (!book.get(edit.id)) return isOpened;
    const notOpened = isOpened ? null : ({ code: 'fileNotOpened', problem: 'noApp', isCopy: true } as const);
    lives.of(edit).show({ notOpened });
    lives.tell(edit.id);
    return isOpened;
  }

  /** Does not wait for the desktop, since the caller holds the mutex: until it opens the copy, saves and finishing go on. */
  function showSoon(edit: EditRecord): void {
    const live = lives.of(edit);
    if (live.isHeld) return;
    live.show({ isShowing: true });
    show(edit)
      .catch(failed)
      .finally(() => {
        live.show({ isShowing: false });
        lives.tell(edit.id);
      });
  }

  function follow(edit: EditRecord): void {
    const live = lives.of(edit);
    live.follow ??= followFile({
      folder: folders.folderOf(edit),
      path: folders.copyOf(edit),
      clock,
      signal: live.abort.signal,
      watchFolder,
      onQuiet: () => keep(edit.id),
      onChecked: () => goOn(edit.id),
      onFailed: failed,
    });
  }

  async function keep(id: string): Promise<boolean> {
    return mutex.runExclusive(id, async () => {
      const edit = book.get(id);
      if (!edit || edit.isEnding || closing.aborted) return true;
      const live = lives.of(edit);
      try {
        const isRead = await saves.keep(edit);
        const isNews = book.get(id)?.lastNumber !== edit.lastNumber;
        if (isNews) live.isLooked = false;
        live.show({ notCopied: null, ...(isNews && { notEnded: null }) });
        return isRead;
      } catch (cause) {
        const notCopied = toAppError(cause);
        if (!notCopied) throw cause;
        live.show({ notCopied });
        return false;
      }
    });
  }

  /** In the background: the service may not answer for hours. */
  function compareSoon(edit: EditRecord, live: EditLife): void {
    if (live.isComparing) return;
    live.isComparing = true;
    const { signal } = live.abort;
    const found = saves.compare(edit, signal).catch((cause: unknown) => {
      const error = toAppError(cause);
      if (!error || signal.aborted) throw cause;
      if (error.code === 'missing') return { kind: 'deleted' } as const;
      return { kind: 'failed', error } as const;
    });
    const decided = found.then((conflict) =>
      mutex.runExclusive(edit.id, async () => {
        live.isComparing = false;
        const now = book.get(edit.id);
        const isAsked = now?.kept && !now.isEnding && !now.sending && !now.conflict;
        if (!isAsked || now.base?.sha256 !== edit.base?.sha256) return;
        if (conflict) await book.put({ ...now, conflict });
        else await saves.send(now);
      }),
    );
    decided.then(
      () => goOn(edit.id),
      (cause: unknown) => {
        live.isComparing = false;
        if (!signal.aborted) failed(cause);
      },
    );
  }

  /** When the person finishes, the last save may be only a moment old. */
  async function checkLast({ id, lastNumber }: EditRecord, live: EditLife): Promise<void> {
    if (live.isLooking) return;
    live.isLooking = true;
    let isJudged = false;
    while (!isJudged && !live.abort.signal.aborted) isJudged = (await live.follow?.check()) ?? true;
    live.isLooking = false;
    live.isLooked = book.get(id)?.lastNumber === lastNumber;
    goOn(id);
  }

  async function finish(edit: EditRecord): Promise<void> {
    lives.of(edit).show({ notEnded: null });
    if (edit.fetch) await end(edit);
    else await book.put({ ...edit, isFinishing: true });
  }

  return {
    mutex,
    advance,
    goOn,
    nowOf: (edit) => lives.of(edit).now,
    show,
    showSoon,
    hold: (edit) => void (lives.of(edit).isHeld = true),
    finish,
    end,
    forget,
    letGo,
    leave,
    async close() {
      closed.abort(new AppFailure({ code: 'cancelled' }));
      lives.close(closing.reason);
      // Waits for running work.
      await Promise.all(book.all().map(({ id }) => mutex.runExclusive(id, () => Promise.resolve())));
    },
  };
}
