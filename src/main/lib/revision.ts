import { throttle, type Throttled } from './timers.ts';

/**
 * Counts the changes of a list and reports the count soon. A page of the list names the revision at which it was read.
 *
 * @example
 * const revision = new Revision((current) => publisher.publish('tasks.changed', { revision: current }));
 * revision.increase();
 * revision.cancel(); // when closing
 */
export class Revision {
  #current = 0;
  readonly #tellSoon: Throttled;

  constructor(tell: (current: number) => void) {
    this.#tellSoon = throttle(() => tell(this.#current));
  }

  get current(): number {
    return this.#current;
  }

  increase(): void {
    this.#current += 1;
    this.#tellSoon();
  }

  /** Drops a pending report. */
  cancel(): void {
    this.#tellSoon.cancel();
  }
}
