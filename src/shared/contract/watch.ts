import { z } from 'zod';
import { serviceIdSchema } from '../domain/service.ts';
import { watchChoicesSchema, watchedFolderSchema, watchIdSchema } from '../domain/watch.ts';
import { grantSchema, nothing, revision, type Events, type Procedures } from './parts.ts';

const ignore = watchChoicesSchema.shape.ignore;

/** Watched folders: new and changed files in them are uploaded. */
export const watchProcedures = {
  /** Of one service, in order of creation. */
  'watch.list': {
    input: z.strictObject({ serviceId: serviceIdSchema }),
    output: z.object({ revision, folders: z.array(watchedFolderSchema) }),
  },
  /**
   * Counts the files in a folder that is not watched yet, up to a limit. Rejects with folderNotWatched for a folder that cannot be
   * watched, and with invalidInput (ignore, badPattern).
   */
  'watch.look': {
    input: z.strictObject({ serviceId: serviceIdSchema, grant: grantSchema, ignore }),
    output: z.object({ name: z.string(), label: z.string(), files: z.number(), isMore: z.boolean() }),
  },
  /**
   * `withExisting`: also uploads the files that are already there; without it, all of them must be readable. Rejects as
   * `watch.look`, and with invalidInput (template), folderGone, fileGone, fileUnreadable.
   */
  'watch.add': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      grant: grantSchema,
      choices: watchChoicesSchema,
      withExisting: z.boolean(),
    }),
    output: z.object({ id: watchIdSchema }),
  },
  /** Rejects with notFound (watch), and as `watch.add`. Files that were sent are not sent again. */
  'watch.change': {
    input: z.strictObject({ id: watchIdSchema, choices: watchChoicesSchema }),
    output: nothing,
  },
  /** Sets a new path for the same folder with the same files. Rejects with notFound (watch), folderNotWatched. */
  'watch.locate': { input: z.strictObject({ id: watchIdSchema, grant: grantSchema }), output: nothing },
  /** Switching on a folder whose state is `moved` or `another` confirms the new address or folder. */
  'watch.setOn': { input: z.strictObject({ id: watchIdSchema, isOn: z.boolean() }), output: nothing },
  /** Ends watching, and forgets what was sent. Files and objects stay. */
  'watch.remove': { input: z.strictObject({ id: watchIdSchema }), output: nothing },
  'watch.show': { input: z.strictObject({ id: watchIdSchema }), output: nothing },
} as const satisfies Procedures;

export const watchEvents = {
  'watch.changed': z.object({ revision }),
} as const satisfies Events;
