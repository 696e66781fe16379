import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { serviceIdSchema } from './service.ts';

export const notFoundMax = 100;

/** Work over many objects that moves no file: paced, cancellable, with progress. */
export const taskSchema = z.object({
  id: z.number().int().positive(),
  kind: z.enum(['check', 'addKnown', 'delete']),
  serviceId: serviceIdSchema,
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  total: z.number(),
  done: z.number(),
  /** present, missing: what HEAD said; failed: no answer for these. */
  present: z.number(),
  missing: z.number(),
  failed: z.number(),
  /** Of *Add known*: on the list before, so nothing was added for them. What the service does not have is not among them. */
  listed: z.number().optional(),
  /** Of *Add known*: the first identifiers that the service does not have. */
  notFound: z.array(z.string()).max(notFoundMax).optional(),
  /** The first that failed, and why. An older app does not say it. */
  failures: z
    .array(z.object({ identifier: z.string(), error: appErrorSchema }))
    .max(notFoundMax)
    .optional(),
  /** While slowed down: wall clock, ms, of the next try. */
  retryAtMs: z.number().nullable(),
  /** The first failure. */
  error: appErrorSchema.nullable(),
});
export type Task = z.infer<typeof taskSchema>;
