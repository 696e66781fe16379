import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { serviceIdSchema } from './service.ts';
import { transferIdSchema, transferSchema } from './transfer.ts';

/** What a batch does; the last two change the classification or identifier of objects. */
export const batchActionSchema = z.enum(['upload', 'download', 'reclassify', 'move']);
export type BatchAction = z.infer<typeof batchActionSchema>;

/** Minimum number of transfers for one entry in the dock. Fewer are easily seen one by one. */
export const batchFrom = 10;

/** Maximum number of batches that are open in the dock at a time. */
export const openedMax = 100;

/** Transfers that one action started, as one entry. Those that need an answer or have failed are also in their own group. */
export const batchSchema = z.object({
  id: transferIdSchema,
  serviceId: serviceIdSchema,
  action: batchActionSchema,
  /** The innermost folder of all identifiers; '': there is none. */
  folder: z.string(),
  /** `moving`: at least one is running. `done`: none will continue by itself. */
  state: z.enum(['moving', 'waiting', 'done']),
  /** By state; `paused` are part of `open`. */
  open: z.number(),
  paused: z.number(),
  asking: z.number(),
  failed: z.number(),
  done: z.number(),
  cancelled: z.number(),
  /** The first in the queue, and why it waits; null: none is open. */
  next: transferSchema
    .pick({ id: true, priority: true, waitingFor: true, retryAtMs: true, error: true })
    .nullable(),
  /** What blocks its whole service, and when that is retried. Omitted: nothing. */
  heldUp: z.object({ error: appErrorSchema, retryAtMs: z.number().nullable() }).optional(),
  /** Of done transfers. */
  settledBytes: z.number(),
  /** Of open and done transfers. */
  doneBytes: z.number(),
  totalBytes: z.number(),
  bytesPerSecond: z.number().nullable(),
  /** When the last one ended. */
  finishedAtMs: z.number().nullable(),
});
export type Batch = z.infer<typeof batchSchema>;
