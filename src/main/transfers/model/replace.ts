import { z } from 'zod';
import { appErrorSchema } from '../../../shared/errors.ts';
import { bytesSchema, seenSchema } from './state.ts';

/** Bytes kept in an undo copy; `file` null: kept only on the service. */
const undoCopySchema = bytesSchema.extend({ file: z.string().nullable() });

/**
 * The phases of a Replace; each is on the disk before it is acted on. `keepNew`, `keepOld`: copy the new and the old
 * bytes into local files. `keepList`: also store an old manifest beside the object, so that it keeps naming its
 * parts. `stage`: store the new bytes beside the object. `delete`: compare the old bytes once more and delete them.
 * `absent`: wait until they are gone. `store`. `verify`, and `again` a minute later. `unstage`: delete what was
 * stored beside the object. `abandon`: give up, remove all copies made so far, and end as `end` says. `answered`: the
 * user has decided what to do.
 */
export const replaceSchema = z.object({
  phase: z.enum([
    'begin',
    'keepNew',
    'keepOld',
    'keepList',
    'stage',
    'delete',
    'absent',
    'store',
    'verify',
    'again',
    'unstage',
    'abandon',
    'answered',
  ]),
  /** Where the old bytes are kept: in a local undo copy, or beside the object on the service. */
  keeps: z.enum(['here', 'service']),
  mine: undoCopySchema.nullable(),
  old: undoCopySchema.extend({ classification: z.string().nullable() }).nullable(),
  /** Identifiers beside the object that may hold the new and the old bytes. */
  staged: z.string().nullable(),
  beside: z.string().nullable(),
  /** The object may have been changed: the Replace can no longer be cancelled. */
  isOut: z.boolean(),
  deletions: z.number(),
  /** What the service answered to the last DELETE, if it was no success: not sent again until the person retries. */
  refusal: appErrorSchema.optional(),
  stores: z.number(),
  /** Names beside the object that were refused (409) and hold something else. */
  refusedNames: z.number().optional(),
  /** How `abandon` ends. `goOn`: as an ordinary upload, as the person decided. */
  end: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('cancelled') }),
      z.object({ kind: z.literal('failed'), error: appErrorSchema }),
      z.object({ kind: z.literal('asking'), there: bytesSchema.nullable(), seen: seenSchema }),
      z.object({ kind: z.literal('same'), seen: seenSchema }),
      z.object({ kind: z.literal('goOn') }),
    ])
    .nullable(),
});
export type Replace = z.infer<typeof replaceSchema>;

/** A Replace that has not done anything yet. */
export function newReplace(keeps: Replace['keeps']): Replace {
  return {
    phase: 'begin',
    keeps,
    mine: null,
    old: null,
    staged: null,
    beside: null,
    isOut: false,
    deletions: 0,
    stores: 0,
    end: null,
  };
}
