/** Announces that lists have changed, with a revision that grows each time. */
export class Announcements {
  readonly #changed: (serviceId: string, revision: number) => void;
  #revision: number;
  #isQuiet = false;

  constructor(changed: (serviceId: string, revision: number) => void, revision: number) {
    this.#changed = changed;
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  announce(serviceIds: readonly string[]): void {
    if (this.#isQuiet) return;
    for (const serviceId of new Set(serviceIds)) {
      this.#revision += 1;
      this.#changed(serviceId, this.#revision);
    }
  }

  /** Runs `work` without announcing its changes; the caller announces them later. */
  quietly<T>(work: () => T): T {
    this.#isQuiet = true;
    try {
      return work();
    } finally {
      this.#isQuiet = false;
    }
  }
}
