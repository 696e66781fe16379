import { z } from 'zod';
import { atMsSchema } from '../../shared/domain/at-ms.ts';
import { watchChoicesSchema } from '../../shared/domain/watch.ts';
import { openCollection, type Collection } from '../database/collection.ts';
import type { Documents } from '../database/documents.ts';
import type { Log } from '../ports.ts';

/** The collection of watched folders; its keys are the folders of the table of watched files. */
export const watchedFolders = 'watchedFolders';

const watchRecordSchema = z.object({
  id: z.string(),
  serviceId: z.string(),
  /** The service's origin when the person asked: nothing is sent to another. */
  origin: z.string(),
  /** Absolute. */
  folder: z.string(),
  /** A `FolderIdentity`. */
  identity: z.object({ number: z.string(), born: z.string() }),
  choices: watchChoicesSchema,
  addedAtMs: atMsSchema,
  isOn: z.boolean(),
  uploads: z.number(),
  lastUploadAtMs: atMsSchema.nullable(),
});
export type WatchRecord = z.infer<typeof watchRecordSchema>;

export function openWatchBook(
  documents: Pick<Documents, 'list' | 'write'>,
  isSetUp: (serviceId: string) => boolean,
  log: Log,
): Promise<Collection<WatchRecord>> {
  const schema = watchRecordSchema.refine(({ serviceId }) => isSetUp(serviceId));
  return openCollection(documents, watchedFolders, schema, (key, { issues }) =>
    log.error('a watched folder could not be read', { key, issues: issues.map(({ code }) => code) }),
  );
}
