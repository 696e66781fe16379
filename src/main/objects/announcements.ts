import type { ObjectKind, ObjectState } from '../../shared/domain/object.ts';
import type { Statements } from '../database/statements.ts';
import { kindCode, stateCode } from './rows.ts';

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

/**
 * Counts a batch of inserted rows at once, instead of by the trigger, which runs for each row and takes a sixth of an
 * import's time. Everything happens in one transaction, so a failure or a kill leaves the trigger and the counts
 * unchanged.
 */
export class AddedTally {
  readonly #rows: Statements['rows'];
  readonly #service: number;
  readonly #trigger: string;
  readonly #counts = new Map<string, { kind: number; state: number; objects: number; bytes: number }>();

  constructor({ rows }: Statements, service: number) {
    this.#rows = rows;
    this.#service = service;
    const [trigger] = rows<[string]>(`SELECT sql FROM sqlite_schema WHERE name = 'object_added'`);
    this.#trigger = trigger?.[0] ?? '';
    rows('DROP TRIGGER object_added');
  }

  count(object: {
    readonly kind: ObjectKind;
    readonly state: ObjectState;
    readonly lengthBytes: number | null;
  }) {
    const [kind, state] = [kindCode(object.kind), stateCode(object.state)];
    const key = `${String(kind)} ${String(state)}`;
    const sum = this.#counts.get(key) ?? { kind, state, objects: 0, bytes: 0 };
    sum.objects += 1;
    sum.bytes += object.lengthBytes ?? 0;
    this.#counts.set(key, sum);
  }

  /** Call before changing a row that the batch may have added: another trigger counts changes. */
  write(): void {
    for (const { kind, state, objects, bytes } of this.#counts.values()) {
      this.#rows(
        `INSERT INTO tally VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET objects = objects + excluded.objects, bytes = bytes + excluded.bytes`,
        this.#service,
        kind,
        state,
        objects,
        bytes,
      );
    }
    this.#counts.clear();
  }

  end(): void {
    this.write();
    this.#rows(this.#trigger);
  }
}

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
