import type { TransferStore } from '../model/store-types.ts';

type Lookup = TransferStore['rows'];

/**
 * Merges lookups of rows requested while another one is in progress: many files end at once, and a message to the
 * database thread costs as much as the lookup. A row is always read after it was requested.
 */
export function joinLookups(lookUp: Lookup): Lookup {
  let next: { readonly ids: Set<number>; readonly found: ReturnType<Lookup> } | null = null;
  let running: Promise<unknown> = Promise.resolve();

  function begin() {
    const ids = new Set<number>();
    const found = running.then(() => {
      next = null;
      return lookUp([...ids]);
    });
    running = found.catch(() => undefined);
    return { ids, found };
  }

  return async (objectIds) => {
    next ??= begin();
    for (const id of objectIds) next.ids.add(id);
    const found = await next.found;
    return found.filter(({ record }) => objectIds.includes(record.id));
  };
}
