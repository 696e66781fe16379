import { z } from 'zod';
import { atMsSchema } from './at-ms.ts';
import { appErrorSchema } from '../errors.ts';
import { objectIdSchema } from './object.ts';
import { serviceIdSchema } from './service.ts';
import { transferIdSchema, waitingForSchema } from './transfer.ts';

export const editIdSchema = z.uuid();

/** How each save of an edited object is stored. */
export const saveAsSchema = z.enum(['newVersion', 'replace']);
export type SaveAs = z.infer<typeof saveAsSchema>;

/** Editing settings of a service. */
export const editChoicesSchema = z.object({
  saveAs: saveAsSchema,
  /** Classifications whose objects are not opened for editing; null: the service's default. */
  forbidden: z.array(z.string().nullable()),
});
export type EditChoices = z.infer<typeof editChoicesSchema>;

/**
 * opening: its copy is being downloaded; saved: a save waits for upload; changed, deleted: the object at the service is not the one
 * that was opened, and the person decides; asking: the upload of a save has a conflict; failed: the download or the upload failed.
 */
export const editStateSchema = z.enum([
  'opening',
  'editing',
  'saved',
  'uploading',
  'changed',
  'deleted',
  'asking',
  'failed',
]);
export type EditState = z.infer<typeof editStateSchema>;

export const editSchema = z.object({
  id: editIdSchema,
  serviceId: serviceIdSchema,
  /** The row that it was opened from, or that its last save is stored under; null: not on the list. */
  objectId: objectIdSchema.nullable(),
  identifier: z.string(),
  state: editStateSchema,
  startedAtMs: atMsSchema,
  /** When the copy was last saved with other bytes, and when a save was last stored. */
  savedAtMs: atMsSchema.nullable(),
  storedAtMs: atMsSchema.nullable(),
  /** The save that is not stored yet. */
  mine: z.object({ savedAtMs: atMsSchema, lengthBytes: z.number() }).nullable(),
  /** For `changed`: what the service had when the change was found. */
  theirs: z.object({ lengthBytes: z.number().nullable(), seenAtMs: atMsSchema }).nullable(),
  /** Of the copy's download or the save's upload. */
  transferId: transferIdSchema.nullable(),
  /** Why that transfer waits. */
  waitingFor: waitingForSchema.nullable(),
  error: appErrorSchema.nullable(),
  /** It ends when everything is stored. */
  isFinishing: z.boolean(),
  saveAs: saveAsSchema,
});
export type Edit = z.infer<typeof editSchema>;

/** Edits that need a decision of the person. */
export function needsAnswer({ state }: Pick<Edit, 'state'>): boolean {
  return state === 'changed' || state === 'deleted' || state === 'asking' || state === 'failed';
}

/**
 * keepMine: stores the save as a new version, whatever is there; takeTheirs: drops the save and opens what is there;
 * storeAgain: stores a deleted object again; discard: drops the save and the copy; deleteBeside: deletes the files that prevent
 * finishing (editNotFinished), then finishes.
 */
export const editAnswerSchema = z.enum([
  'keepMine',
  'takeTheirs',
  'storeAgain',
  'tryAgain',
  'discard',
  'deleteBeside',
]);
export type EditAnswer = z.infer<typeof editAnswerSchema>;

/** What an edit overlays on its object's row. */
export const rowEditSchema = editSchema.pick({ id: true, state: true, savedAtMs: true });
export type RowEdit = z.infer<typeof rowEditSchema>;
