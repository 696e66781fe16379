import { AppFailure } from '../../shared/app-failure.ts';

/** The list of a service, from when it is set up until it is removed. Another may follow under the same id. */
export interface OpenList {
  isOpen: boolean;
}

/** Which lists may grow: what comes late for a service that was removed must not bring its list back. */
export class OpenLists {
  readonly #lists = new Map<string, OpenList>();

  /** Throws notFound (service) for the list of a service that was removed. */
  get(serviceId: string): OpenList {
    const list = this.#lists.get(serviceId) ?? { isOpen: true };
    this.#lists.set(serviceId, list);
    requireOpen(list);
    return list;
  }

  close(serviceId: string): void {
    const list = this.#lists.get(serviceId) ?? { isOpen: false };
    this.#lists.set(serviceId, list);
    list.isOpen = false;
  }

  /** A service of this id is set up, perhaps again. */
  open(serviceId: string): void {
    if (this.#lists.get(serviceId)?.isOpen === false) this.#lists.delete(serviceId);
  }
}

/** Throws notFound (service). */
export function requireOpen({ isOpen }: OpenList): void {
  if (!isOpen) throw new AppFailure({ code: 'notFound', what: 'service' });
}
