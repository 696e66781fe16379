import { z } from 'zod';
import { languages, pseudoLanguages } from '../i18n/language.ts';

export const columnSchema = z.enum(['classification', 'size', 'stored', 'checked', 'state']);
export type Column = z.infer<typeof columnSchema>;

/** Bytes per second. */
const bandwidthSchema = z.number().int().min(1024).max(10_000_000_000);

/** What may flow in an hour: all, what the limits below say, or nothing. */
export const hourSchema = z.enum(['full', 'limited', 'paused']);
export type Hour = z.infer<typeof hourSchema>;
/** Monday 00:00 to 01:00 first, local time. */
export const hoursOfWeek = 168;

/** No defaults inside: a partial update must not bring them along. */
export const settingsSchema = z.strictObject({
  language: z.enum(['system', ...languages, ...pseudoLanguages]),
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['regular', 'compact']),
  /** Files moving at a time, each direction together. */
  transfersAtOnce: z.number().int().min(1).max(16),
  /** To one service; null: no limit. */
  requestsPerSecond: z.number().int().min(1).max(1000).nullable(),
  /** Over all services; null: no limit. */
  uploadBytesPerSecond: bandwidthSchema.nullable(),
  downloadBytesPerSecond: bandwidthSchema.nullable(),
  /** The limits above hold as the hours of the week say; off: always. */
  limitByHour: z.boolean(),
  hours: z.array(hourSchema).length(hoursOfWeek),
  /** Downloads keep the folders below the place that they were asked from. */
  keepFolders: z.boolean(),
  /** Uploads of what is stored already, byte for byte, are skipped without a question. */
  skipIdentical: z.boolean(),
  /** So many numbers after a free one are asked about, because a service cannot list its versions; 0: none. */
  versionReach: z.number().int().min(0).max(100),
  /** What was replaced is kept here so long, to undo it with, and no more than so many bytes of it in all. */
  keepReplacedDays: z.number().int().min(1).max(365),
  keepReplacedBytes: z.number().int().min(100_000_000).max(1_000_000_000_000),
  notifyWhenDone: z.boolean(),
  /** Requests for checks and starts of deferred jobs, a service. */
  jobRequestsPerSecond: z.number().int().min(1).max(20),
  /** Closing the window with open jobs hides it, where the shell can. */
  keepRunning: z.boolean(),
  /** Each version of an object is a row of the list; off: the newest stands for all. */
  showAllVersions: z.boolean(),
  /** The catalogue's layout. */
  hiddenColumns: z.array(columnSchema).max(5),
  /** Pixels. */
  columnWidths: z.partialRecord(columnSchema, z.number().int().min(40).max(400)),
  dockOpen: z.boolean(),
  /** Ask once a week for a newer version, where there is an address to ask. */
  tellOfUpdates: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;
export const settingsDefault: Settings = {
  language: 'system',
  theme: 'system',
  density: 'regular',
  transfersAtOnce: 4,
  requestsPerSecond: null,
  uploadBytesPerSecond: null,
  downloadBytesPerSecond: null,
  limitByHour: false,
  hours: Array.from({ length: hoursOfWeek }, () => 'full' as const),
  keepFolders: true,
  skipIdentical: true,
  versionReach: 10,
  keepReplacedDays: 30,
  keepReplacedBytes: 5_000_000_000,
  notifyWhenDone: true,
  jobRequestsPerSecond: 4,
  keepRunning: true,
  showAllVersions: false,
  hiddenColumns: [],
  columnWidths: {},
  dockOpen: true,
  tellOfUpdates: false,
};
