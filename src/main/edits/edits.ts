import type { Handlers } from '../../shared/contract.ts';
import type { EditAnswer, RowEdit } from '../../shared/domain/edit.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { createRetryingRequest } from '../transfers/queue/retrying-request.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Documents } from '../database/documents.ts';
import type { Clock, Desktop, Log } from '../ports.ts';
import { removeEmptyFolders, type OwnFolder } from '../transfers/undo/unknown-files.ts';
import type { Connections } from '../connections/connections.ts';
import type { ServiceRepository } from '../connections/service-repository.ts';
import type { Engine } from '../transfers/engine.ts';
import { createBegin } from './begin-edit.ts';
import { createEditChoices } from './edit-choices.ts';
import { createEditFolders } from './edit-folders.ts';
import { openEditBook, type EditRecord } from './edit-record.ts';
import { describeEdit, rowEditOf, stateOf } from './edit-view.ts';
import { createEditRuns } from './edit-runs.ts';
import type { WatchFolder } from './follow-file.ts';
import { createOpenedCopies, type OpenedCopies } from './opened-copies.ts';
import { createSaves } from './saves.ts';

type Name =
  | 'open'
  | 'begin'
  | 'copyOf'
  | 'leave'
  | 'list'
  | 'show'
  | 'finish'
  | 'answer'
  | 'compare'
  | 'choices'
  | 'setSaveAs'
  | 'forbid';

/** Objects edited in place: each save of a private copy is uploaded. */
export interface Edits {
  readonly handlers: Pick<Handlers, `edits.${Name}`>;
  /** The edits shown on the rows of these objects. */
  overlay(objectIds: readonly number[]): Map<number, RowEdit>;
  /** Open edits. isSaved: everything saved is stored. */
  open(): { identifier: string; isSaved: boolean }[];
  /** Identifiers of edits of a service with a save that is not stored yet. */
  unsavedOf(serviceId: string): string[];
  /** Copies for other programs. */
  readonly copies: Pick<OpenedCopies, 'fileNameOf' | 'find' | 'hasFile' | 'take' | 'removeOld'>;
  /** The folders of these copies, and of objects opened for viewing. */
  readonly folders: readonly OwnFolder[];
  /** Removes all edits of a service that is being removed. */
  removeService(serviceId: string): Promise<void>;
  close(): Promise<void>;
}

