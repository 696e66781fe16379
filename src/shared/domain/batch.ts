import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { serviceIdSchema } from './service.ts';
import { transferIdSchema, transferSchema } from './transfer.ts';

/** What one action of a person does with all transfers of a batch; the last two give objects another classification, or identifier. */
export const batchActionSchema = z.enum(['upload', 'download', 'reclassify', 'move']);
export type BatchAction = z.infer<typeof batchActionSchema>;

/** From this number on, transfers of one action are one entry of the dock. Fewer are seen at a glance. */
export const batchFrom = 10;

/** Maximum number of batches that are open in the dock at a time. */
export const openedMax = 100;

/** Transfers that one action started, as one entry. What needs an answer or has failed stands in its own group, too. */
export const batchSchema = z.object({
  id: transferIdSchema,
  serviceId: serviceIdSchema,
  action: batchActionSchema,
  /** The innermost folder of all identifiers; '': there is none. */
  folder: z.string(),
  /** `moving`: one of them is in work. `done`: none will go on by itself. */
  state: z.enum(['moving', 'waiting', 'done']),
  /** By state; `paused` are part of `open`. */
  open: z.number(),
  paused: z.number(),
  asking: z.number(),
  failed: z.number(),
  done: z.number(),
  cancelled: z.number(),
  /** The one that is first in the queue, and why it waits; null: none is open. */
  next: transferSchema
    .pick({ id: true, priority: true, waitingFor: true, retryAtMs: true, error: true })
    .nullable(),
  /** What holds up all of its service, and when that is tried again. Omitted: nothing does. */
  heldUp: z.object({ error: appErrorSchema, retryAtMs: z.number().nullable() }).optional(),
  /** Of those that are done. */
  settledBytes: z.number(),
  /** Of those that are open or done. */
  doneBytes: z.number(),
  totalBytes: z.number(),
  bytesPerSecond: z.number().nullable(),
  /** When the last one ended. */
  finishedAtMs: z.number().nullable(),
});
export type Batch = z.infer<typeof batchSchema>;
