/** Tells that lists have changed, each time with a higher revision. */
export class Announcements {
  readonly #changed: (profileId: string, revision: number) => void;
  #revision: number;
  #isQuiet = false;

  constructor(changed: (profileId: string, revision: number) => void, revision: number) {
    this.#changed = changed;
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  announce(profileIds: readonly string[]): void {
    if (this.#isQuiet) return;
    for (const profileId of new Set(profileIds)) {
      this.#revision += 1;
      this.#changed(profileId, this.#revision);
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
