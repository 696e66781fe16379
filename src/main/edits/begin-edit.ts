import { randomUUID } from 'node:crypto';
import { AppFailure } from '../../shared/app-failure.ts';
import { objectFileName } from '../../shared/domain/file-name.ts';
import { isOpenable } from '../../shared/domain/openable.ts';
import type { Connections } from '../connections/connections.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { requireObject } from '../objects/require-object.ts';
import type { Clock } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import type { EditChoicesBook } from './edit-choices.ts';
import type { EditFolders } from './edit-folders.ts';
import type { EditBook, EditRecord } from './edit-record.ts';
import type { EditRuns } from './edit-runs.ts';

/**
 * @returns begins the edit of an object: enqueues the download of its private copy. An object that is being edited already keeps its edit, whose
 * copy is shown again. It throws AppFailure notFound, editForbidden, fileNotOpened
 */
export function createBegin({
  catalogue,
  connections,
  engine,
  clock,
  book,
  folders,
  choices,
  runs: { mutex, showSoon, hold, forget, goOn },
  open,
  get,
}: {
  catalogue: Pick<Catalogue, 'getMany'>;
  connections: Pick<Connections, 'factsOf'>;
  engine: Pick<Engine, 'enqueue'>;
  clock: Pick<Clock, 'nowMs'>;
  book: EditBook;
  folders: EditFolders;
  choices: Pick<EditChoicesBook, 'of'>;
  runs: Pick<EditRuns, 'mutex' | 'showSoon' | 'hold' | 'forget' | 'goOn'>;
  open: () => EditRecord[];
  get: (id: string) => EditRecord;
}): (objectId: number, isHeld?: boolean) => Promise<{ id: string; isNew: boolean }> {
  return async function begin(objectId, isHeld = false) {
    const row = await requireObject(catalogue, objectId, 'data');
    const { serviceId, identifier, classification } = row;
    return mutex.runExclusive(`${serviceId} ${identifier}`, async () => {
      const first = open().find((edit) => edit.serviceId === serviceId && edit.identifier === identifier);
      if (first) {
        if (isHeld) hold(first);
        if (first.isFinishing)
          await mutex.runExclusive(first.id, () => book.put({ ...get(first.id), isFinishing: false }));
        if (!first.fetch) showSoon(first);
        return { id: first.id, isNew: false };
      }
      const { forbidden } = choices.of(serviceId);
      if (forbidden.includes(classification)) throw new AppFailure({ code: 'editForbidden', classification });
      const { separator } = await connections.factsOf(serviceId);
      const fileName = objectFileName(row, separator);
      // A person's own editor shows any kind as text.
      if (!isHeld && !isOpenable(fileName))
        throw new AppFailure({ code: 'fileNotOpened', problem: 'editKind', isCopy: true });
      const edit: EditRecord = {
        id: randomUUID(),
        serviceId,
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
      if (isHeld) hold(edit);
      await mutex.runExclusive(edit.id, async () => {
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
  };
}
