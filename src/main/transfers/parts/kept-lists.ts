import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Documents } from '../../catalogue/catalogue.ts';
import type { Manifest } from './manifest.ts';

/**
 * Lists of parts that were replaced, or are about to be, and are kept to undo it with. The parts they name stay at the service as long
 * as they are kept; with the list gone, nobody could name them any more.
 */
const keptListSchema = z.object({
  /** Of the vault; or what is kept beside the object on the service, until the Replace of `transferId` leaves that to the list of objects. */
  file: z.string(),
  transferId: z.number().optional(),
  profileId: z.string(),
  origin: z.string(),
  identifier: z.string(),
  base: z.string(),
  text: z.string(),
});
type KeptDocument = z.infer<typeof keptListSchema>;
export type KeptList = Readonly<KeptDocument> & { readonly manifest: Manifest; readonly sha256: string };

export interface KeptLists {
  /** null: what is kept there is no list. */
  of(file: string): KeptList | null;
  all(): KeptList[];
  /** Durable when it resolves. */
  put(list: KeptDocument): Promise<void>;
  /** Durable when it resolves. */
  forget(file: string): Promise<void>;
}

const collection = 'parts-kept';

export async function openKeptLists(documents: Documents): Promise<KeptLists> {
  const lists = new Map<string, KeptList>();
  for (const { value } of await documents.list(collection)) {
    const read = keptListSchema.safeParse(value);
    if (read.success) hold(read.data);
  }

  function hold(document: KeptDocument): void {
    // It was checked before it was written.
    const manifest = JSON.parse(document.text) as Manifest;
    lists.set(document.file, { ...document, manifest, sha256: hash('sha256', document.text, 'hex') });
  }

  return {
    of: (file) => lists.get(file) ?? null,
    all: () => [...lists.values()],
    async put(document) {
      await documents.put(collection, document.file, document);
      hold(document);
    },
    async forget(file) {
      await documents.delete(collection, file);
      lists.delete(file);
    },
  };
}
