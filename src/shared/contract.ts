import { z } from 'zod';
import { appErrorSchema, type AppError } from './errors.ts';
import {
  collectionsSchema,
  folderSchema,
  frozenSelectionSchema,
  historyEntrySchema,
  objectIdSchema,
  objectKindSchema,
  objectQuerySchema,
  objectRecordSchema,
  pageLimitMax,
  querySelectionSchema,
  selectionIdsMax,
  selectionSchema,
} from './domain/object.ts';
import {
  ifExistsSchema,
  proxySignInSchema,
  requestSchema,
  profileDraftSchema,
  profileIdSchema,
  profileSchema,
} from './domain/profile.ts';
import { mostFilesPerCall } from './bridge.ts';
import { jobGroupSchema, jobIdSchema, jobSchema, jobSummarySchema } from './domain/job.ts';
import {
  clipboardStateSchema,
  generatorSchema,
  secretSourceSchema,
  secretValueSchema,
} from './domain/secret.ts';
import { settingsSchema } from './domain/settings.ts';
import { taskSchema } from './domain/task.ts';
import {
  causeKeySchema,
  pickedMax,
  prioritySchema,
  progressSchema,
  questionSchema,
  transferGroupSchema,
  transferIdSchema,
  transferSchema,
  transferSummarySchema,
} from './domain/transfer.ts';
import { draftEntryIdSchema, draftEntrySchema, draftIdSchema, draftSchema } from './domain/upload-draft.ts';

/**
 * Everything the window may ask of the main process, and everything it hears from it: one entry each, the single
 * source of types and of the checks at the door. Inputs are strict: an unknown key is refused.
 */
const nothing = z.undefined();
const offset = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const limit = z.number().int().min(1).max(pageLimitMax);
const revision = z.number();
const atMs = z.number();
const tokenSchema = z.string().min(1).max(16_384);
const grantSchema = z.string().max(64);
/** Of a client certificate's file; not given: the one that is kept, or none. */
const passphraseSchema = z.string().max(1024).optional();
const classificationValue = z.string().min(1).max(2000);

const pickedIdsSchema = z.array(transferIdSchema).min(1).max(pickedMax);
const whichSchema = z.union([z.literal('all'), pickedIdsSchema]);
const pausableSchema = z.union([whichSchema, z.strictObject({ profileId: profileIdSchema })]);

/** The overlay of a running transfer on its row. */
const rowTransferSchema = transferSchema.pick({
  id: true,
  direction: true,
  state: true,
  waitingFor: true,
  retryAtMs: true,
  doneBytes: true,
  totalBytes: true,
});
export const objectRowSchema = objectRecordSchema.extend({ transfer: rowTransferSchema.nullable() });
export type ObjectRow = z.infer<typeof objectRowSchema>;

export const selectionSummarySchema = z.object({
  count: z.number(),
  totalBytes: z.number(),
  unknownLengths: z.number(),
});
export type SelectionSummary = z.infer<typeof selectionSummarySchema>;

/** One step of a connection test; the first that fails ends it. */
const testStepSchema = z.object({
  step: z.enum(['address', 'proxy', 'reach', 'certificate', 'token', 'service']),
  result: z.enum(['passed', 'failed', 'notTried']),
  elapsedMs: z.number().nullable(),
  error: appErrorSchema.nullable(),
});
export const connectionReportSchema = z.object({
  host: z.string(),
  /** The proxy in between, by its origin; null: there is none. */
  proxy: z.string().nullable(),
  ok: z.boolean(),
  steps: z.array(testStepSchema),
});
export type ConnectionReport = z.infer<typeof connectionReportSchema>;

export const classificationsSchema = z.object({
  values: z.array(z.object({ value: z.string(), description: z.string().nullable() })),
  /** Newest first, `null` is the service default. */
  recent: z.array(z.string().nullable()),
  /** The default for the folder that was asked for, else for the profile; null: the service default. */
  preferred: z.string().nullable(),
  /** Loading failed; never blocks an upload. */
  error: appErrorSchema.nullable(),
});
export type Classifications = z.infer<typeof classificationsSchema>;

