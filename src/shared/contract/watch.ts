import { z } from 'zod';
import { serviceIdSchema } from '../domain/service.ts';
import { watchChoicesSchema, watchedFolderSchema, watchIdSchema } from '../domain/watch.ts';
import { call, grantSchema, revision, type Events, type Procedures } from './parts.ts';

const ignore = watchChoicesSchema.shape.ignore;

/** Watched folders: new and changed files in them are uploaded. */
export const watchProcedures = {
  /** Of one service, in order of creation. */
  'watch.list': call.command(
    { serviceId: serviceIdSchema },
    { revision, folders: z.array(watchedFolderSchema) },
  ),
  /**
   * Counts the files in a folder that is not watched yet, up to a limit. Rejects with folderNotWatched for a folder that cannot be
   * watched, and with invalidInput (ignore, badPattern).
   */
  'watch.inspect': call(
    { serviceId: serviceIdSchema, grant: grantSchema, ignore },
    { name: z.string(), label: z.string(), files: z.number(), isMore: z.boolean() },
  ),
  /**
   * `withExisting`: also uploads the files that are already there; without it, all of them must be readable. Rejects as
   * `watch.inspect`, and with invalidInput (template), folderGone, fileGone, fileUnreadable.
   */
  'watch.add': call(
    {
      serviceId: serviceIdSchema,
      grant: grantSchema,
      choices: watchChoicesSchema,
      withExisting: z.boolean(),
    },
    { id: watchIdSchema },
  ),
  /** Rejects with notFound (watch), and as `watch.add`. Files that were sent are not sent again. */
  'watch.change': call({ id: watchIdSchema, choices: watchChoicesSchema }),
  /** Sets a new path for the same folder with the same files. Rejects with notFound (watch), folderNotWatched. */
  'watch.locate': call({ id: watchIdSchema, grant: grantSchema }),
  /** Switching on a folder whose state is `moved` or `another` confirms the new address or folder. */
  'watch.setOn': call({ id: watchIdSchema, isOn: z.boolean() }),
  /** Ends watching, and forgets what was sent. Files and objects stay. */
  'watch.remove': call({ id: watchIdSchema }),
  'watch.show': call({ id: watchIdSchema }),
} as const satisfies Procedures;

export const watchEvents = {
  'watch.changed': z.object({ revision }),
} as const satisfies Events;
