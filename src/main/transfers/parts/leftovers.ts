import { z } from 'zod';
import type { Documents } from '../../catalogue/catalogue.ts';

/**
 * Parts that no file needs any more, as far as is known, until they are gone: the service lists nothing, so what is not written
 * down here can never be found again.
 */
const leftoverSchema = z.object({
  profileId: z.string(),
  origin: z.string(),
  base: z.string(),
  id: z.string(),
  classification: z.string().nullable(),
  /**
   * waiting: nothing was done yet; deleting: the one DELETE may have left; awaited: it is not there, and may still come; stuck: it is
   * still there, or must stay for now.
   */
  state: z.enum(['waiting', 'deleting', 'awaited', 'stuck']),
  /** A request with it may have been under way when it was given up, so it may still come. */
  mayCome: z.boolean(),
  /** Wall clock, ms: since when it is in its state. */
  sinceMs: z.number(),
});
export type Leftover = Readonly<z.infer<typeof leftoverSchema>>;

export interface Leftovers {
  all(): Leftover[];
  find(of: Pick<Leftover, 'profileId' | 'origin' | 'id'>): Leftover | null;
  /** Durable when it resolves. */
  put(leftovers: readonly Leftover[]): Promise<void>;
  /** Durable when it resolves. */
  remove(leftovers: readonly Leftover[]): Promise<void>;
}

const collection = 'parts-leftover';

export async function openLeftovers(documents: Documents): Promise<Leftovers> {
  const kept = new Map<string, Leftover>();
  for (const { key, value } of await documents.list(collection)) {
    const read = leftoverSchema.safeParse(value);
    if (read.success) kept.set(key, read.data);
  }
  const keyOf = ({ profileId, origin, id }: Pick<Leftover, 'profileId' | 'origin' | 'id'>) =>
    JSON.stringify([profileId, origin, id]);

  return {
    all: () => [...kept.values()],
    find: (of) => kept.get(keyOf(of)) ?? null,
    async put(leftovers) {
      const changes = leftovers.map((value) => ({ key: keyOf(value), value }));
      for (const { key, value } of changes) kept.set(key, value);
      if (changes.length > 0) await documents.write(collection, changes);
    },
    async remove(leftovers) {
      const changes = leftovers.map((each) => ({ key: keyOf(each), value: undefined }));
      for (const { key } of changes) kept.delete(key);
      if (changes.length > 0) await documents.write(collection, changes);
    },
  };
}
