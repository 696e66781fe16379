/** Tells that lists have changed, each time with a higher revision. */
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

  /** What `work` changes is told later, by its caller. */
  quietly<T>(work: () => T): T {
    this.#isQuiet = true;
    try {
      return work();
    } finally {
      this.#isQuiet = false;
    }
  }
}
