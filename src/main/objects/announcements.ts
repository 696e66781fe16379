/** Minimum interval between refreshes of a visible list during a long operation, in ms. */
const seldomMs = 4000;

/** How the lists on screen learn of changes of a team's. */
export interface ListChanges {
  /** One of the many transactions of a long operation: announced now and then. */
  seldom<T>(serviceId: string, work: () => T): T;
  announce(serviceId: string): void;
  /** More has changed than could be told of: what is kept of the list in memory is made anew. */
  reload(serviceId: string): void;
}

/** Announces that lists have changed, with a revision that grows each time. */
export class Announcements {
  readonly #changed: (serviceId: string, revision: number) => void;
  #revision: number;
  #isQuiet = false;
  /** By service: when `seldom` has let it be announced last. */
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

  /** One of the many transactions of a long operation: announced now and then. The caller announces the end. */
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