/** Why a line was left out of an import; `history`: entries of it alone were. */
export const importProblemSchema = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['tooLong', 'otherColumns', 'newer', 'notJson']) }),
  /** `lastLine`: of those that were left out with it; null: it alone. */
  z.object({ code: z.literal('openQuote'), firstLine: z.number(), lastLine: z.number().nullable() }),
  /** The name of the field; empty: the line is no object. */
  z.object({ code: z.literal('field'), field: z.string() }),
  z.object({ code: z.literal('history'), entries: z.number() }),
]);
export type ImportProblem = z.infer<typeof importProblemSchema>;

export const importReportSchema = z.object({
  fileName: z.string(),
  added: z.number(),
  merged: z.number(),
  unchanged: z.number(),
  skipped: z.number(),
  /** Lines that were skipped, and lines of which something was left out. */
  problemLines: z.number(),
  /** The first of these; line numbers start at 1. */
  problems: z.array(z.object({ line: z.number(), problem: importProblemSchema })),
});
export type ImportReport = z.infer<typeof importReportSchema>;

export const catalogueCopySchema = z.object({ id: z.string(), madeAtMs: atMs, objects: z.number() });
export const appInfoSchema = z.object({
  version: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  shell: z.enum(['electron', 'chromium']),
  /** The system's, most wanted first. */
  systemLanguages: z.array(z.string()),
  keychain: z.object({ usable: z.boolean(), error: appErrorSchema.nullable(), tokens: z.number() }),
  /** broken: the file was set aside under this name and nothing else works until `catalogue.recover`. */
  catalogue: z.discriminatedUnion('state', [
    z.object({ state: z.literal('ready') }),
    z.object({ state: z.literal('broken'), setAsideName: z.string(), copies: z.array(catalogueCopySchema) }),
  ]),
});
export type AppInfo = z.infer<typeof appInfoSchema>;

