/**
 * Closes what has been started, in reverse order: each part may use those before it until it is closed.
 *
 * @example
 * const started = new Started();
 * const engine = await createEngine();
 * started.add(() => engine.close());
 * // Later, or when a further part could not be started:
 * await started.close();
 */
export class Started {
  readonly #closes: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closes.push(close);
  }

  /** Closes the other parts even if one fails to close. @throws the first failure */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) {
      try {
        await close();
      } catch (cause) {
        failures.push(cause);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
