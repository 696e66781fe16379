import type { SaveAs } from '../../shared/domain/edit.ts';
import type { SkippedOutcome } from '../../shared/domain/transfer.ts';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { changeAfterHead } from '../bulk-operations/check-objects.ts';
import type { Connections } from '../connections/connections.ts';
import type { RetryingRequest } from '../transfers/queue/retrying-request.ts';
import type { Clock } from '../ports.ts';
import { identityOf } from '../local-files/file-state.ts';
import type { Engine } from '../transfers/engine.ts';
import { compareWithBase } from './compare.ts';
import type { EditFolders } from './edit-folders.ts';
import type { EditBook, EditRecord } from './edit-record.ts';
import { copyBytes, digestOf, statOf } from '../local-files/file-bytes.ts';

/** Takes a save from the copy to a file of its own, compares with the service, and enqueues the upload. */
export interface Saves {
  /**
   * Keeps the content of the copy if it is neither stored nor being uploaded. false: it could not be read completely
   * and must be checked again.
   * @throws AppFailure diskFull, folderGone, folderReadOnly
   */
  keep(edit: EditRecord): Promise<boolean>;
  /** Whether the object is still the one that was opened; updates the list. Waits while the service does not answer. */
  compare(edit: EditRecord, signal: AbortSignal): Promise<EditRecord['conflict']>;
  /** Enqueues the newest save. */
  send(edit: EditRecord): Promise<void>;
  /** Call when a save was stored, or its bytes were already there as the newest version. */
  stored(edit: EditRecord, as: StoredAs): Promise<void>;
  /** Call when the upload failed: keeps the save again and, if it is the newest, waits for the person. */
  takeBack(edit: EditRecord, conflict: EditRecord['conflict']): Promise<void>;
}

type SameAs = NonNullable<SkippedOutcome['sameAs']>;

interface StoredAs {
  readonly identifier: string;
  readonly objectId: number | null;
  /** The version that already has these bytes, if nothing had to be stored. */
  readonly sameAs: SameAs | null;
}

