import { z } from 'zod';
import {
  editAnswerSchema,
  editChoicesSchema,
  editIdSchema,
  editSchema,
  saveAsSchema,
} from '../domain/edit.ts';
import { objectIdSchema, selectionSchema } from '../domain/object.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { takenOutMax } from '../domain/take-out.ts';
import { call, classificationValue, nothing, revision, type Events, type Procedures } from './parts.ts';

/** Opening objects to read or edit them, and taking them out: what is done with private copies. */
export const editsProcedures = {
  /** Downloads a read-only private copy and opens it with the system's program; if it is not of a kind to be opened, shows it in its folder. */
  'edits.open': call.command({ objectId: objectIdSchema }),
  /**
   * Downloads a private copy, opens it, and uploads each save. If the object is already being edited, opens its copy again
   * (`isNew` false). Rejects kinds that are not opened (fileNotOpened), and objects whose classification forbids it (editForbidden).
   * @param isHeld the caller shows the copy in an editor, of whatever kind it is, and nothing is uploaded before `edits.finish`; as `edits.copyOf`
   */
  'edits.begin': call.command(
    { objectId: objectIdSchema, isHeld: z.literal(true).exactOptional() },
    { id: editIdSchema, isNew: z.boolean() },
  ),
  /** The path of the copy. Only for a command's own engine; the app rejects with senderRefused. */
  'edits.copyOf': call({ id: editIdSchema }, { path: z.string() }),
  /**
   * Ends an edit whose last save is not stored, and leaves the copy, or the save if there is no copy, where it is. As `edits.copyOf`.
   * Returns the copy's folder; null: the copy had no other bytes than the stored object, and was removed.
   */
  'edits.leave': call(
    { id: editIdSchema },
    { folder: z.string().nullable(), fileName: z.string(), isChanged: z.boolean() },
  ),
  /** Of all services; those that need attention first, then newest first. */
  'edits.list': call.command(nothing, { revision, edits: z.array(editSchema) }),
  /** Opens its copy again, as `edits.open` does. */
  'edits.show': call({ id: editIdSchema }),
  /** Ends once the last save is stored, and removes the copy, unless it is in use or other files are beside it (editNotFinished). */
  'edits.finish': call.command({ id: editIdSchema }),
  'edits.answer': call({ id: editIdSchema, answer: editAnswerSchema }),
  /** Opens the save and the service's version, each as a read-only copy. */
  'edits.compare': call({ id: editIdSchema }),
  'edits.choices': call({ serviceId: serviceIdSchema }, editChoicesSchema),
  'edits.setSaveAs': call({ serviceId: serviceIdSchema, saveAs: saveAsSchema }),
  'edits.forbid': call({
    serviceId: serviceIdSchema,
    classification: classificationValue.nullable(),
    isForbidden: z.boolean(),
  }),

  // Objects as files for other programs, by drag and drop or the clipboard. Never secrets.
  /**
   * Makes a private copy of each object, from a local file that still has its bytes or by downloading up to 2 MB in all.
   * Resolves when all are complete. count: the number of objects that the person sees.
   * @throws AppFailure notTakenOut, notFound if there are fewer, and those of a download
   */
  'takeOut.prepare': call({ selection: selectionSchema, count: z.int().min(1) }, { id: z.uuid() }),
  /**
   * Makes the prepared copies the files of the next drag, which `startDrag` of the bridge starts. That is a message of its own, because main
   * can't answer while the system drags, and the button may be released before a busy main has answered.
   */
  'takeOut.start': call({ id: z.uuid() }),
  /** Whether these are the files of the latest drag. */
  'takeOut.owns': call(
    { grants: z.array(z.string().max(64)).min(1).max(takenOutMax) },
    { isOwn: z.boolean() },
  ),
  /**
   * Copies files to the clipboard, downloading them where necessary. isCopied false: the download took so long
   * that the clipboard may hold something newer; the next call finds the files. @throws like `takeOut.prepare`
   */
  'takeOut.copy': call({ selection: selectionSchema }, { count: z.number(), isCopied: z.boolean() }),
} as const satisfies Procedures;

export const editsEvents = {
  'edits.changed': z.object({ revision }),
} as const satisfies Events;
