import type { Documents } from '../catalogue/catalogue.ts';

/** Documents for tests: as the database keeps them, by JSON, for as long as the test runs. */
export function createMemoryDocuments(): Documents {
  const texts = new Map<string, string>();
  const keyOf = (collection: string, key: string) => JSON.stringify([collection, key]);
  return {
    get: async (collection, key) => JSON.parse(texts.get(keyOf(collection, key)) ?? 'null') ?? undefined,
    list: async (collection) =>
      [...texts].flatMap(([place, text]) => {
        const [itsCollection, key] = JSON.parse(place);
        return itsCollection === collection ? [{ key, value: JSON.parse(text) }] : [];
      }),
    put: async (collection, key, value) => void texts.set(keyOf(collection, key), JSON.stringify(value)),
    delete: async (collection, key) => void texts.delete(keyOf(collection, key)),
  };
}
