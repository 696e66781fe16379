import { z } from 'zod';
import { atMsSchema } from '../../shared/domain/at-ms.ts';
import { appErrorSchema } from '../../shared/errors.ts';
import type { Documents } from '../database/documents.ts';
import { openCollection } from '../database/collection.ts';
import type { Log } from '../ports.ts';

/** The bytes of one save, copied to a file of their own. */
const saveSchema = z.object({
  number: z.number(),
  sha256: z.string(),
  lengthBytes: z.number(),
  savedAtMs: atMsSchema,
  /** A person has said what becomes of it, whatever the service has. */
  answer: z.enum(['newVersion', 'storeAgain']).optional(),
});

/** Everything that is written down of an edit. How it is follows from this, its file, and its transfer. */
export const editRecordSchema = z.object({
  id: z.string(),
  serviceId: z.string(),
  /** Of what was opened, and then of what its last save is stored under. */
  objectId: z.number().nullable(),
  identifier: z.string(),
  fileName: z.string(),
  classification: z.string().nullable(),
  startedAtMs: z.number(),
  /** The copy is being fetched; its transfer is null until it is known to be enqueued. */
  fetch: z.object({ transferId: z.number().nullable() }).nullable(),
  /** What is believed to be at the service: what was opened, or the last save that is stored. null: the copy is not here yet. */
  base: z.object({ sha256: z.string(), lengthBytes: z.number() }).nullable(),
  savedAtMs: atMsSchema.nullable(),
  storedAtMs: atMsSchema.nullable(),
  /** The newest save that is not handed over. */
  kept: saveSchema.nullable(),
  /** The save that is handed over; its transfer as in `fetch`. */
  sending: saveSchema.extend({ transferId: z.number().nullable() }).nullable(),
  /** Why `kept` is not sent before a person says what becomes of it. */
  conflict: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('changed'), lengthBytes: z.number().nullable(), seenAtMs: atMsSchema }),
      z.object({ kind: z.literal('deleted') }),
      z.object({ kind: z.literal('failed'), error: appErrorSchema }),
    ])
    .nullable(),
  /** Grows with each save, so that no two have the same file. */
  lastNumber: z.number(),
  isFinishing: z.boolean(),
  /** Everything of it goes; written before anything does. */
  isEnding: z.boolean(),
});
export type EditRecord = z.infer<typeof editRecordSchema>;

/** Edits in memory and in the database. What changed is on the disk when a call resolves. */
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
  // Its files stay. A service takes its edits with it when a person removes it, so one that is missing was not removed.
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
