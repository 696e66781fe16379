import { z } from 'zod';
import {
  editAnswerSchema,
  editChoicesSchema,
  editIdSchema,
  editSchema,
  saveAsSchema,
} from '../domain/edit.ts';
import { objectIdSchema } from '../domain/object.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { classificationValue, nothing, revision, type Events, type Procedures } from './parts.ts';

/** Opening objects to read or edit them. */
export const editsProcedures = {
  /** Downloads a read-only private copy and opens it with the system's program; if it is not of a kind to be opened, shows it in its folder. */
  'edits.open': { input: z.strictObject({ objectId: objectIdSchema }), output: nothing },
  /**
   * Downloads a private copy, opens it, and uploads each save. If the object is already being edited, opens its copy again
   * (`isNew` false). Rejects kinds that are not opened (fileNotOpened), and objects whose classification forbids it (editForbidden).
   * @param isHeld the caller shows the copy in an editor, of whatever kind it is, and nothing is uploaded before `edits.finish`; as `edits.copyOf`
   */
  'edits.begin': {
    input: z.strictObject({ objectId: objectIdSchema, isHeld: z.literal(true).exactOptional() }),
    output: z.object({ id: editIdSchema, isNew: z.boolean() }),
  },
  /** The path of the copy. Only for a command's own engine; the app rejects with senderRefused. */
  'edits.copyOf': { input: z.strictObject({ id: editIdSchema }), output: z.object({ path: z.string() }) },
  /**
   * Ends an edit whose last save is not stored, and leaves the copy, or the save if there is no copy, where it is. As `edits.copyOf`.
   * Returns the copy's folder; null: the copy had no other bytes than the stored object, and was removed.
   */
  'edits.leave': {
    input: z.strictObject({ id: editIdSchema }),
    output: z.object({ folder: z.string().nullable(), fileName: z.string(), isChanged: z.boolean() }),
  },
  /** Of all services; those that need attention first, then newest first. */
  'edits.list': { input: nothing, output: z.object({ revision, edits: z.array(editSchema) }) },
  /** Opens its copy again, as `edits.open` does. */
  'edits.show': { input: z.strictObject({ id: editIdSchema }), output: nothing },
  /** Ends once the last save is stored, and removes the copy, unless it is in use or other files are beside it (editNotFinished). */
  'edits.finish': { input: z.strictObject({ id: editIdSchema }), output: nothing },
  'edits.answer': {
    input: z.strictObject({ id: editIdSchema, answer: editAnswerSchema }),
    output: nothing,
  },
  /** Opens the save and the service's version, each as a read-only copy. */
  'edits.compare': { input: z.strictObject({ id: editIdSchema }), output: nothing },
  'edits.choices': { input: z.strictObject({ serviceId: serviceIdSchema }), output: editChoicesSchema },
  'edits.setSaveAs': {
    input: z.strictObject({ serviceId: serviceIdSchema, saveAs: saveAsSchema }),
    output: nothing,
  },
  'edits.forbid': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      classification: classificationValue.nullable(),
      isForbidden: z.boolean(),
    }),
    output: nothing,
  },
} as const satisfies Procedures;

export const editsEvents = {
  'edits.changed': z.object({ revision }),
} as const satisfies Events;
