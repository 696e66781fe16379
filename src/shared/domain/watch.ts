import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { atMsSchema } from './at-ms.ts';
import { compileFilter, type Matches } from './pattern.ts';
import { ifExistsSchema, requestSchema, serviceIdSchema } from './service.ts';
import { fileProblemSchema } from './upload-plan.ts';

export const watchIdSchema = z.string().min(1).max(64);

/** What programs write while they work, and what systems leave in folders. */
export const ignoreDefault: readonly string[] = [
  '.*',
  '~$*',
  '*.tmp',
  '*.part',
  '*.partial',
  '*.crdownload',
  '*.download',
  'Thumbs.db',
  'desktop.ini',
];
const ignoreMax = 100;

/** How long a file must not have changed, in seconds. The least is a tick of the clock of FAT. */
export const settleSeconds = { min: 2, usual: 5, max: 3600 } as const;

/** What a person chooses for a watched folder. */
export const watchChoicesSchema = z.strictObject({
  /** The folder of identifiers, '' for the top. */
  into: z.string().max(4096),
  template: z.string().min(1).max(500),
  /** Of new objects; null: the default of the service. What is replaced, and new versions, keep that of the object if the list knows it. */
  classification: z.string().min(1).max(2000).nullable(),
  ifExists: ifExistsSchema,
  request: requestSchema,
  /** Patterns as of `compileIgnore`; a folder that one matches is not read. */
  ignore: z.array(z.string().min(1).max(500)).max(ignoreMax),
  settleSeconds: z.number().int().min(settleSeconds.min).max(settleSeconds.max),
});
export type WatchChoices = z.infer<typeof watchChoicesSchema>;

/** Why a file or folder is not uploaded. Files with one identifier go one after the other. */
const skippedSchema = z.object({
  /** Below the watched folder, with `/`. */
  path: z.string(),
  problem: z.discriminatedUnion('code', [
    ...fileProblemSchema.options,
    z.object({ code: z.literal('unreadableFolder') }),
  ]),
});
export type Skipped = z.infer<typeof skippedSchema>;
/** This many skipped files are named. */
export const skippedMax = 50;

const watchStateSchema = z.enum([
  /** Not read yet since Coffer started. */
  'starting',
  'watching',
  /** The folder is not there: its disk may not be connected. */
  'away',
  'unreadable',
  /** Another folder is in its place, perhaps of another drive: nothing is sent from it until the person switches it on. */
  'another',
  /** The service has another address than when the person asked for this. */
  'moved',
  /** Switched off by the person. */
  'off',
]);

export const watchedFolderSchema = z.object({
  id: watchIdSchema,
  serviceId: serviceIdSchema,
  name: z.string(),
  /** For display only: the home folder is shortened. Never accepted as input. */
  label: z.string(),
  choices: watchChoicesSchema,
  state: watchStateSchema,
  /** Uploads that it has begun. */
  uploads: z.number(),
  lastUploadAtMs: atMsSchema.nullable(),
  /** Files that have changed and are not settled yet. */
  settling: z.number(),
  skippedCount: z.number(),
  /** Only the first. */
  skipped: z.array(skippedSchema),
  /** Why the last attempt to read it, or to upload from it, failed. It is tried again. */
  error: appErrorSchema.nullable(),
});
export type WatchedFolder = z.infer<typeof watchedFolderSchema>;

/** Compiles what is left out of a folder, whatever its case: some systems write `THUMBS.DB`. null: it cannot be compiled */
export function compileIgnore(pattern: string): Matches | null {
  return compileFilter(pattern, '/', true);
}

/**
 * Written as for other programs, it would match nothing: `/build`, `./build`, `!keep`, `build\`, `build\out`. A backslash makes signs
 * literal, so it stands before no letter; a name that begins with `!` is `\!keep`.
 */
const neverMatches = /^[/!]|^\.\.?\/|(?<!\\)(?:\\\\)*\\(?:[\p{L}\p{N}]|$)/u;

/** Ignore patterns that cannot be compiled, or match nothing. */
export function badPatterns(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => neverMatches.test(pattern) || compileIgnore(pattern) === null);
}
