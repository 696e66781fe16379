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
 * How it is with an edit. opening: its copy is being fetched; saved: a save waits to be sent; changed, deleted: the object at the service
 * is not what was opened, and a person decides; asking: the upload of a save asks; failed: the copy or a save did not get through.
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
  /** Of the row that it was opened from, or that its last save is stored under; null: it is not in the list. */
  objectId: objectIdSchema.nullable(),
  identifier: z.string(),
  state: editStateSchema,
  startedAtMs: atMsSchema,
  /** When the copy was last saved with other bytes, and when a save was last stored. */
  savedAtMs: atMsSchema.nullable(),
  storedAtMs: atMsSchema.nullable(),
  /** The save that is not stored yet. */
  mine: z.object({ savedAtMs: atMsSchema, lengthBytes: z.number() }).nullable(),
  /** changed: what the service had when that was found. */
  theirs: z.object({ lengthBytes: z.number().nullable(), seenAtMs: atMsSchema }).nullable(),
  /** Of the copy that is fetched or the save that is sent. */
  transferId: transferIdSchema.nullable(),
  /** Why what is to be fetched or sent does not move. */
  waitingFor: waitingForSchema.nullable(),
  error: appErrorSchema.nullable(),
  /** It ends when everything is stored. */
  isFinishing: z.boolean(),
  saveAs: saveAsSchema,
});
export type Edit = z.infer<typeof editSchema>;

/** Edits that need a decision of the user. */
export function needsAnswer({ state }: Pick<Edit, 'state'>): boolean {
  return state === 'changed' || state === 'deleted' || state === 'asking' || state === 'failed';
}

/**
 * keepMine: the save becomes a new version, whatever is there; takeTheirs: the save goes, and what is there is opened;
 * storeAgain: what was deleted is stored anew; tryAgain; discard: the save and the copy go; deleteBeside: the files that kept it from
 * finishing (editNotFinished) go, and it is finished.
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

/** What lies over the row of an object that is being edited. */
export const rowEditSchema = editSchema.pick({ id: true, state: true, savedAtMs: true });
export type RowEdit = z.infer<typeof rowEditSchema>;
