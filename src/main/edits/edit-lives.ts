import type { EditBook, EditRecord } from './edit-record.ts';
import type { EditNow } from './edit-view.ts';
import type { FollowedFile } from './follow-file.ts';

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
