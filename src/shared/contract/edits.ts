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

/** Objects that are opened: to be looked at, or to be edited in place. */
export const editsProcedures = {
  /** Fetches a private copy that nobody can write, and opens it with the system's program. Programs are refused. */
  'edits.open': { input: z.strictObject({ objectId: objectIdSchema }), output: nothing },
  /**
   * Fetches a private copy, opens it, and stores each save of it. Of an object that is edited already the copy is opened again
   * (`isNew` false). Refuses programs and what its classification forbids (editForbidden).
   */
  'edits.begin': {
    input: z.strictObject({ objectId: objectIdSchema }),
    output: z.object({ id: editIdSchema, isNew: z.boolean() }),
  },
  /** Of all services; those that need a person first, then the newest. */
  'edits.list': { input: nothing, output: z.object({ revision, edits: z.array(editSchema) }) },
  /** Opens its copy once more. */
  'edits.show': { input: z.strictObject({ id: editIdSchema }), output: nothing },
  /** Ends when the last save is stored; then the copy goes, unless other files lie beside it or it is in use (editNotFinished). */
  'edits.finish': { input: z.strictObject({ id: editIdSchema }), output: nothing },
  'edits.answer': {
    input: z.strictObject({ id: editIdSchema, answer: editAnswerSchema }),
    output: nothing,
  },
  /** Opens the save and what the service has, each as a copy that nobody can write. */
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
