import type { Catalogue } from '../objects/catalogue.ts';

/** Identifiers looked up at once. */
const batchSize = 1000;

/**
 * Counts the stored objects under these identifiers whose classification is another than `to`, by their own, the most first. Of an
 * identifier with versions, the first version counts.
 */
export async function countReclassified(
  catalogue: Pick<Catalogue, 'findByIdentifiers'>,
  serviceId: string,
  identifiers: readonly string[],
  to: string | null,
): Promise<{ from: string | null; count: number }[]> {
  const counts = new Map<string | null, number>();
  for (let at = 0; at < identifiers.length; at += batchSize) {
    const batch = identifiers.slice(at, at + batchSize);
    const found = await catalogue.findByIdentifiers(serviceId, 'data', batch);
    for (const { state, classification: from } of found.values())
      if (state === 'stored' && from !== to) counts.set(from, (counts.get(from) ?? 0) + 1);
  }
  return [...counts].map(([from, count]) => ({ from, count })).toSorted((a, b) => b.count - a.count);
}
