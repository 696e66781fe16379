import type { ObjectQuery } from '../../shared/domain/object.ts';
import type { Announcements } from './announcements.ts';
import type { CataloguePage } from './catalogue.ts';
import type { Pace, ProfileIndex } from './index/profile-index.ts';
import type { ProfileIndexes } from './index/profile-indexes.ts';
import type { IndexSource } from './index-source.ts';
import type { ObjectStore } from './object-store.ts';

/** Pages of a list that a person looks at: from the index, or from the file while that is still being read. */
export class ObjectPages {
  readonly #store: ObjectStore;
  readonly #source: IndexSource;
  readonly #indexes: ProfileIndexes;
  readonly #announcements: Announcements;
  readonly #pace: Pace;
  /** Indexes in whose place the file has answered. */
  readonly #unfolded = new WeakSet<ProfileIndex>();

  constructor(
    store: ObjectStore,
    source: IndexSource,
    indexes: ProfileIndexes,
    announcements: Announcements,
    pace: Pace,
  ) {
    this.#store = store;
    this.#source = source;
    this.#indexes = indexes;
    this.#announcements = announcements;
    this.#pace = pace;
  }

  async page(query: ObjectQuery, offset: number, limit: number): Promise<CataloguePage> {
    const early = this.#pageWithoutIndex(query, offset, limit);
    if (early !== null) return early;
    const index = await this.#indexes.whole(query.profileId);
    const { revision } = this.#announcements;
    if (index === null) return { revision, total: 0, totalBytes: 0, folded: 0, families: [], rows: [] };
    const { slots, totalBytes, folded } = index.run(query);
    const shown = Array.from(slots.subarray(offset, offset + limit));
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
      rows: this.#store.getMany(shown.map(idOf)),
    };
  }

  /** While a large index is being read: the first rows of a plain list, from the file. */
  #pageWithoutIndex(query: ObjectQuery, offset: number, limit: number): CataloguePage | null {
    const profile = this.#store.profile(query.profileId);
    if (profile === null || query.place.kind !== 'all' || query.search !== '' || offset > 1000) return null;
    const index = this.#indexes.started(query.profileId, profile);
    if (index.isReady || this.#source.count(profile.number) <= this.#pace.awaitedRows) return null;
    this.#announceFolds(query.profileId, index);
    const { total, totalBytes } = this.#source.totals(profile.number, query.kind);
    const rows = this.#store.getMany(this.#source.firstIds(query, profile.number, offset, limit));
    return { revision: this.#announcements.revision, total, totalBytes, folded: 0, families: [], rows };
  }

  /** What was answered without an index was not folded. */
  #announceFolds(profileId: string, index: ProfileIndex): void {
    if (this.#unfolded.has(index)) return;
    this.#unfolded.add(index);
    index.ready.then(
      () => {
        if (index.isReady && index.families.areThere) this.#announcements.announce([profileId]);
      },
      // Whoever waits for it is told.
      () => undefined,
    );
  }
}
