import { z } from 'zod';

export const columnSchema = z.enum(['classification', 'size', 'stored', 'checked', 'state']);
export type Column = z.infer<typeof columnSchema>;

export const settingsSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  density: z.enum(['regular', 'compact']).default('regular'),
  /** Files moving at a time, each direction together. */
  transfersAtOnce: z.number().int().min(1).max(4).default(4),
  notifyWhenDone: z.boolean().default(true),
  /** The catalogue's layout. */
  hiddenColumns: z.array(columnSchema).max(5).default([]),
  /** Pixels. */
  columnWidths: z.partialRecord(columnSchema, z.number().int().min(40).max(400)).default({}),
  dockOpen: z.boolean().default(true),
});
export type Settings = z.infer<typeof settingsSchema>;
export const settingsDefault: Settings = settingsSchema.parse({});
