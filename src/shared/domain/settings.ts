import { z } from 'zod';
import { languages, pseudoLanguages } from '../i18n/language.ts';
import { ifExistsSchema, requestSchema } from './service.ts';

export const columnSchema = z.enum(['storedBy', 'classification', 'size', 'stored', 'checked', 'state']);
export type Column = z.infer<typeof columnSchema>;

/** Bytes per second. */
export const bandwidthSchema = z.number().int().min(1024).max(10_000_000_000);

/** Files moving at once, both directions together. */
export const transfersAtOnceSchema = z.number().int().min(1).max(64);

/** Pixels. */
export const columnWidthSchema = z.number().int().min(40).max(400);

/** Speed in an hour: unlimited, limited as configured, or none. */
export const hourSchema = z.enum(['full', 'limited', 'paused']);
export type Hour = z.infer<typeof hourSchema>;
/** Local time, from Monday 00:00 to 01:00. */
export const hoursOfWeek = 168;

/** No defaults: a partial update must not add them. */
export const settingsSchema = z.strictObject({
  language: z.enum(['system', ...languages, ...pseudoLanguages]),
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['regular', 'compact']),
  /** null: automatic. */
  transfersAtOnce: transfersAtOnceSchema.nullable(),
  /** Per service; null: no limit. */
  requestsPerSecond: z.number().int().min(1).max(1000).nullable(),
  /** For all services together; null: no limit. */
  uploadBytesPerSecond: bandwidthSchema.nullable(),
  downloadBytesPerSecond: bandwidthSchema.nullable(),
  /** Apply the limits above by the weekly schedule; off: always. */
  limitByHour: z.boolean(),
  hours: z.array(hourSchema).length(hoursOfWeek),
  /** Downloads keep the folders below the place they are started from. */
  keepFolders: z.boolean(),
  /** Preselected in an upload sheet. */
  uploadRequest: requestSchema,
  uploadIfExists: ifExistsSchema,
  /** The options of the upload sheet are unfolded. */
  uploadOptionsOpen: z.boolean(),
  /** Skip uploads that are already stored byte for byte. */
  skipIdentical: z.boolean(),
  /** How many version numbers after a free one to probe, because a service cannot list; 0: none. */
  versionReach: z.number().int().min(0).max(100),
  /** How long undo copies are kept, and their maximum total size. */
  keepReplacedDays: z.number().int().min(1).max(365),
  keepReplacedBytes: z.number().int().min(100_000_000).max(1_000_000_000_000),
  notifyWhenDone: z.boolean(),
  /** Closing the window hides it while there is something to do, if the shell can. */
  keepRunning: z.boolean(),
  /** Show an icon in the notification area while the window is there, too; it is always there while the window is hidden. */
  trayIcon: z.boolean(),
  /** The computer does not go to sleep by itself while work goes on. */
  keepAwake: z.boolean(),
  /** The user was told that Coffer continues without its window. */
  backgroundTold: z.boolean(),
  /** Show each version as a row; off: only the newest. */
  showAllVersions: z.boolean(),
  /** Objects as rows, or as tiles with thumbnails. */
  objectView: z.enum(['list', 'grid']),
  /** Layout of the object list. */
  hiddenColumns: z.array(columnSchema).max(columnSchema.options.length),
  columnWidths: z.partialRecord(columnSchema, columnWidthSchema),
  dockOpen: z.boolean(),
  /** The dock's tab follows neither the selection nor new transfers. */
  dockPinned: z.boolean(),
  /** Check weekly for a newer version, if there is an address for it. */
  tellOfUpdates: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;
export const settingsDefault: Settings = {
  language: 'system',
  theme: 'system',
  density: 'regular',
  transfersAtOnce: null,
  requestsPerSecond: null,
  uploadBytesPerSecond: null,
  downloadBytesPerSecond: null,
  limitByHour: false,
  hours: Array.from({ length: hoursOfWeek }, () => 'full' as const),
  keepFolders: true,
  uploadRequest: 'direct',
  uploadIfExists: 'ask',
  uploadOptionsOpen: false,
  skipIdentical: true,
  versionReach: 10,
  keepReplacedDays: 30,
  keepReplacedBytes: 5_000_000_000,
  notifyWhenDone: true,
  keepRunning: true,
  trayIcon: false,
  keepAwake: true,
  backgroundTold: false,
  showAllVersions: false,
  objectView: 'list',
  hiddenColumns: ['checked'],
  columnWidths: {},
  dockOpen: true,
  dockPinned: false,
  tellOfUpdates: false,
};
