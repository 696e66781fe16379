/** Target duration of one transaction of a long operation, in ms: other callers wait for it. */
export const batchMs = 50;
const leastRows = 200;
const maxRows = 10_000;

/** How many rows a long operation changes in one transaction, learned from how long the last one took. */
export class BatchSize {
  #rows = leastRows;

  get rows(): number {
    return this.#rows;
  }

  /** @param work changes that many rows */
  measure<T>(rows: number, work: () => T): T {
    const startedMs = performance.now();
    const result = work();
    const tookMs = Math.max(performance.now() - startedMs, 1);
    const fitting = Math.floor((rows * batchMs) / tookMs);
    this.#rows = Math.min(Math.max(fitting, leastRows), this.#rows * 2, maxRows);
    return result;
  }
}
