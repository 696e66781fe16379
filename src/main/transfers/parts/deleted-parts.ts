import { z } from 'zod';
import type { Documents } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../ports.ts';

/**
 * Names of parts whose DELETE was sent. A deletion is only initiated (section 4.1) and may come late, to what was stored under the
 * name since; so a part that lies under such a name counts only after a second look (`second-look.ts`), which takes it off here.
 */
const deletedPartSchema = z.object({
  profileId: z.string(),
  origin: z.string(),
  id: z.string(),
  /** Wall clock, ms. */
  deletedAtMs: z.number(),
  /** Wall clock, ms: when an upload has stored it again, or found it; null: none has since it was last seen to be gone. */
  metAtMs: z.number().nullable(),
  /** So often it was gone again at the second look. */
  losses: z.number(),
});
export type DeletedPart = Readonly<z.infer<typeof deletedPartSchema>>;
type Name = Pick<DeletedPart, 'profileId' | 'origin' | 'id'>;

export interface DeletedParts {
  find(name: Name): DeletedPart | null;
  /** Its DELETE is about to leave. Durable when it resolves. */
  add(name: Name): Promise<void>;
  /** Durable when it resolves. Nothing, when it was taken off meanwhile. */
  change(name: Name, change: Partial<Pick<DeletedPart, 'metAtMs' | 'losses'>>): Promise<void>;
  /** Durable when it resolves. */
  remove(name: Name): Promise<void>;
  forgetProfile(profileId: string): Promise<void>;
}

/** No deletion is as late as that. */
const longestMs = 24 * 3_600_000;

const collection = 'parts-deleted';

export async function openDeletedParts(
  documents: Documents,
  clock: Pick<Clock, 'nowMs'>,
): Promise<DeletedParts> {
  const kept = new Map<string, DeletedPart>();
  const old: string[] = [];
  for (const { key, value } of await documents.list(collection)) {
    const read = deletedPartSchema.safeParse(value);
    if (read.success && isRecent(read.data)) kept.set(key, read.data);
    else old.push(key);
  }
  await forget(old);

  function isRecent({ deletedAtMs }: DeletedPart): boolean {
    return clock.nowMs() - deletedAtMs < longestMs;
  }

  function keyOf({ profileId, origin, id }: Name): string {
    return JSON.stringify([profileId, origin, id]);
  }

  async function put(part: DeletedPart): Promise<void> {
    const key = keyOf(part);
    kept.set(key, part);
    await documents.put(collection, key, part);
  }

  async function forget(keys: readonly string[]): Promise<void> {
    for (const key of keys) kept.delete(key);
    if (keys.length > 0)
      await documents.write(
        collection,
        keys.map((key) => ({ key, value: undefined })),
      );
  }

  function find(name: Name): DeletedPart | null {
    const part = kept.get(keyOf(name));
    return part && isRecent(part) ? part : null;
  }

  return {
    find,
    add: ({ profileId, origin, id }) =>
      put({ profileId, origin, id, deletedAtMs: clock.nowMs(), metAtMs: null, losses: 0 }),
    async change(name, change) {
      const part = find(name);
      if (part) await put({ ...part, ...change });
    },
    remove: (name) => forget([keyOf(name)]),
    forgetProfile: (profileId) =>
      forget([...kept].filter(([, part]) => part.profileId === profileId).map(([key]) => key)),
  };
}
