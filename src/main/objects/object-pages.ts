import type { ObjectQuery } from '../../shared/domain/object.ts';
import type { Announcements } from './announcements.ts';
import type { Catalogue, CataloguePage } from './catalogue.ts';
import type { Pace, ServiceIndex } from './index/service-index.ts';
import type { ServiceIndexes } from './index/service-indexes.ts';
import type { IndexSource } from './index-source.ts';
import type { ObjectStore } from './object-store.ts';

/** Pages of a list on screen: from the index, or from the database while the index is loading. */
export function createObjectPages(
  store: ObjectStore,
  source: IndexSource,
  indexes: ServiceIndexes,
  announcements: Announcements,
  pace: Pace,
) {
  /** Indexes in whose place the database has answered. */
  const unfolded = new WeakSet<ServiceIndex>();

  /** The first rows of a plain list from the database, while a large index is loading. */
  function pageWithoutIndex(query: ObjectQuery, offset: number, limit: number): CataloguePage | null {
    const service = store.service(query.serviceId);
    if (service === null || query.place.kind !== 'all' || query.search !== '' || offset > 1000) return null;
    const index = indexes.started(query.serviceId, service);
    if (index.isReady || source.count(service.number) <= pace.awaitedRows) return null;
    announceFolds(query.serviceId, index);
    const { total, totalBytes } = source.totals(service.number, query.kind);
    const rows = store.getMany(source.firstIds(query, service.number, offset, limit));
    return { revision: announcements.revision, total, totalBytes, folded: 0, families: [], offset, rows };
  }

  /** Pages answered without an index hide no older versions and list no folders, so they are refreshed once it is ready. */
  function announceFolds(serviceId: string, index: ServiceIndex): void {
    if (unfolded.has(index)) return;
    unfolded.add(index);
    index.ready.then(
      () => {
        const hasMore = index.families.areThere || index.rows.tree.hasFolders();
        if (index.isReady && hasMore) announcements.announce([serviceId]);
      },
      // Callers that wait for the index get the error.
      () => undefined,
    );
  }

  return {
    async page(query, asked, limit) {
      const early = pageWithoutIndex(query, asked, limit);
      if (early !== null) return early;
      const index = await indexes.whole(query.serviceId);
      const { revision } = announcements;
      if (index === null)
        return { revision, total: 0, totalBytes: 0, folded: 0, families: [], offset: asked, rows: [] };
      const folders = index.folderRows(query, asked, limit);
      const offset = Math.max(0, asked - (folders?.total ?? 0));
      const { slots, totalBytes, folded } = index.run(query);
      const shown = Array.from(slots.subarray(offset, offset + limit - (folders?.rows.length ?? 0)));
      const idOf = (slot: number) => index.rows.ids[slot] ?? 0;
      const families = shown.flatMap((slot) => {
        const family = folded === 0 ? null : index.families.familyOf(slot);
        return family === null ? [] : { id: idOf(slot), ...family };
      });
      const outOf = query.search === '' ? {} : { outOf: index.count(query) };
      return {
        revision,
        total: slots.length,
        totalBytes,
        folded,
        families,
        ...outOf,
        ...(folders !== null && { folders }),
        offset,
        rows: store.getMany(shown.map(idOf)),
      };
    },
  } satisfies Partial<Catalogue>;
}
