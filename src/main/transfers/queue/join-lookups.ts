import type { TransferStore } from '../model/store-types.ts';

type Look = TransferStore['rows'];

/**
 * Joins lookups of rows that are made while another one is under way. Many files end at once, and each message to the database's
 * thread costs as much as the lookup. A row is read after it was asked for, never before.
 */
export function joinLookups(look: Look): Look {
  let next: { readonly ids: Set<number>; readonly found: ReturnType<Look> } | null = null;
  let running: Promise<unknown> = Promise.resolve();

  function begin() {
    const ids = new Set<number>();
    const found = running.then(() => {
      next = null;
      return look([...ids]);
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
