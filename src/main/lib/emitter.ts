/**
 * Calls listeners one after the other, in the order in which they were added. A listener added while it fires is
 * called as well, a removed one is not. An error of a listener ends the round and reaches the caller of `fire`:
 * listeners must handle their own failures.
 *
 * @example
 * class Downloads {
 *   readonly #ended = new Emitter<[id: number]>();
 *   readonly onEnded = this.#ended.event;
 *   end(id: number) {
 *     this.#ended.fire(id);
 *   }
 * }
 * const stop = downloads.onEnded((id) => console.log(id));
 * stop();
 */
export class Emitter<Args extends readonly unknown[]> {
  readonly #listeners = new Set<(...args: Args) => void>();

  /** Adds a listener; adding it again has no effect. @returns removes it */
  readonly event = (listener: (...args: Args) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly fire = (...args: Args): void => {
    for (const listener of this.#listeners) listener(...args);
  };
}
