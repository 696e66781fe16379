/** Minimum interval between refreshes of a visible list during a long operation, in ms. */
const seldomMs = 4000;

/** Announces changes of a team's list to the lists on screen. */
export interface ListChanges {
  /** For one of the many transactions of a long operation: announces the change at most every few seconds. */
  seldom<T>(serviceId: string, work: () => T): T;
  announce(serviceId: string): void;
  /** Drops the index of the list, which is read again: more has changed than single rows can tell. */
  reload(serviceId: string): void;
}

/** Announces that lists have changed, with a revision that grows each time. */
export class Announcements {
  readonly #changed: (serviceId: string, revision: number) => void;
  #revision: number;
  #isQuiet = false;
  /** By service: when `seldom` last allowed an announcement. */
  readonly #toldMs = new Map<string, number>();

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

  /** For one of the many transactions of a long operation. The caller announces the end. */
  seldom<T>(serviceId: string, work: () => T): T {
    if (performance.now() - (this.#toldMs.get(serviceId) ?? -Infinity) < seldomMs) return this.#quietly(work);
    this.#toldMs.set(serviceId, performance.now());
    return work();
  }

  #quietly<T>(work: () => T): T {
    this.#isQuiet = true;
    try {
      return work();
    } finally {
      this.#isQuiet = false;
    }
  }
}
