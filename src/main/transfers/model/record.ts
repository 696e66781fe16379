import { z } from 'zod';
import { appErrorSchema, type AppError } from '../../../shared/errors.ts';
import { objectKindSchema } from '../../../shared/domain/object.ts';
import { prioritySchema, type Tab, tabOf } from '../../../shared/domain/transfer.ts';
import { type Deferred, type StateName, stateSchema, traitsOf } from './state.ts';
import { workSchema } from './work.ts';

export const routeSchema = z.enum(['direct', 'deferred']);
export type Route = z.infer<typeof routeSchema>;
export const engineDirectionSchema = z.enum(['upload', 'download', 'delete']);
export type EngineDirection = z.infer<typeof engineDirectionSchema>;

/** The complete record of one upload, download or deletion. Plain data; it is changed only through the write batcher. */
export const recordSchema = z.object({
  /** Increases with each record. */
  id: z.number(),
  serviceId: z.string(),
  /** The service's origin at the time of the request; the record never runs against another. */
  origin: z.string(),
  kind: objectKindSchema,
  route: routeSchema,
  direction: engineDirectionSchema,
  identifier: z.string(),
  /** The row of the list; null: it was removed. */
  objectId: z.number().nullable(),
  totalBytes: z.number().nullable(),
  priority: prioritySchema,
  /** Within a priority the smallest starts first. */
  orderKey: z.number(),
  isPaused: z.boolean(),
  work: workSchema,
  state: stateSchema,
  /** Consecutive failures of this record, and the last of them; it waits until `nextAtMs` (wall clock) for its retry. */
  tries: z.number(),
  trouble: appErrorSchema.nullable(),
  nextAtMs: z.number().nullable(),
  activityToken: z.string().nullable(),
  /**
   * Uploads: names the bytes stored. Drawn before anything is sent; a retry that may find these bytes stored keeps
   * it.
   */
  incarnation: z.uuid().optional(),
  createdAtMs: z.number(),
  finishedAtMs: z.number().nullable(),
  /** The batch it was started with; without: it was started alone. */
  batch: z.number().optional(),
});
export type TransferRecord = z.infer<typeof recordSchema>;

export function isFinished({ state }: Pick<TransferRecord, 'state'>): boolean {
  return isFinishedState(state.name);
}

export function isFinishedState(name: StateName): boolean {
  const { life } = traitsOf({ name });
  return life === 'failed' || life === 'over';
}

/** The list that shows it; `none`: its rows do, as with deletions and with secrets that are revealed, copied or saved. */
export function storedTabOf(record: Pick<TransferRecord, 'direction' | 'route' | 'work'>): Tab | 'none' {
  return record.direction === 'delete' || record.work.kind === 'readSecret' ? 'none' : tabOf(record);
}

/** Finished for good; a failed one does not count, as it may be retried. */
export function isOver({ state }: Pick<TransferRecord, 'state'>): boolean {
  return traitsOf(state).life === 'over';
}

/** Needs no recovery after a kill. */
export function isIdle({ state }: Pick<TransferRecord, 'state'>): boolean {
  return traitsOf(state).life !== 'working';
}

/** Why it failed or was lost; null: it did neither, or no reason is known. */
export function failureOf({ state }: Pick<TransferRecord, 'state'>): AppError | null {
  return state.name === 'failed' || state.name === 'lost' ? state.error : null;
}

/** The deferred request that is followed; null: none. */
export function deferredOf({ state }: Pick<TransferRecord, 'state'>): Deferred | null {
  return 'deferred' in state ? state.deferred : null;
}

/** Whether a watched folder requested it. */
export function isOfWatched({ work }: Pick<TransferRecord, 'work'>): boolean {
  return work.kind === 'upload' && work.isWatched === true;
}

/** Files up to this size use one buffer and the slot for small files, and share durable writes with others. */
export const smallBytes = 1024 * 1024;

export function isSmall({
  totalBytes,
  direction,
}: Pick<TransferRecord, 'totalBytes' | 'direction'>): boolean {
  return direction === 'delete' || (totalBytes !== null && totalBytes <= smallBytes);
}

export function sizeOf(record: Pick<TransferRecord, 'totalBytes' | 'direction'>): 'small' | 'large' {
  return isSmall(record) ? 'small' : 'large';
}
