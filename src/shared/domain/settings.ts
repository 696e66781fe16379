import { z } from 'zod';

export const columnSchema = z.enum(['classification', 'size', 'stored', 'checked', 'state']);
export type Column = z.infer<typeof columnSchema>;

/** No defaults inside: a partial update must not bring them along. */
export const settingsSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['regular', 'compact']),
  /** Files moving at a time, each direction together. */
  transfersAtOnce: z.number().int().min(1).max(4),
  notifyWhenDone: z.boolean(),
  /** Requests for checks and starts of deferred jobs, a profile. */
  jobRequestsPerSecond: z.number().int().min(1).max(20),
  /** Closing the window with open jobs hides it, where the shell can. */
  keepRunning: z.boolean(),
  /** The catalogue's layout. */
  hiddenColumns: z.array(columnSchema).max(5),
  /** Pixels. */
  columnWidths: z.partialRecord(columnSchema, z.number().int().min(40).max(400)),
  dockOpen: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;
export const settingsDefault: Settings = {
  theme: 'system',
  density: 'regular',
  transfersAtOnce: 4,
  notifyWhenDone: true,
  jobRequestsPerSecond: 4,
  keepRunning: true,
  hiddenColumns: [],
  columnWidths: {},
  dockOpen: true,
};
