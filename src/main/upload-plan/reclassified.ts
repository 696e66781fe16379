import { isClassificationKnown, type ObjectRecord } from '../../shared/domain/object.ts';
import { newestStored } from '../../shared/domain/versions.ts';
import type { Catalogue } from '../objects/catalogue.ts';

/** Identifiers looked up at once. */
const batchSize = 1000;

/**
 * Counts the stored objects whose classification differs from `to`, by classification, most frequent first: for `replace` the
 * objects under these identifiers, for `newVersion` the newest version of each, whose classification the next one inherits.
 */
export async function countReclassified(
  catalogue: Pick<Catalogue, 'findByIdentifiers' | 'versions'>,
  serviceId: string,
  identifiers: readonly string[],
  to: string | null,
  ifExists: 'replace' | 'newVersion',
): Promise<{ from: string | null; count: number }[]> {
  const isStored = (row: ObjectRecord) => row.state === 'stored' && isClassificationKnown(row);
  async function find(batch: readonly string[]): Promise<(ObjectRecord | undefined)[]> {
    if (ifExists === 'replace')
      return [...(await catalogue.findByIdentifiers(serviceId, 'data', batch)).values()].filter(isStored);
    const families = await Promise.all(batch.map((each) => catalogue.versions(serviceId, 'data', each)));
    return families.map(({ versions }) =>
      newestStored(versions.map(({ record }) => record).filter(isStored)),
    );
  }

  const counts = new Map<string | null, number>();
  for (let at = 0; at < identifiers.length; at += batchSize) {
    for (const row of await find(identifiers.slice(at, at + batchSize)))
      if (row && row.classification !== to)
        counts.set(row.classification, (counts.get(row.classification) ?? 0) + 1);
  }
  return [...counts].map(([from, count]) => ({ from, count })).toSorted((a, b) => b.count - a.count);
}
