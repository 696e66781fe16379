import { z } from 'zod';
import { atMsSchema } from '../../shared/domain/at-ms.ts';
import { appErrorSchema } from '../../shared/errors.ts';
import type { Documents } from '../database/documents.ts';
import { openCollection } from '../database/collection.ts';
import type { Log } from '../ports.ts';

/** One save, copied to a file of its own. */
const saveSchema = z.object({
  number: z.number(),
  sha256: z.string(),
  lengthBytes: z.number(),
  savedAtMs: atMsSchema,
  /** The person's decision, whatever is at the service. */
  answer: z.enum(['newVersion', 'storeAgain']).optional(),
});

/** Everything stored about an edit. Its status follows from this, its files, and its transfer. */
export const editRecordSchema = z.object({
  id: z.string(),
  serviceId: z.string(),
  /** The opened object, later the one that the last save is stored as. */
  objectId: z.number().nullable(),
  identifier: z.string(),
  fileName: z.string(),
  classification: z.string().nullable(),
  startedAtMs: z.number(),
  /** The copy is being downloaded. transferId null: not enqueued yet, as far as is known. */
  fetch: z.object({ transferId: z.number().nullable() }).nullable(),
  /** What should be at the service: the opened object or the last stored save. null: the copy is not downloaded yet. */
  base: z.object({ sha256: z.string(), lengthBytes: z.number() }).nullable(),
  savedAtMs: atMsSchema.nullable(),
  storedAtMs: atMsSchema.nullable(),
  /** The newest save that is not enqueued yet. */
  kept: saveSchema.nullable(),
  /** The save being uploaded; transferId as in `fetch`. */
  sending: saveSchema.extend({ transferId: z.number().nullable() }).nullable(),
  /** Why `kept` waits for the person's decision. */
  conflict: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('changed'), lengthBytes: z.number().nullable(), seenAtMs: atMsSchema }),
      z.object({ kind: z.literal('deleted') }),
      z.object({ kind: z.literal('failed'), error: appErrorSchema }),
    ])
    .nullable(),
  /** Increases with each save, so that each has a file of its own. */
  lastNumber: z.number(),
  isFinishing: z.boolean(),
  /** The edit is being removed; written before anything is deleted. */
  isEnding: z.boolean(),
});
export type EditRecord = z.infer<typeof editRecordSchema>;

/** Edits in memory and in the database. Changes are durable when a call resolves. */
export interface EditBook {
  all(): EditRecord[];
  get(id: string): EditRecord | undefined;
  put(record: EditRecord): Promise<void>;
  remove(id: string): Promise<void>;
}

export async function openEditBook(
  documents: Pick<Documents, 'list' | 'write'>,
  isSetUp: (serviceId: string) => boolean,
  log: Log,
): Promise<EditBook> {
  // Files stay. Removing a service removes its edits, so a record of an unknown service comes from elsewhere.
  const schema = editRecordSchema.refine(({ serviceId }) => isSetUp(serviceId));
  const records = await openCollection(documents, 'edits', schema, (key, { issues }) => {
    const isRead = issues.every(({ code }) => code === 'custom');
    log.error(isRead ? 'the service of an edit is not set up' : 'an edit could not be read', { key });
  });
  return {
    all: records.values,
    get: records.get,
    put: (record) => records.set(record.id, record),
    remove: records.delete,
  };
}
