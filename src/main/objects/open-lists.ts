import { AppFailure } from '../../shared/app-failure.ts';

/** The list of a service, from set-up to removal. Another list with the same id may follow. */
export interface OpenList {
  isOpen: boolean;
}

/** Which lists accept rows: late results for a removed service must not recreate its list. */
export class OpenLists {
  readonly #lists = new Map<string, OpenList>();

  /** Throws notFound (service) after the service has been removed. */
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

  /** Call when a service is set up, including again. */
  open(serviceId: string): void {
    if (this.#lists.get(serviceId)?.isOpen === false) this.#lists.delete(serviceId);
  }
}

/** Throws notFound (service). */
export function requireOpen({ isOpen }: OpenList): void {
  if (!isOpen) throw new AppFailure({ code: 'notFound', what: 'service' });
}
