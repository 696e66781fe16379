import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { serviceIdSchema } from './service.ts';

export const notFoundMax = 100;

/** A bulk operation, which moves no file: paced, cancellable, with progress. */
export const taskSchema = z.object({
  id: z.number().int().positive(),
  kind: z.enum(['check', 'addKnown', 'delete']),
  serviceId: serviceIdSchema,
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  total: z.number(),
  done: z.number(),
  /**
   * present, missing: by HEAD; failed: HEAD failed. Of a deletion, missing: deleted; present: the service has accepted its
   * deletion and still has it after ten minutes, or perhaps when the task was cancelled.
   */
  present: z.number(),
  missing: z.number(),
  failed: z.number(),
  /** *Add known*: already on the list and not missing at the service. */
  listed: z.number().optional(),
  /** *Add known*: the first identifiers that are missing at the service. */
  notFound: z.array(z.string()).max(notFoundMax).optional(),
  /** The first failures, with the objects that a deletion has left (`stillThere`). Omitted by an older app. */
  failures: z
    .array(z.object({ identifier: z.string(), error: appErrorSchema }))
    .max(notFoundMax)
    .optional(),
  /** A deletion of which nothing is sent yet: cancelling undoes all of it. */
  isHeld: z.literal(true).exactOptional(),
  /** While slowed down: wall clock, ms, of the next try. */
  retryAtMs: z.number().nullable(),
  /** The first failure. */
  error: appErrorSchema.nullable(),
});
export type Task = z.infer<typeof taskSchema>;
