import { AppFailure } from '../../shared/errors.ts';

/** The list of a service, from when it is set up until it is removed. Another may follow under the same id. */
export interface OpenList {
  isOpen: boolean;
}

/** Which lists may grow: what comes late for a service that was removed must not bring its list back. */
export class OpenLists {
  readonly #lists = new Map<string, OpenList>();

  /** Throws notFound (profile) for the list of a service that was removed. */
  get(profileId: string): OpenList {
    const list = this.#lists.get(profileId) ?? { isOpen: true };
    this.#lists.set(profileId, list);
    requireOpen(list);
    return list;
  }

  close(profileId: string): void {
    const list = this.#lists.get(profileId) ?? { isOpen: false };
    this.#lists.set(profileId, list);
    list.isOpen = false;
  }

  /** A service of this id is set up, perhaps again. */
  open(profileId: string): void {
    if (this.#lists.get(profileId)?.isOpen === false) this.#lists.delete(profileId);
  }
}

/** Throws notFound (profile). */
export function requireOpen({ isOpen }: OpenList): void {
  if (!isOpen) throw new AppFailure({ code: 'notFound', what: 'profile' });
}
