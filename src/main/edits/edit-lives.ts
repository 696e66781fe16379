import type { Output } from '../../shared/contract.ts';
import { rename } from '../local-files/fs.ts';
import type { Log } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import { isFinished } from '../transfers/model/record.ts';
import { digestOf, statOf } from '../local-files/file-bytes.ts';
import { type Removal, removeCopy } from '../local-files/remove-copy.ts';
import type { EditBook, EditRecord } from './edit-record.ts';
import type { EditNow } from './edit-view.ts';
import type { FollowedFile } from './follow-file.ts';
import type { EditFolders } from './edit-folders.ts';

/** State of a running edit that does not outlive the process. */
export class EditLife {
  readonly abort = new AbortController();
  follow: FollowedFile | null = null;
  now: EditNow = { transfer: null, isShowing: false, notOpened: null, notCopied: null, notEnded: null };
  /** A command opens the copy itself: it is not followed, and nothing is sent, before the edit is finishing. */
  isHeld = false;
  isComparing = false;
  isLooking = false;
  /** The copy was checked after the person asked to finish, and had no new content. */
  isLooked = false;
  /** The last view that was announced. */
  told = '';

  /** `EditLives.tell` announces the change. */
  show(change: Partial<EditNow>): void {
    this.now = { ...this.now, ...change };
  }
}

export class EditLives {
  readonly #lives = new Map<string, EditLife>();
  readonly #book: EditBook;
  readonly #onChanged: (serviceIds: readonly string[]) => void;

  constructor(book: EditBook, onChanged: (serviceIds: readonly string[]) => void) {
    this.#book = book;
    this.#onChanged = onChanged;
  }

  of({ id }: Pick<EditRecord, 'id'>): EditLife {
    const life = this.#lives.get(id) ?? new EditLife();
    this.#lives.set(id, life);
    return life;
  }

  /** Announces the edit if it looks different from what was announced last. */
  tell(id: string): void {
    const edit = this.#book.get(id);
    if (!edit) return;
    const life = this.of(edit);
    const { transfer, ...others } = life.now;
    const now = JSON.stringify([edit, transfer?.state, others]);
    if (now !== life.told) this.#onChanged([edit.serviceId]);
    life.told = now;
  }

  /** Stops watching the copy, and whatever else runs for it. */
  stop({ id }: Pick<EditRecord, 'id'>): void {
    this.#lives.get(id)?.abort.abort();
    this.#lives.delete(id);
  }

  /** Stops work on all edits, leaving them as they are. */
  close(reason: unknown): void {
    for (const { abort } of this.#lives.values()) abort.abort(reason);
  }
}

/** How an edit ends. Callers hold its mutex. The next start finishes what a kill interrupts. */
export interface EditEnds {
  /** Begins to remove the edit. */
  readonly end: (edit: EditRecord) => Promise<boolean>;
  /**
   * Removes the edit if everything in its copy is stored or was given up. true: something is not, so the edit
   * continues
   */
  readonly remove: (edit: EditRecord) => Promise<boolean>;
  /** Removes the edit with its saves at once. A copy with other content, and files beside it, stay. */
  readonly forget: (edit: EditRecord) => Promise<void>;
  /**
   * Removes the record because the database does not know its download, not because a person asked. Its files stay:
   * the database may be older than they are.
   */
  readonly letGo: (edit: EditRecord) => Promise<void>;
  /** See `edits.leave`. */
  readonly leave: (edit: EditRecord) => Promise<Output<'edits.leave'>>;
}

export function createEditEnds(deps: {
  book: EditBook;
  folders: EditFolders;
  engine: Pick<Engine, 'actions' | 'recordsOf'>;
  log: Log;
  /** Stops watching the copy. */
  stop: (edit: EditRecord) => void;
  onRefused: (edit: EditRecord, why: NonNullable<EditNow['notEnded']>) => void;
  onLeft: (folder: string) => void;
  onChanged: (serviceIds: readonly string[]) => void;
}): EditEnds {
  const { book, folders, engine, log, stop, onRefused, onLeft, onChanged } = deps;
  const notYet = (cause: unknown) => log.warn('the files of an edit could not be removed yet', { cause });

  async function remove(edit: EditRecord): Promise<boolean> {
    stop(edit);
    const isGivenUp = edit.kept !== null || edit.sending !== null;
    const removal = edit.fetch ? null : await folders.removeCopy(edit, !isGivenUp).catch(notYet);
    if (removal === undefined) return false;
    if (removal?.kind === 'changed') {
      // Watch it again: this finds the new content and makes it a save.
      await book.put({ ...edit, isEnding: false });
      return true;
    }
    if (removal && removal.kind !== 'removed' && !isGivenUp) {
      await book.put({ ...edit, isEnding: false, isFinishing: false });
      onRefused(edit, refusalOf(edit, removal));
      return true;
    }
    if (removal?.kind === 'inUse') {
      notYet('in use');
      return false;
    }
    await endTransfer(edit);
    await forget(edit);
    return false;
  }

  async function endTransfer(edit: EditRecord): Promise<void> {
    const { transferId } = edit.fetch ?? edit.sending ?? { transferId: null };
    if (transferId === null) return;
    const which = { kind: 'ids', ids: [transferId] } as const;
    await engine.actions.cancel(which);
    const [transfer] = await engine.recordsOf([transferId]);
    if (transfer && isFinished(transfer) && transfer.state.name !== 'done') await engine.actions.drop(which);
  }

  async function leave(edit: EditRecord): Promise<Output<'edits.leave'>> {
    const { fileName, base } = edit;
    stop(edit);
    await endTransfer(edit);
    const save = edit.kept ?? edit.sending;
    const copy = folders.copyOf(edit);
    if (!edit.fetch && save && (await statOf(copy)) === null)
      await rename(folders.saveOf(edit, save.number), copy);
    let isRemoved = edit.fetch !== null;
    if (isRemoved) await folders.removeUnshown(edit);
    else isRemoved = (await removeCopy(copy, base ? [base.sha256] : [], true)).kind === 'removed';
    await folders.removeSaves(edit);
    await book.remove(edit.id);
    onChanged([edit.serviceId]);
    if (isRemoved) return { folder: null, fileName, isChanged: false };
    const isChanged = (await digestOf(copy))?.sha256 !== base?.sha256;
    return { folder: folders.folderOf(edit), fileName, isChanged };
  }

  async function forget(edit: EditRecord): Promise<void> {
    stop(edit);
    try {
      if (edit.fetch) await folders.removeUnshown(edit);
      else if ((await folders.removeCopy(edit, false)).kind !== 'removed') onLeft(folders.folderOf(edit));
      await folders.removeSaves(edit);
      await book.remove(edit.id);
    } catch (cause) {
      notYet(cause);
    }
    onChanged([edit.serviceId]);
  }

  return {
    async end(edit) {
      await book.put({ ...edit, isEnding: true });
      return true;
    },
    remove,
    forget,
    leave,
    async letGo(edit) {
      stop(edit);
      await book.remove(edit.id);
      onChanged([edit.serviceId]);
    },
  };
}

function refusalOf(
  { fileName }: EditRecord,
  removal: Extract<Removal, { kind: 'inUse' | 'filesBeside' }>,
): NonNullable<EditNow['notEnded']> {
  const fileNames = removal.kind === 'filesBeside' ? removal.fileNames : [fileName];
  return { code: 'editNotFinished', problem: removal.kind, fileNames };
}
