import { z } from 'zod';
import { templateLengthMax } from './template.ts';
import { appErrorSchema } from '../errors.ts';
import { atMsSchema } from './at-ms.ts';
import { compileFilter, type Matches } from './pattern.ts';
import { ifExistsSchema, requestSchema, serviceIdSchema } from './service.ts';
import { fileProblemSchema } from './upload-plan.ts';

export const watchIdSchema = z.string().min(1).max(64);

/** Temporary files of programs, and files that systems leave in folders. */
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

/** How long a file must be unchanged, in seconds. The minimum is the clock resolution of FAT. */
export const settleSeconds = { min: 2, usual: 5, max: 3600 } as const;

/** What a person chooses for a watched folder. */
export const watchChoicesSchema = z.strictObject({
  /** The folder of identifiers, '' for the top. */
  into: z.string().max(4096),
  template: z.string().min(1).max(templateLengthMax),
  /** For new objects; null: the service's default. Replaced objects and new versions keep their own, if the list knows it. */
  classification: z.string().min(1).max(2000).nullable(),
  ifExists: ifExistsSchema,
  request: requestSchema,
  /** Patterns for `compileIgnore`. Matching folders are not read. */
  ignore: z.array(z.string().min(1).max(500)).max(ignoreMax),
  settleSeconds: z.number().int().min(settleSeconds.min).max(settleSeconds.max),
});
export type WatchChoices = z.infer<typeof watchChoicesSchema>;

/** Why a file or folder is not uploaded. Files with the same identifier are uploaded one after another. */
const skippedSchema = z.object({
  /** Path below the watched folder, separated by `/`. */
  path: z.string(),
  problem: z.discriminatedUnion('code', [
    ...fileProblemSchema.options,
    z.object({ code: z.literal('unreadableFolder') }),
  ]),
});
export type Skipped = z.infer<typeof skippedSchema>;
/** Maximum number of skipped files that are named. */
export const skippedMax = 50;

const watchStateSchema = z.enum([
  /** Not read yet since Coffer started. */
  'starting',
  'watching',
  /** The folder does not exist: its disk may not be connected. */
  'away',
  'unreadable',
  /** Another folder is in its place, perhaps on another drive: nothing is uploaded until the person switches it on. */
  'another',
  /** The service's address has changed since the folder was added. */
  'moved',
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
  /** Number of uploads it has started. */
  uploads: z.number(),
  lastUploadAtMs: atMsSchema.nullable(),
  /** Files that have changed and are not settled yet. */
  settling: z.number(),
  skippedCount: z.number(),
  /** Only the first. */
  skipped: z.array(skippedSchema),
  /** Why the last attempt to read it, or to upload from it, failed. It is retried. */
  error: appErrorSchema.nullable(),
});
export type WatchedFolder = z.infer<typeof watchedFolderSchema>;

/** Compiles an ignore pattern, ignoring case: some systems write `THUMBS.DB`. null: it cannot be compiled */
export function compileIgnore(pattern: string): Matches | null {
  return compileFilter(pattern, '/', true);
}

/**
 * Syntax of other programs, which would match nothing here: `/build`, `./build`, `!keep`, `build\`, `build\out`. A backslash escapes
 * punctuation, so never a letter; a name that begins with `!` is `\!keep`.
 */
const neverMatches = /^[/!]|^\.\.?\/|(?<!\\)(?:\\\\)*\\(?:[\p{L}\p{N}]|$)/u;

/** Ignore patterns that cannot be compiled, or match nothing. */
export function badPatterns(patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => neverMatches.test(pattern) || compileIgnore(pattern) === null);
}
