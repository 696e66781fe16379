import { factBits } from '../../../shared/domain/unverified.ts';
import type { SelectionMix } from '../../../shared/contract.ts';
import { shownOf } from '../../../shared/domain/shown-of.ts';
import { states } from '../rows.ts';
import type { IndexSource } from '../index-source.ts';
import type { StoredService } from '../object-store.ts';
import { compareClassifications, type ObjectIndex, onItsWayMs, stateBits } from './object-index.ts';
import { type Pace, ServiceIndex } from './service-index.ts';

const classificationsTold = 12;

export const noMix: SelectionMix = {
  count: 0,
  totalBytes: 0,
  unknownLengths: 0,
  unseen: 0,
  states: [],
  classifications: [],
  moreClassifications: 0,
  stored: null,
};

/** Summarises these rows in one pass over the columns; fastest in slot order. */
export function mixOf(index: ObjectIndex, slots: Int32Array): SelectionMix {
  const { lengths, marks, classes, storedAt, unverified } = index;
  const ofState = new Float64Array(stateBits);
  const ofClass = new Float64Array(index.classifications.length);
  let totalBytes = 0;
  let unknownLengths = 0;
  let unseen = 0;
  let fromMs = Infinity;
  let toMs = -Infinity;
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    const state = (marks[slot] ?? 0) % stateBits;
    ofState[state] = (ofState[state] ?? 0) + 1;
    const code = classes[slot] ?? 0;
    ofClass[code] = (ofClass[code] ?? 0) + 1;
    const length = lengths[slot] ?? -1;
    if (((unverified[slot] ?? 0) & factBits.presence) !== 0) unseen += 1;
    if (length < 0) unknownLengths += 1;
    else totalBytes += length;
    const atMs = storedAt[slot] ?? -1;
    if (atMs < 0 || atMs === onItsWayMs) continue;
    if (atMs < fromMs) fromMs = atMs;
    if (atMs > toMs) toMs = atMs;
  }
  const classifications = index.classifications
    .map((value, code) => ({ value, count: ofClass[code] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || compareClassifications(a.value, b.value));
  const told = shownOf(classifications.length, classificationsTold);
  return {
    count: slots.length,
    totalBytes,
    unknownLengths,
    unseen,
    states: states
      .map((state, code) => ({ state, count: ofState[code] ?? 0 }))
      .filter(({ count }) => count > 0),
    classifications: classifications.slice(0, told),
    moreClassifications: Math.max(0, classifications.length - told),
    stored: fromMs <= toMs ? { fromMs, toMs } : null,
  };
}

/** Which folders of a service are listed without objects. */
interface KeptFolders {
  of(serviceId: string): ReadonlySet<string>;
}

/** The active service and the one before it. */
const indexesMax = 2;

/** The in-memory indexes. Drops the least recently used one. */
export class ServiceIndexes {
  readonly #source: IndexSource;
  readonly #service: (serviceId: string) => StoredService | null;
  readonly #made: KeptFolders;
  readonly #pace: Pace;
  readonly #indexes = new Map<string, ServiceIndex>();

  constructor(
    source: IndexSource,
    service: (serviceId: string) => StoredService | null,
    made: KeptFolders,
    pace: Pace,
  ) {
    this.#source = source;
    this.#service = service;
    this.#made = made;
    this.#pace = pace;
  }

  get(serviceId: string): ServiceIndex | undefined {
    return this.#indexes.get(serviceId);
  }

  /** The index, loaded and up to date; null: no such service. */
  async whole(serviceId: string): Promise<ServiceIndex | null> {
    for (;;) {
      const service = this.#service(serviceId);
      if (service === null) return null;
      const index = this.started(serviceId, service);
      await index.ready;
      if (this.#indexes.get(serviceId) === index) return index;
    }
  }

  /** The index, which may still be loading. */
  started(serviceId: string, service: StoredService): ServiceIndex {
    const known = this.#indexes.get(serviceId);
    const index = known === undefined || known.isWorn ? this.#start(serviceId, service) : known;
    this.#indexes.delete(serviceId);
    this.#indexes.set(serviceId, index);
    for (const oldest of this.#indexes.keys()) {
      if (this.#indexes.size <= indexesMax) break;
      this.drop(oldest);
    }
    return index;
  }

  drop(serviceId: string): void {
    this.#indexes.get(serviceId)?.stop();
    this.#indexes.delete(serviceId);
  }

  dropAll(): void {
    for (const serviceId of this.#indexes.keys()) this.drop(serviceId);
  }

  #start(serviceId: string, service: StoredService): ServiceIndex {
    this.drop(serviceId);
    const index = new ServiceIndex(this.#source, service, this.#made.of(serviceId), this.#pace);
    index.ready.catch(() => {
      // Current callers get the error; the next one loads again.
      if (this.#indexes.get(serviceId) === index) this.drop(serviceId);
    });
    return index;
  }
}