export const procedures = {
  'app.info': { input: nothing, output: appInfoSchema },
  /** `log`: shows the log file in its folder. */
  'app.open': { input: z.strictObject({ what: z.enum(['log', 'licences']) }), output: nothing },
  /** A part of the window could not be drawn: the kind of the error and where in the code, for the log. No message: it may hold what was shown. */
  'app.paneFailed': {
    input: z.strictObject({
      pane: z.string().max(20),
      error: z.string().max(100),
      frames: z.array(z.string().max(300)).max(10),
    }),
    output: nothing,
  },
  'catalogue.recover': { input: z.strictObject({ copyId: z.string().max(100).nullable() }), output: nothing },

  'settings.get': { input: nothing, output: settingsSchema },
  'settings.update': { input: settingsSchema.partial(), output: settingsSchema },

  /** `host`: who is asked for the newest version; null: this copy knows nobody, and the setting does nothing. */
  'updates.state': {
    input: nothing,
    output: z.object({
      host: z.string().nullable(),
      askedAtMs: atMs.nullable(),
      /** Only while the person wants to know. */
      newerVersion: z.string().nullable(),
    }),
  },
  'updates.openReleasePage': { input: nothing, output: nothing },

  'profiles.list': {
    input: nothing,
    output: z.object({ revision, profiles: z.array(profileSchema), activeId: profileIdSchema.nullable() }),
  },
  /** `profileId`: an existing profile, whose token is used when none is given. */
  'profiles.test': {
    input: z.strictObject({
      draft: profileDraftSchema,
      token: tokenSchema.nullable(),
      passphrase: passphraseSchema,
      profileId: profileIdSchema.nullable(),
    }),
    output: connectionReportSchema,
  },
  'profiles.add': {
    input: z.strictObject({ draft: profileDraftSchema, token: tokenSchema, passphrase: passphraseSchema }),
    output: profileSchema,
  },
  /** `unfinished`: what becomes of transfers that are not finished when the address changes; `ask` throws serviceBusy. */
  'profiles.update': {
    input: z.strictObject({
      id: profileIdSchema,
      draft: profileDraftSchema,
      passphrase: passphraseSchema,
      unfinished: z.enum(['ask', 'cancel']),
    }),
    output: profileSchema,
  },
  'profiles.setToken': {
    input: z.strictObject({ id: profileIdSchema, token: tokenSchema }),
    output: profileSchema,
  },
  'profiles.remove': {
    input: z.strictObject({ id: profileIdSchema, removeCatalogue: z.boolean() }),
    output: nothing,
  },
  'profiles.activate': { input: z.strictObject({ id: profileIdSchema }), output: nothing },
  /** Asks the service again whether it is there and takes the token. */
  'profiles.check': { input: z.strictObject({ id: profileIdSchema }), output: profileSchema },
  /** "Try it on this computer": starts the built-in service, makes its profile and activates it. */
  'profiles.tryLocal': { input: nothing, output: profileSchema },

  /** The proxies that Coffer has a name and a password for. */
  'proxies.list': {
    input: nothing,
    output: z.object({
      proxies: z.array(
        z.object({ origin: z.string(), user: z.string(), kept: z.enum(['keychain', 'session']) }),
      ),
    }),
  },
  /** Keeps them, and asks every service behind this proxy again. `isRefused`: the proxy did not take them there. */
  'proxies.signIn': { input: proxySignInSchema, output: z.object({ isRefused: z.boolean() }) },
  'proxies.forget': { input: proxySignInSchema.pick({ origin: true }), output: nothing },

  /** File dialogs. null: the person cancelled. Grants, never paths. */
  'files.chooseFiles': { input: nothing, output: z.object({ grants: z.array(grantSchema) }).nullable() },
  'files.chooseFolders': { input: nothing, output: z.object({ grants: z.array(grantSchema) }).nullable() },
  'files.chooseOne': {
    input: z.strictObject({ purpose: z.enum(['authority', 'clientCertificate', 'downloadFolder']) }),
    output: z.object({ grant: grantSchema, label: z.string() }).nullable(),
  },

  'classifications.list': {
    input: z.strictObject({ profileId: profileIdSchema, folder: z.string().max(8192), refresh: z.boolean() }),
    output: classificationsSchema,
  },
  'classifications.setPreferred': {
    input: z.strictObject({
      profileId: profileIdSchema,
      /** `''`: for the whole profile. */
      folder: z.string().max(8192),
      value: classificationValue.nullable(),
    }),
    output: nothing,
  },

  'objects.page': {
    input: z.strictObject({ query: objectQuerySchema, offset, limit }),
    output: z.object({
      revision,
      total: z.number(),
      totalBytes: z.number(),
      offset,
      rows: z.array(objectRowSchema),
    }),
  },
  /** The ids of the rows `from` to `to`, both included, for a selection with Shift. */
  'objects.idsInRange': {
    input: z.strictObject({ query: objectQuerySchema, from: offset, to: offset }),
    output: z.object({ ids: z.array(objectIdSchema).max(selectionIdsMax) }),
  },
  /** Where a row stands in a query, null when it is not in it. */
  'objects.indexOf': {
    input: z.strictObject({ query: objectQuerySchema, id: objectIdSchema }),
    output: z.object({ index: z.number().nullable() }),
  },
  /** Keeps what a filter finds now, for a question that is asked about it; the last few are kept. */
  'objects.freeze': {
    input: z.strictObject({ selection: querySelectionSchema }),
    output: z.object({ selection: frozenSelectionSchema }),
  },
  'objects.summarize': {
    input: z.strictObject({ selection: selectionSchema }),
    output: selectionSummarySchema,
  },
  'objects.get': {
    input: z.strictObject({ id: objectIdSchema }),
    output: z.object({ object: objectRowSchema, history: z.array(historyEntrySchema) }),
  },
  'objects.setNote': {
    input: z.strictObject({ id: objectIdSchema, note: z.string().max(10_000) }),
    output: nothing,
  },
  'objects.collections': { input: z.strictObject({ profileId: profileIdSchema }), output: collectionsSchema },
  'objects.folders': {
    input: z.strictObject({ profileId: profileIdSchema, parent: z.string().max(8192) }),
    output: z.object({ folders: z.array(folderSchema), more: z.number() }),
  },
  'objects.check': { input: z.strictObject({ selection: selectionSchema }), output: taskSchema },
  'objects.delete': { input: z.strictObject({ selection: selectionSchema }), output: taskSchema },
  /** Takes rows that are gone, missing or failed, and secrets that were only named, off the list; the service is not asked. */
  'objects.forget': {
    input: z.strictObject({ selection: selectionSchema }),
    output: z.object({ forgotten: z.number() }),
  },
  'objects.copyIdentifiers': {
    input: z.strictObject({ selection: selectionSchema }),
    output: z.object({ count: z.number() }),
  },
  /** `saveAs` asks for the place and takes one object only; null: the person cancelled. */
  'objects.download': {
    input: z.strictObject({ selection: selectionSchema, saveAs: z.boolean() }),
    output: z.object({ count: z.number() }).nullable(),
  },
  /** One job each; starts are paced. */
  'objects.downloadDeferred': {
    input: z.strictObject({ selection: selectionSchema }),
    output: z.object({ count: z.number() }),
  },
  /** The names of a selection's first rows, for confirmations. */
  'objects.names': {
    input: z.strictObject({ selection: selectionSchema, limit: z.number().int().min(1).max(20) }),
    output: z.object({
      rows: z.array(objectRecordSchema.pick({ id: true, identifier: true, lengthBytes: true })),
    }),
  },
  'objects.addKnown': {
    input: z.strictObject({
      profileId: profileIdSchema,
      kind: objectKindSchema,
      identifiers: z.array(z.string().max(8192)).min(1).max(100_000),
    }),
    output: taskSchema,
  },
  /** A URL relative to the page, good once and for a short time. Text and pictures up to 2 MB, never as a document. */
  'objects.preview': {
    input: z.strictObject({ id: objectIdSchema }),
    output: z.object({ kind: z.enum(['text', 'image']), url: z.string() }),
  },
  'objects.export': {
    input: z.strictObject({ profileId: profileIdSchema, format: z.enum(['jsonl', 'csv']) }),
    output: z.object({ fileName: z.string(), count: z.number() }).nullable(),
  },
  'objects.import': {
    input: z.strictObject({ profileId: profileIdSchema }),
    output: importReportSchema.nullable(),
  },

  'tasks.list': { input: nothing, output: z.object({ revision, tasks: z.array(taskSchema) }) },
  'tasks.cancel': { input: z.strictObject({ id: z.number().int().positive() }), output: nothing },

  /** The sheet of an upload lives in main: the window shows a page of it. */
  'drafts.open': {
    input: z.strictObject({
      profileId: profileIdSchema,
      intoFolder: z.string().max(8192),
      grants: z.array(grantSchema).min(1).max(mostFilesPerCall),
    }),
    output: draftSchema,
  },
  'drafts.addFiles': {
    input: z.strictObject({ id: draftIdSchema, grants: z.array(grantSchema).min(1).max(mostFilesPerCall) }),
    output: draftSchema,
  },
  /** Entries with something to say (a problem, or that the service may refuse it) stand first. */
  'drafts.page': {
    input: z.strictObject({ id: draftIdSchema, offset, limit }),
    output: z.object({ draft: draftSchema, total: z.number(), offset, entries: z.array(draftEntrySchema) }),
  },
  'drafts.setIdentifier': {
    input: z.strictObject({
      id: draftIdSchema,
      entryId: draftEntryIdSchema,
      /** null: back to what the template says. */
      identifier: z.string().max(8192).nullable(),
    }),
    output: draftSchema,
  },
  'drafts.setTemplate': {
    input: z.strictObject({
      id: draftIdSchema,
      template: z.string().min(1).max(500),
      resetEdited: z.boolean(),
    }),
    output: draftSchema,
  },
  /** `problems`: every entry that has one. */
  'drafts.removeEntries': {
    input: z.strictObject({
      id: draftIdSchema,
      entries: z.union([z.literal('problems'), z.array(draftEntryIdSchema).min(1).max(1000)]),
    }),
    output: draftSchema,
  },
  /** null: all of them but what is being uploaded. A page that starts knows none of the sheets that there are. */
  'drafts.discard': { input: z.strictObject({ id: draftIdSchema.nullable() }), output: nothing },
  /**
   * Starts everything that is ready, once everything is read and named; entries with a problem stay out. `left`: how many got
   * their problem after the call; with them the sheet stays open, else it is closed.
   */
  'drafts.upload': {
    input: z.strictObject({
      id: draftIdSchema,
      classification: classificationValue.nullable(),
      ifExists: ifExistsSchema,
      request: requestSchema,
    }),
    output: z.object({ count: z.number(), left: z.number() }),
  },

  /**
   * What several are held up by, or failed for, is one entry (`summary.causes` with a count of two and more) and not
   * among the rows. `cause`: instead, only what this one means.
   */
  'transfers.page': {
    input: z.strictObject({ offset, limit, cause: causeKeySchema.optional() }),
    output: z.object({
      summary: transferSummarySchema,
      /** Of the rows. */
      counts: z.record(transferGroupSchema, z.number()),
      total: z.number(),
      offset,
      rows: z.array(transferSchema),
    }),
  },
  /** What decides what can be done with these now, in the order in which they go; what is no longer there is left out. */
  'transfers.picked': {
    input: z.strictObject({ ids: pickedIdsSchema }),
    output: z.object({
      rows: z.array(
        transferSchema.pick({
          id: true,
          profileId: true,
          identifier: true,
          state: true,
          waitingFor: true,
          priority: true,
        }),
      ),
    }),
  },
  'transfers.cancel': {
    input: z.strictObject({ which: z.union([whichSchema, causeKeySchema]) }),
    output: nothing,
  },
  /** Failed and cancelled ones start again; waiting ones try now. */
  'transfers.retry': {
    input: z.strictObject({ which: z.union([whichSchema, causeKeySchema]) }),
    output: nothing,
  },
  /** What has begun is finished first; new ones wait. Survives a restart. */
  'transfers.pause': { input: z.strictObject({ which: pausableSchema }), output: nothing },
  'transfers.resume': { input: z.strictObject({ which: pausableSchema }), output: nothing },
  /** What has begun of a service that is paused stops too, and waits, from its beginning. */
  'transfers.stopNow': { input: nothing, output: nothing },
  'transfers.setPriority': {
    input: z.strictObject({ ids: pickedIdsSchema, priority: prioritySchema }),
    output: nothing,
  },
  /** Among those of their priority. @param before null: behind all; `top`: before all */
  'transfers.move': {
    input: z.strictObject({
      ids: pickedIdsSchema,
      before: z.union([transferIdSchema, z.literal('top')]).nullable(),
    }),
    output: nothing,
  },
  'transfers.clear': { input: z.strictObject({ group: transferGroupSchema }), output: nothing },
  'transfers.showInFolder': { input: z.strictObject({ id: transferIdSchema }), output: nothing },
  'transfers.question': {
    input: z.strictObject({ transferId: transferIdSchema.nullable() }),
    output: z.object({ question: questionSchema.nullable() }),
  },
  'transfers.answer': {
    input: z.strictObject({
      transferId: transferIdSchema,
      answer: z.enum(['skip', 'keepBoth']),
      applyToAll: z.boolean(),
    }),
    output: nothing,
  },

  /** `filter`: a part of the identifier, `''` for all. `cause` as in `transfers.page`; a filter looks at all rows. */
  'jobs.page': {
    input: z.strictObject({ offset, limit, filter: z.string().max(200), cause: causeKeySchema.optional() }),
    output: z.object({
      summary: jobSummarySchema,
      /** Of the rows. */
      counts: z.record(jobGroupSchema, z.number()),
      total: z.number(),
      offset,
      rows: z.array(jobSchema),
    }),
  },
  /** As `transfers.picked`. */
  'jobs.picked': {
    input: z.strictObject({ ids: pickedIdsSchema }),
    output: z.object({
      rows: z.array(
        jobSchema.pick({
          id: true,
          profileId: true,
          identifier: true,
          kind: true,
          state: true,
          waitingFor: true,
          priority: true,
        }),
      ),
    }),
  },
  'jobs.checkNow': { input: z.strictObject({ which: whichSchema }), output: nothing },
  /** Stops following; the service goes on. */
  'jobs.cancel': { input: z.strictObject({ which: whichSchema }), output: nothing },
  'jobs.startAgain': { input: z.strictObject({ which: whichSchema }), output: nothing },
  'jobs.clear': { input: z.strictObject({ group: jobGroupSchema }), output: nothing },
  'jobs.showInFolder': { input: z.strictObject({ id: jobIdSchema }), output: nothing },
  'jobs.copyActivityToken': { input: z.strictObject({ id: jobIdSchema }), output: nothing },

  /** Starts a deferred upload; the value is held in memory until the service has answered, and nowhere else. */
  'secrets.store': {
    input: z.strictObject({
      profileId: profileIdSchema,
      identifier: z.string().max(8192),
      classification: classificationValue.nullable(),
      source: secretSourceSchema,
    }),
    output: z.object({ jobId: jobIdSchema }),
  },
  /** A deferred download; resolves with the value when it is there. `secrets.stop` ends it. */
  'secrets.reveal': { input: z.strictObject({ id: objectIdSchema }), output: secretValueSchema },
  /** The value goes from main to the clipboard and never through the page. */
  'secrets.copy': { input: z.strictObject({ id: objectIdSchema }), output: clipboardStateSchema },
  /** null: the person cancelled. */
  'secrets.saveAs': {
    input: z.strictObject({ id: objectIdSchema }),
    output: z.object({ fileName: z.string() }).nullable(),
  },
  'secrets.stop': { input: z.strictObject({ id: objectIdSchema }), output: nothing },
  'secrets.generate': { input: generatorSchema, output: z.object({ text: z.string() }) },
  'secrets.clipboard': { input: nothing, output: clipboardStateSchema },
  /** Now, and only if it is still ours. */
  'secrets.clearClipboard': { input: nothing, output: nothing },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export const commandSchema = z.enum([
  'upload',
  'uploadFolder',
  'search',
  'selectAll',
  'details',
  'download',
  'check',
  'delete',
  'palette',
  'dock.details',
  'dock.transfers',
  'dock.jobs',
  'dock.toggle',
  'downloadDeferred',
  'newSecret',
  'settings',
  'addKnown',
]);
export type Command = z.infer<typeof commandSchema>;

/** Each says "look again", with a revision: subscribe first, then list, and drop what is older. */
export const events = {
  'settings.changed': settingsSchema,
  'updates.changed': z.undefined(),
  'profiles.changed': z.object({ revision }),
  'app.changed': z.undefined(),
  'objects.changed': z.object({ profileId: profileIdSchema, revision }),
  'tasks.changed': z.object({ revision }),
  'drafts.changed': draftSchema,
  'transfers.changed': transferSummarySchema,
  'transfers.progress': progressSchema,
  'jobs.changed': jobSummarySchema,
  /** A window is about to close with its result not fetched. */
  'jobs.closing': z.object({ jobId: jobIdSchema, identifier: z.string(), leftMs: z.number() }),
  'secrets.clipboardChanged': clipboardStateSchema,
  /** Values on screen are to be hidden: the window was minimised, hidden, or the screen locked. */
  'secrets.hide': z.undefined(),
  /** From the menu. */
  'command.given': z.object({ command: commandSchema }),
} as const satisfies Record<string, z.ZodType>;

export type ProcedureName = keyof typeof procedures;
export type Input<N extends ProcedureName> = z.infer<(typeof procedures)[N]['input']>;
export type Output<N extends ProcedureName> = z.infer<(typeof procedures)[N]['output']>;
export type EventName = keyof typeof events;
export type EventPayload<N extends EventName> = z.infer<(typeof events)[N]>;

/** A missing handler does not compile. */
export type Handlers = { [N in ProcedureName]: (input: Input<N>) => Promise<Output<N>> | Output<N> };
export type Reply = { ok: true; value: unknown } | { ok: false; error: AppError };
