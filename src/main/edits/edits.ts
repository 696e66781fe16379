import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../shared/contract.ts';
import type { EditAnswer, RowEdit } from '../../shared/domain/edit.ts';
import { safeFileName } from '../../shared/domain/file-name.ts';
import { isProgram } from '../../shared/domain/program.ts';
import { AppFailure, toAppError } from '../../shared/errors.ts';
import { createPatientRequest } from '../transfers/patient-request.ts';
import type { Catalogue, Documents } from '../catalogue/catalogue.ts';
import type { Clock, Desktop, Log } from '../ports.ts';
import type { Connections } from '../profiles/connections.ts';
import type { ProfileBook } from '../profiles/profile-book.ts';
import type { Engine } from '../transfers/engine.ts';
import { isFinished, type TransferRecord } from '../transfers/record.ts';
import { createTurns } from '../turns.ts';
import { createEditChoices } from './edit-choices.ts';
import { createEditFolders } from './edit-folders.ts';
import { openEditBook, type EditRecord } from './edit-record.ts';
import { describeEdit, rowEditOf, stateOf, type EditNow } from './edit-view.ts';
import { digestOf, statOf } from './file-bytes.ts';
import { followFile, quietMs, type FollowedFile, type WatchFolder } from './follow-file.ts';
import { createOpenedCopies } from './opened-copies.ts';
import { createSaves } from './saves.ts';

type Name =
  'open' | 'begin' | 'list' | 'show' | 'finish' | 'answer' | 'compare' | 'choices' | 'setSaveAs' | 'forbid';

/** Objects that are edited in place: each save of a private copy is stored at the service. */
export interface Edits {
  readonly handlers: Pick<Handlers, `edits.${Name}`>;
  /** What lies over the rows of these objects. */
  overlay(objectIds: readonly number[]): Map<number, RowEdit>;
  /** Those that are open. isSaved: everything that was saved is stored. */
  open(): { identifier: string; isSaved: boolean }[];
  /** The service goes, and with it everything of its edits. */
  removeProfile(profileId: string): Promise<void>;
  close(): Promise<void>;
}

/** What runs for an edit; nothing of it is needed after a kill. */
interface Live {
  readonly abort: AbortController;
  follow: FollowedFile | null;
  now: EditNow;
  isComparing: boolean;
  isLooking: boolean;
  /** The copy was looked at since a person wanted it to end, and nothing new was in it. */
  isLooked: boolean;
  /** What was told of it last. */
  told: string;
}