/** Continues what the last run left unfinished. */
export async function createEdits(deps: {
  userData: string;
  repository: Pick<ServiceRepository, 'get'>;
  documents: Pick<Documents, 'list' | 'write'>;
  catalogue: Pick<Catalogue, 'add' | 'getMany' | 'findByIdentifiers' | 'update' | 'noteUse'>;
  onRowsChanged: Catalogue['onChanged'];
  connections: Pick<Connections, 'openFor' | 'factsOf' | 'momentOf' | 'serviceIds'>;
  engine: Pick<
    Engine,
    'enqueue' | 'actions' | 'breakers' | 'recordsOf' | 'ofPath' | 'picked' | 'onChanged' | 'onEnded'
  >;
  desktop: Pick<Desktop, 'openFile'>;
  /** In the app no caller opens a copy itself, or gets its path. */
  isApp: boolean;
  readLocal: (object: ObjectRecord) => Promise<Uint8Array | null>;
  clock: Clock;
  log: Log;
  watchFolder: WatchFolder;
  /** Files of the person stay in this folder, which the window does not show. */
  onLeft: (folder: string) => void;
  /** The visible state of edits of these services changed. */
  onChanged: (serviceIds: readonly string[]) => void;
  revision: () => number;
}): Promise<Edits> {
  const { catalogue, connections, engine, clock, log, onChanged } = deps;
  const book = await openEditBook(deps.documents, (id) => connections.serviceIds().includes(id), log);
  const folders = createEditFolders(deps.userData);
  const choices = await createEditChoices({
    repository: deps.repository,
    documents: deps.documents,
    onChanged: () => onChanged([]),
  });
  const request = createRetryingRequest({
    connections,
    breakers: engine.breakers,
    clock,
    priority: 'person',
  });
  const saves = createSaves({
    book,
    folders,
    engine,
    catalogue,
    request,
    clock,
    connections,
    saveAsOf: (serviceId) => choices.of(serviceId).saveAs,
  });
  const copies = await createOpenedCopies({ ...deps, log });
  const runs = createEditRuns({ ...deps, book, folders, saves });
  const { mutex, advance, goOn, nowOf, show, finish, end, forget, letGo, leave } = runs;

  function open(): EditRecord[] {
    return book.all().filter(({ isEnding }) => !isEnding);
  }

  function get(id: string): EditRecord {
    const edit = book.get(id);
    if (!edit || edit.isEnding) throw new AppFailure({ code: 'notFound', what: 'edit' });
    return edit;
  }

  function refuseInApp(): void {
    if (deps.isApp) throw new AppFailure({ code: 'senderRefused' });
  }

  const begin = createBegin({ ...deps, book, folders, choices, runs, open, get });

  async function answer(id: string, given: EditAnswer): Promise<void> {
    const again: { objectId: number | null } = { objectId: null };
    await mutex.runExclusive(id, async () => {
      const edit = get(id);
      const { kept: pendingSave, conflict } = edit;
      const { transfer, notEnded } = nowOf(edit);
      if (given === 'deleteBeside' && notEnded?.problem === 'filesBeside') {
        await folders.removeBeside(edit, notEnded.fileNames);
        return finish(edit);
      }
      if (given === 'discard') return void (await end(edit));
      if (given === 'takeTheirs' && conflict?.kind === 'changed') {
        again.objectId = edit.objectId;
        return void (await end(edit));
      }
      if (given === 'keepMine' && pendingSave && conflict?.kind === 'changed')
        return book.put({ ...edit, conflict: null, kept: { ...pendingSave, answer: 'newVersion' } });
      if (given === 'storeAgain' && pendingSave && conflict?.kind === 'deleted')
        return book.put({ ...edit, conflict: null, kept: { ...pendingSave, answer: 'storeAgain' } });
      if (given === 'tryAgain' && pendingSave && conflict?.kind === 'failed')
        return book.put({ ...edit, conflict: null });
      if (given === 'tryAgain' && transfer && stateOf(edit, nowOf(edit)) === 'failed')
        return engine.actions.retry({ kind: 'ids', ids: [transfer.id] }, true);
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
    const edits = all.map((edit) => {
      const transferId = (edit.fetch ?? edit.sending)?.transferId ?? null;
      const breaker = engine.breakers.of(edit.serviceId).state();
      const held =
        breaker === 'ready' ? null : breaker === 'refused' ? ('token' as const) : ('network' as const);
      return describeEdit(edit, nowOf(edit), {
        waitingFor: transferId !== null ? (waiting.get(transferId) ?? null) : edit.kept ? held : null,
        saveAs: choices.of(edit.serviceId).saveAs,
      });
    });
    return { revision: asked, edits };
  }

  let toldWaiting = '[]';
  /** What an edit waits for can change without its record, such as when the token is refused or everything is paused. */
  async function tellWaiting(): Promise<void> {
    if (open().length === 0) return;
    const { edits } = await list();
    const now = JSON.stringify(edits.map(({ id, waitingFor }) => [id, waitingFor]));
    if (now === toldWaiting) return;
    toldWaiting = now;
    onChanged(edits.map(({ serviceId }) => serviceId));
  }

  /** After a kill: a transfer that was about to be enqueued either exists or does not. */
  async function takeUp(edit: EditRecord): Promise<void> {
    if (edit.isEnding) return;
    if (edit.fetch?.transferId === null) {
      const transfer = await engine.ofPath(folders.copyOf(edit));
      if (transfer) await book.put({ ...edit, fetch: { transferId: transfer.id } });
      else await letGo(edit);
    } else if (edit.sending?.transferId === null) {
      const transfer = await engine.ofPath(folders.saveOf(edit, edit.sending.number));
      if (transfer) await book.put({ ...edit, sending: { ...edit.sending, transferId: transfer.id } });
      else await saves.takeBack(edit, null);
    }
  }

  const stops = [
    engine.onEnded(({ id }) => {
      for (const { isEnding, fetch, sending, id: editId } of book.all())
        if (!isEnding && (fetch ?? sending)?.transferId === id) goOn(editId);
    }),
    engine.onChanged(() => {
      if (book.all().length === 0) return;
      for (const edit of open()) if (edit.fetch ?? edit.sending) goOn(edit.id);
      tellWaiting().catch((cause: unknown) => log.error('edits could not be told', { cause }));
    }),
  ];
  for (const edit of book.all()) await takeUp(edit);
  const own: OwnFolder = {
    folder: folders.top,
    unknownOf: async (names) => folders.unknownOf(names, book.all()),
    isSealed: false,
  };
  await removeEmptyFolders(own);
  for (const { id } of book.all()) goOn(id);

  return {
    copies,
    folders: [own, copies.own],
    handlers: {
      ...choices.handlers,
      'edits.open': async ({ objectId }) => {
        await copies.open(objectId);
        return undefined;
      },
      'edits.begin': async ({ objectId, isHeld = false }) => {
        if (isHeld) refuseInApp();
        return begin(objectId, isHeld);
      },
      'edits.copyOf': ({ id }) => {
        refuseInApp();
        return { path: folders.copyOf(get(id)) };
      },
      'edits.leave': async ({ id }) => {
        refuseInApp();
        return mutex.runExclusive(id, () => leave(get(id)));
      },
      'edits.list': list,
      'edits.show': async ({ id }) => {
        if (!(await show(get(id))))
          throw new AppFailure({ code: 'fileNotOpened', problem: 'noApp', isCopy: true });
        return undefined;
      },
      'edits.finish': async ({ id }) => {
        await mutex.runExclusive(id, () => finish(get(id)));
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
          over.set(edit.objectId, rowEditOf(edit, nowOf(edit)));
      return over;
    },
    open: () =>
      open().map(({ identifier, kept: pendingSave, sending }) => ({
        identifier,
        isSaved: pendingSave === null && sending === null,
      })),
    unsavedOf: (serviceId) =>
      open()
        .filter((edit) => edit.serviceId === serviceId && (edit.kept !== null || edit.sending !== null))
        .map(({ identifier }) => identifier),
    async removeService(serviceId) {
      for (const edit of book.all())
        if (edit.serviceId === serviceId) await mutex.runExclusive(edit.id, () => forget(edit));
      await copies.removeService(serviceId);
      await choices.forgetService(serviceId);
    },
    async close() {
      for (const stop of stops) stop();
      await runs.close();
      copies.close();
    },
  };
}
