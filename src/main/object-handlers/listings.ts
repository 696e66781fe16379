import type { Catalogue } from '../objects/catalogue.ts';
import type { ObjectRecord, ObjectQuery } from '../../shared/domain/object.ts';
import { AppFailure } from '../../shared/app-failure.ts';

/** Maximum number of listings at the same time; a million ids take 8 MB. */
const maxListings = 8;

/**
 * Lists read page by page, all pages as of the first: no row appears twice, and none is missed that stayed in the
 * list. Rows removed meanwhile are left out.
 */
export class Listings {
  readonly #catalogue: Pick<Catalogue, 'page' | 'idsOf' | 'getMany'>;
  /** The ids, by the reader's name for the listing; least recently used first. */
  readonly #ids = new Map<string, Float64Array>();

  constructor(catalogue: Pick<Catalogue, 'page' | 'idsOf' | 'getMany'>) {
    this.#catalogue = catalogue;
  }

  /** @throws AppFailure notFound: the listing was dropped for newer ones */
  async page(
    listing: string,
    query: ObjectQuery,
    offset: number,
    limit: number,
  ): Promise<{ total: number; rows: ObjectRecord[] }> {
    if (offset === 0) {
      const { total, rows } = await this.#catalogue.page(query, 0, limit);
      if (total <= rows.length) return { total, rows };
      this.#ids.set(listing, await this.#catalogue.idsOf({ kind: 'query', query, exceptIds: [] }));
    }
    const ids = this.#ids.get(listing);
    if (ids === undefined) throw new AppFailure({ code: 'notFound', what: 'selection' });
    this.#ids.delete(listing);
    const isLast = offset + limit >= ids.length;
    if (!isLast) this.#ids.set(listing, ids);
    const [oldest] = this.#ids.keys();
    if (this.#ids.size > maxListings && oldest !== undefined) this.#ids.delete(oldest);
    return {
      total: ids.length,
      rows: await this.#catalogue.getMany([...ids.subarray(offset, offset + limit)]),
    };
  }
}
