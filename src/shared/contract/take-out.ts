import { z } from 'zod';
import { selectionSchema } from '../domain/object.ts';
import { takenOutMax } from '../domain/take-out.ts';
import { nothing, type Procedures } from './parts.ts';

/** Objects as files for other programs, by drag and drop or the clipboard. Never secrets. */
export const takeOutProcedures = {
  /**
   * Makes a private copy of each object, from a local file that still has its bytes or by downloading up to 2 MB in all.
   * Resolves when all are complete. count: the number of objects that the person sees.
   * @throws AppFailure notTakenOut, notFound if there are fewer, and those of a download
   */
  'takeOut.prepare': {
    input: z.strictObject({ selection: selectionSchema, count: z.int().min(1) }),
    output: z.object({ id: z.uuid() }),
  },
  /**
   * Makes the prepared copies the files of the next drag, which `startDrag` of the bridge starts. That is a message of its own, because main
   * can't answer while the system drags, and the button may be released before a busy main has answered.
   */
  'takeOut.start': { input: z.strictObject({ id: z.uuid() }), output: nothing },
  /** Whether these are the files of the latest drag. */
  'takeOut.owns': {
    input: z.strictObject({ grants: z.array(z.string().max(64)).min(1).max(takenOutMax) }),
    output: z.object({ isOwn: z.boolean() }),
  },
  /**
   * Copies files to the clipboard, downloading them where necessary. isCopied false: the download took so long
   * that the clipboard may hold something newer; the next call finds the files. @throws like `takeOut.prepare`
   */
  'takeOut.copy': {
    input: z.strictObject({ selection: selectionSchema }),
    output: z.object({ count: z.number(), isCopied: z.boolean() }),
  },
} as const satisfies Procedures;