export function createSaves(deps: {
  book: EditBook;
  folders: EditFolders;
  engine: Pick<Engine, 'enqueue'>;
  catalogue: Pick<Catalogue, 'add' | 'findByIdentifiers' | 'update'>;
  request: RetryingRequest;
  clock: Pick<Clock, 'nowMs'>;
  connections: Pick<Connections, 'factsOf' | 'momentOf'>;
  saveAsOf: (serviceId: string) => SaveAs;
}): Saves {
  const { book, folders, engine, catalogue, request, clock, connections, saveAsOf } = deps;

  async function compare(edit: EditRecord, signal: AbortSignal): Promise<EditRecord['conflict']> {
    const { serviceId, identifier, base } = edit;
    if (base === null) return null;
    const found = await compareWithBase({ request, catalogue, connections }, edit, base, signal);
    if (found.kind === 'same') return null;
    const row = (await catalogue.findByIdentifiers(serviceId, 'data', [identifier])).get(identifier);
    const seen =
      found.kind === 'deleted'
        ? ({ present: false } as const)
        : ({ present: true, lengthBytes: found.lengthBytes } as const);
    const change = row && changeAfterHead(row, seen, connections.momentOf(serviceId, clock.nowMs()));
    // The bytes differ even if the length does not, so the known digest is wrong.
    if (change)
      await catalogue.update([
        found.kind === 'changed' ? { ...change, patch: { ...change.patch, sha256: null } } : change,
      ]);
    return found.kind === 'changed' ? { ...found, seenAtMs: clock.nowMs() } : found;
  }

  /** The row of that version; another client's version gets a row so that it can be opened and compared. */
  async function rowOf(serviceId: string, { identifier, lengthBytes }: SameAs): Promise<number | null> {
    const checkedAtMs = connections.momentOf(serviceId, clock.nowMs());
    const row = (await catalogue.findByIdentifiers(serviceId, 'data', [identifier])).get(identifier);
    if (row) {
      const change = changeAfterHead(row, { present: true, lengthBytes }, checkedAtMs);
      if (change) await catalogue.update([{ ...change, ifState: row.state }]);
      return row.id;
    }
    const patch = { state: 'stored', lengthBytes, checkedAtMs } as const;
    const [added] = await catalogue.add(serviceId, [
      { kind: 'data', identifier, patch, history: { action: 'added' } },
    ]);
    return added?.record.id ?? null;
  }

  return {
    async keep(edit) {
      const path = folders.copyOf(edit);
      const now = await digestOf(path);
      if (now === null) return false;
      const { kept: pendingSave, sending, base } = edit;
      const { sha256, lengthBytes } = now;
      if (sha256 === (pendingSave ?? sending ?? base)?.sha256) return true;
      if (sending === null && sha256 === base?.sha256) {
        await book.put({ ...edit, kept: null, conflict: null });
        if (pendingSave) await folders.removeSave(edit, pendingSave.number);
        return true;
      }
      const number = edit.lastNumber + 1;
      if ((await copyBytes(path, now, folders.saveOf(edit, number))) === null) return false;
      const savedAtMs = clock.nowMs();
      const answer = pendingSave?.answer;
      await book.put({
        ...edit,
        savedAtMs,
        lastNumber: number,
        kept: { number, sha256, lengthBytes, savedAtMs, ...(answer && { answer }) },
      });
      if (pendingSave) await folders.removeSave(edit, pendingSave.number);
      return true;
    },

    compare,

    async send(edit) {
      const { serviceId, identifier, fileName, classification, kept: pendingSave, base } = edit;
      if (pendingSave === null) return;
      const path = folders.saveOf(edit, pendingSave.number);
      const stats = await statOf(path);
      if (stats === null) {
        await book.put({ ...edit, conflict: { kind: 'failed', error: { code: 'fileGone', fileName } } });
        return;
      }
      const saveAs = saveAsOf(serviceId);
      // Recorded before enqueuing: after a kill the upload is found by its path and not sent twice.
      const sending = { ...edit, kept: null, sending: { ...pendingSave, transferId: null } };
      await book.put(sending);
      const { sizeBytes, mtimeMs } = identityOf(stats);
      const { answer } = pendingSave;
      try {
        const transferId = await engine.enqueue.save(serviceId, {
          path,
          fileName,
          identifier,
          sizeBytes,
          mtimeMs,
          classification,
          // The classification of the opened object.
          classificationChosen: classification !== null,
          ifExists: answer === 'storeAgain' ? 'ask' : (answer ?? saveAs),
          ...(answer === undefined && base !== null && { base }),
        });
        await book.put({ ...sending, sending: { ...pendingSave, transferId } });
      } catch (cause) {
        const error = toAppError(cause);
        if (!(cause instanceof AppFailure) || !error) throw cause;
        await book.put({ ...edit, conflict: { kind: 'failed', error } });
      }
    },

    async stored(edit, { sameAs, ...as }) {
      const { sending, kept: pendingSave } = edit;
      if (sending === null) return;
      const identifier = sameAs?.identifier ?? as.identifier;
      const objectId = sameAs ? await rowOf(edit.serviceId, sameAs) : as.objectId;
      const { sha256, lengthBytes } = sending;
      // A later save may have the same content again.
      const isNews = pendingSave !== null && pendingSave.sha256 !== sha256;
      await book.put({
        ...edit,
        identifier,
        objectId,
        base: { sha256, lengthBytes },
        storedAtMs: clock.nowMs(),
        sending: null,
        kept: isNews ? pendingSave : null,
      });
      await folders.removeSave(edit, sending.number);
      if (pendingSave && !isNews) await folders.removeSave(edit, pendingSave.number);
    },

    async takeBack(edit, conflict) {
      const { sending, kept: pendingSave, base } = edit;
      if (sending === null) return;
      if (pendingSave !== null) {
        // The content may be the opened one again.
        const isNews = pendingSave.sha256 !== base?.sha256;
        await book.put({ ...edit, sending: null, kept: isNews ? pendingSave : null });
        await folders.removeSave(edit, sending.number);
        if (!isNews) await folders.removeSave(edit, pendingSave.number);
        return;
      }
      const { transferId: _, ...save } = sending;
      await book.put({ ...edit, sending: null, kept: save, conflict });
    },
  };
}
