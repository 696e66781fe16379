import type { IndexSource } from '../index-source.ts';
import type { StoredService } from '../object-store.ts';
import { ServiceIndex, type Pace } from './service-index.ts';

/** The active service and the one before it. */
const indexesMax = 2;

/** The in-memory indexes. Drops the least recently used one. */
export class ServiceIndexes {
  readonly #source: IndexSource;
  readonly #service: (serviceId: string) => StoredService | null;
  readonly #pace: Pace;
  readonly #indexes = new Map<string, ServiceIndex>();

  constructor(source: IndexSource, service: (serviceId: string) => StoredService | null, pace: Pace) {
    this.#source = source;
    this.#service = service;
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
    const index = new ServiceIndex(this.#source, service, this.#pace);
    index.ready.catch(() => {
      // Current callers get the error; the next one loads again.
      if (this.#indexes.get(serviceId) === index) this.drop(serviceId);
    });
    return index;
  }
}
