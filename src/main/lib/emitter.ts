/**
 * Tells listeners that something has happened, one after the other in the order in which they came. One that is added while it fires
 * is called as well, one that is removed is not. What a listener throws ends the round and reaches whoever fires: a listener handles
 * its own failures.
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

  /** Adds a listener, once however often it is added. @returns removes it */
  readonly event = (listener: (...args: Args) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly fire = (...args: Args): void => {
    for (const listener of this.#listeners) listener(...args);
  };
}