/** Takes over what the last run left, and goes on. */
export async function createEdits(deps: {
  userData: string;
  book: Pick<ProfileBook, 'get'>;
  documents: Pick<Documents, 'list' | 'get' | 'put' | 'delete'>;
  catalogue: Pick<Catalogue, 'getMany' | 'findByIdentifiers' | 'update'>;
  onRowsChanged: Catalogue['onChanged'];
  connections: Pick<Connections, 'openFor' | 'factsOf' | 'profileIds'>;
  engine: Pick<
    Engine,
    'enqueue' | 'actions' | 'gates' | 'recordsOf' | 'ofPath' | 'picked' | 'onChanged' | 'onEnded'
  >;
  desktop: Pick<Desktop, 'openFile'>;
  clock: Clock;
  log: Log;
  watchFolder: WatchFolder;
  /** Something that is shown of the edits of these services changed. */
  onChanged: (profileIds: readonly string[]) => void;
  revision: () => number;
}): Promise<Edits> {
  const { catalogue, connections, engine, desktop, clock, log, onChanged } = deps;
  const book = await openEditBook(deps.documents, log);
  const folders = createEditFolders(deps.userData);
  const choices = createEditChoices({
    book: deps.book,
    documents: deps.documents,
    onChanged: () => onChanged([]),
  });
  const request = createPatientRequest({ connections, gates: engine.gates, clock });
  const saves = createSaves({
    book,
    folders,
    engine,
    catalogue,
    request,
    clock,
    saveAsOf: async (profileId) => (await choices.of(profileId)).saveAs,
  });
  const copies = await createOpenedCopies({ ...deps, log });
  const inTurn = createTurns();
  const lives = new Map<string, Live>();
  const closed = new AbortController();
  const closing = closed.signal;

  function liveOf({ id }: Pick<EditRecord, 'id'>): Live {
    const live = lives.get(id) ?? {
      abort: new AbortController(),
      follow: null,
      now: { transfer: null, notOpened: null, notKept: null },
      isComparing: false,
      isLooking: false,
      isLooked: false,
      told: '',
    };
    lives.set(id, live);
    return live;
  }

  const failed = (cause: unknown) => {
    if (!closing.aborted) log.error('an edit did not go on', { cause });
  };

  /** Does all that can be done about it now. */
  async function advance(id: string): Promise<void> {
    await inTurn(id, async () => {
      for (let edit = book.get(id); edit && !closing.aborted; edit = book.get(id)) {
        const isFurther = edit.isEnding ? await remove(edit) : await step(edit);
        tell(id);
        if (!isFurther) return;
      }
    });
  }

  function tell(id: string): void {
    const edit = book.get(id);
    if (!edit) return;
    const live = liveOf(edit);
    const { transfer, notOpened, notKept } = live.now;
    const now = JSON.stringify([edit, transfer?.state, notOpened, notKept]);
    if (now !== live.told) onChanged([edit.profileId]);
    live.told = now;
  }

  const goOn = (id: string) => void advance(id).catch(failed);

  /** One thing that its records say is to be done; false: there is nothing now. */
  async function step(edit: EditRecord): Promise<boolean> {
    const live = liveOf(edit);
    const moving = edit.fetch ?? edit.sending;
    const transfer =
      moving?.transferId == null ? null : ((await engine.recordsOf([moving.transferId]))[0] ?? null);
    live.now = { ...live.now, transfer };
    // It is being enqueued.
    if (moving?.transferId === null) return false;
    if (edit.fetch) return fetched(edit, transfer);
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
    void lookLast(edit, live);
    return false;
  }

  async function fetched(edit: EditRecord, transfer: TransferRecord | null): Promise<boolean> {
    const name = transfer?.state.name;
    if (name === undefined || name === 'cancelled') return end(edit);
    if (name !== 'done') return false;
    const path = folders.copyOf(edit);
    const read = await digestOf(path);
    if (read === null) {
      if ((await statOf(path)) === null) return end(edit);
      // Another program reads it first.
      clock.delay(quietMs, liveOf(edit).abort.signal).then(
        () => goOn(edit.id),
        () => undefined,
      );
      return false;
    }
    const { sha256, lengthBytes } = read;
    // Before anybody can change it: what is saved from here on is known by it.
    await book.put({ ...edit, fetch: null, base: { sha256, lengthBytes } });
    await show(edit);
    return true;
  }

  async function sent(edit: EditRecord, transfer: TransferRecord | null): Promise<boolean> {
    const { state } = transfer ?? {};
    switch (state?.name) {
      case undefined:
        await saves.takeBack(edit, { kind: 'failed', error: { code: 'cancelled' } });
        return true;
      case 'done': {
        const isLeft = state.outcome?.kind === 'skipped' && state.outcome.isIdentical !== true;
        if (isLeft) {
          const error = { code: 'exists', status: 409, message: '' } as const;
          await saves.takeBack(edit, { kind: 'failed', error });
        } else if (transfer) await saves.stored(edit, transfer);
        return true;
      }
      case 'failed':
      case 'lost':
      case 'cancelled':
        // The newest save counts. Without one it is the person's to try again, here or in the list.
        if (edit.kept === null || !transfer) return false;
        await saves.takeBack(edit, null);
        await engine.actions.drop({ kind: 'ids', ids: [transfer.id] });
        return true;
      default:
        return false;
    }
  }

  async function show(edit: EditRecord): Promise<boolean> {
    const isOpened = await desktop.openFile(folders.copyOf(edit));
    const live = liveOf(edit);
    const notOpened = isOpened ? null : ({ code: 'fileNotOpened', problem: 'noApp', isCopy: true } as const);
    live.now = { ...live.now, notOpened };
    tell(edit.id);
    return isOpened;
  }

  function follow(edit: EditRecord): void {
    const live = liveOf(edit);
    live.follow ??= followFile({
      folder: folders.folderOf(edit),
      path: folders.copyOf(edit),
      clock,
      signal: live.abort.signal,
      watchFolder: deps.watchFolder,
      onQuiet: () => keep(edit.id),
      onLooked: () => goOn(edit.id),
      onFailed: failed,
    });
  }

  async function keep(id: string): Promise<boolean> {
    return inTurn(id, async () => {
      const edit = book.get(id);
      if (!edit || edit.isEnding || closing.aborted) return true;
      const live = liveOf(edit);
      try {
        const isRead = await saves.keep(edit);
        if (book.get(id)?.lastNumber !== edit.lastNumber) live.isLooked = false;
        live.now = { ...live.now, notKept: null };
        return isRead;
      } catch (cause) {
        const notKept = toAppError(cause);
        if (!notKept) throw cause;
        live.now = { ...live.now, notKept };
        return false;
      }
    });
  }

  /** Beside what else happens: the service may not answer for hours. */
  function compareSoon(edit: EditRecord, live: Live): void {
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
      inTurn(edit.id, async () => {
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

  /** The last save may be a moment old when a person wants it to end. */
  async function lookLast({ id, lastNumber }: EditRecord, live: Live): Promise<void> {
    if (live.isLooking) return;
    live.isLooking = true;
    let isJudged = false;
    while (!isJudged && !live.abort.signal.aborted) isJudged = (await live.follow?.look()) ?? true;
    live.isLooking = false;
    live.isLooked = book.get(id)?.lastNumber === lastNumber;
    goOn(id);
  }

  async function end(edit: EditRecord): Promise<boolean> {
    await book.put({ ...edit, isEnding: true });
    return true;
  }

  /** Everything of it goes; what is left by a kill goes at the next start. */
  async function remove(edit: EditRecord): Promise<false> {
    liveOf(edit).abort.abort();
    const { transferId } = edit.fetch ?? edit.sending ?? { transferId: null };
    if (transferId !== null) {
      const which = { kind: 'ids', ids: [transferId] } as const;
      await engine.actions.cancel(which);
      const [transfer] = await engine.recordsOf([transferId]);
      if (transfer && isFinished(transfer) && transfer.state.name !== 'done')
        await engine.actions.drop(which);
    }
    await forget(edit);
    return false;
  }

  async function forget(edit: EditRecord): Promise<void> {
    liveOf(edit).abort.abort();
    lives.delete(edit.id);
    try {
      await folders.removeAll(edit);
      await book.remove(edit.id);
    } catch (cause) {
      // A program has a file open, where that keeps it from going: at the next start.
      log.warn('the files of an edit could not be removed yet', { cause });
    }
    onChanged([edit.profileId]);
  }

  function open(): EditRecord[] {
    return book.all().filter(({ isEnding }) => !isEnding);
  }

  function get(id: string): EditRecord {
    const edit = book.get(id);
    if (!edit || edit.isEnding) throw new AppFailure({ code: 'notFound', what: 'edit' });
    return edit;
  }

  async function begin(objectId: number): Promise<{ id: string; isNew: boolean }> {
    const [row] = await catalogue.getMany([objectId]);
    if (row?.kind !== 'data') throw new AppFailure({ code: 'notFound', what: 'object' });
    const { profileId, identifier, classification } = row;
    return inTurn(`${profileId} ${identifier}`, async () => {
      const first = open().find((edit) => edit.profileId === profileId && edit.identifier === identifier);
      if (first) {
        if (first.isFinishing)
          await inTurn(first.id, () => book.put({ ...get(first.id), isFinishing: false }));
        if (!first.fetch) await show(first);
        return { id: first.id, isNew: false };
      }
      const { forbidden } = await choices.of(profileId);
      if (forbidden.includes(classification)) throw new AppFailure({ code: 'editForbidden', classification });
      const { separator } = await connections.factsOf(profileId);
      const fileName = safeFileName(identifier.split(separator).at(-1) || row.sourceName || '');
      if (isProgram(fileName))
        throw new AppFailure({ code: 'fileNotOpened', problem: 'program', isCopy: true });
      const edit: EditRecord = {
        id: randomUUID(),
        profileId,
        objectId,
        identifier,
        fileName,
        classification,
        startedAtMs: clock.nowMs(),
        fetch: { transferId: null },
        base: null,
        savedAtMs: null,
        storedAtMs: null,
        kept: null,
        sending: null,
        conflict: null,
        lastNumber: 0,
        isFinishing: false,
        isEnding: false,
      };
      await inTurn(edit.id, async () => {
        await book.put(edit);
        try {
          await folders.make(edit);
          const transferId = await engine.enqueue.copy(objectId, folders.copyOf(edit), 'edit');
          await book.put({ ...edit, fetch: { transferId } });
        } catch (cause) {
          await forget(edit);
          throw cause;
        }
      });
      goOn(edit.id);
      return { id: edit.id, isNew: true };
    });
  }

  async function answer(id: string, given: EditAnswer): Promise<void> {
    const again: { objectId: number | null } = { objectId: null };
    await inTurn(id, async () => {
      const edit = get(id);
      const { kept, conflict } = edit;
      const { transfer } = liveOf(edit).now;
      if (given === 'discard') return void (await end(edit));
      if (given === 'takeTheirs' && conflict?.kind === 'changed') {
        again.objectId = edit.objectId;
        return void (await end(edit));
      }
      if (given === 'keepMine' && kept && conflict?.kind === 'changed')
        return book.put({ ...edit, conflict: null, kept: { ...kept, answer: 'newVersion' } });
      if (given === 'storeAgain' && kept && conflict?.kind === 'deleted')
        return book.put({ ...edit, conflict: null, kept: { ...kept, answer: 'storeAgain' } });
      if (given === 'tryAgain' && kept && conflict?.kind === 'failed')
        return book.put({ ...edit, conflict: null });
      if (given === 'tryAgain' && transfer && stateOf(edit, liveOf(edit).now) === 'failed')
        return engine.actions.retry({ kind: 'ids', ids: [transfer.id] });
      throw new AppFailure({ code: 'notFound', what: 'edit' });
    });
    await advance(id);
    if (again.objectId !== null) await begin(again.objectId);
  }

  async function list() {
    const asked = deps.revision();
    const all = open();
    const ids = all.flatMap(({ fetch, sending }) => (fetch ?? sending)?.transferId ?? []);
    const waiting = new Map(
      (ids.length === 0 ? [] : await engine.picked(ids)).map(({ id, waitingFor }) => [id, waitingFor]),
    );
    const edits = await Promise.all(
      all.map(async (edit) => {
        const transferId = (edit.fetch ?? edit.sending)?.transferId ?? null;
        const gate = engine.gates.of(edit.profileId).state();
        const held = gate === 'ready' ? null : gate === 'refused' ? ('token' as const) : ('network' as const);
        return describeEdit(edit, liveOf(edit).now, {
          waitingFor: transferId !== null ? (waiting.get(transferId) ?? null) : edit.kept ? held : null,
          saveAs: (await choices.of(edit.profileId)).saveAs,
        });
      }),
    );
    return { revision: asked, edits };
  }

  /** What a kill left half done: what was to be handed over was, or was not. */
  async function takeUp(edit: EditRecord): Promise<void> {
    if (edit.isEnding) return;
    if (edit.fetch?.transferId === null) {
      const transfer = await engine.ofPath(folders.copyOf(edit));
      await book.put(
        transfer ? { ...edit, fetch: { transferId: transfer.id } } : { ...edit, isEnding: true },
      );
    } else if (edit.sending?.transferId === null) {
      const transfer = await engine.ofPath(folders.saveOf(edit, edit.sending.number));
      if (transfer) await book.put({ ...edit, sending: { ...edit.sending, transferId: transfer.id } });
      else await saves.takeBack(edit, null);
    }
  }

  const stops = [
    engine.onEnded(({ id }) => {
      for (const edit of open()) if ((edit.fetch ?? edit.sending)?.transferId === id) goOn(edit.id);
    }),
    engine.onChanged(() => {
      for (const edit of open()) if (edit.fetch ?? edit.sending) goOn(edit.id);
    }),
  ];
  for (const edit of book.all()) {
    if (connections.profileIds().includes(edit.profileId)) await takeUp(edit);
    else await forget(edit);
  }
  const strangers = await folders.strangers(book.all());
  if (strangers.length > 0) log.warn('folders of edits that nobody knows', { count: strangers.length });
  for (const { id } of book.all()) goOn(id);

  return {
    handlers: {
      ...choices.handlers,
      'edits.open': async ({ objectId }) => {
        await copies.open(objectId);
        return undefined;
      },
      'edits.begin': ({ objectId }) => begin(objectId),
      'edits.list': list,
      'edits.show': async ({ id }) => {
        if (!(await show(get(id))))
          throw new AppFailure({ code: 'fileNotOpened', problem: 'noApp', isCopy: true });
        return undefined;
      },
      'edits.finish': async ({ id }) => {
        await inTurn(id, () => {
          const edit = get(id);
          return edit.fetch ? end(edit).then(() => undefined) : book.put({ ...edit, isFinishing: true });
        });
        await advance(id);
        return undefined;
      },
      'edits.answer': async ({ id, answer: given }) => {
        await answer(id, given);
        return undefined;
      },
      'edits.compare': async ({ id }) => {
        const edit = get(id);
        if (edit.kept === null || edit.objectId === null)
          throw new AppFailure({ code: 'notFound', what: 'edit' });
        await copies.openBoth(edit.objectId, edit.fileName, folders.saveOf(edit, edit.kept.number));
        return undefined;
      },
    },
    overlay(objectIds) {
      const asked = new Set(objectIds);
      const over = new Map<number, RowEdit>();
      for (const edit of open())
        if (edit.objectId !== null && asked.has(edit.objectId))
          over.set(edit.objectId, rowEditOf(edit, liveOf(edit).now));
      return over;
    },
    open: () =>
      open().map(({ identifier, kept, sending }) => ({
        identifier,
        isSaved: kept === null && sending === null,
      })),
    async removeProfile(profileId) {
      for (const edit of book.all())
        if (edit.profileId === profileId) await inTurn(edit.id, () => forget(edit));
      await copies.removeProfile(profileId);
      await choices.forgetProfile(profileId);
    },
    async close() {
      closed.abort(new AppFailure({ code: 'cancelled' }));
      for (const stop of stops) stop();
      for (const live of lives.values()) live.abort.abort(closing.reason);
      // What is being done ends first.
      await Promise.all(book.all().map(({ id }) => inTurn(id, () => Promise.resolve())));
      await copies.close();
    },
  };
}
