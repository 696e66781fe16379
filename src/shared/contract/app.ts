import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { settingsSchema } from '../domain/settings.ts';
import { call, nothing, atMs, grantSchema, type Procedures, type Events } from './parts.ts';

export const catalogueCopySchema = z.object({ id: z.string(), madeAtMs: atMs, objects: z.number() });
export const appInfoSchema = z.object({
  version: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  shell: z.enum(['electron', 'chromium']),
  /** The system's languages, preferred first. */
  systemLanguages: z.array(z.string()),
  keychain: z.object({ usable: z.boolean(), error: appErrorSchema.nullable(), tokens: z.number() }),
  /** broken: the file was renamed to this name, and only `catalogue.recover` works. */
  catalogue: z.discriminatedUnion('state', [
    z.object({ state: z.literal('ready') }),
    z.object({ state: z.literal('broken'), setAsideName: z.string(), copies: z.array(catalogueCopySchema) }),
  ]),
  /** The last crash of an earlier run that the user has not dismissed; null: none. */
  crash: z.object({ atMs, what: z.enum(['app', 'thread', 'killed']) }).nullable(),
});
export type AppInfo = z.infer<typeof appInfoSchema>;

export const commandSchema = z.enum([
  'upload',
  'uploadFolder',
  'newFolder',
  'watchFolder',
  'search',
  'selectAll',
  'up',
  'back',
  'forward',
  'details',
  'open',
  'edit',
  'move',
  'download',
  'check',
  'delete',
  'deleteNow',
  'undo',
  'palette',
  'dock.details',
  'dock.transfers',
  'dock.jobs',
  'dock.toggle',
  'downloadDeferred',
  'look',
  'saveAs',
  'copyFiles',
  'copyIdentifiers',
  'copyLink',
  'reclassify',
  'newSecret',
  'settings',
  'addKnown',
  'importList',
  'shortcuts',
  'report',
]);
export type Command = z.infer<typeof commandSchema>;

/** What the window can undo. */
export const undoableSchema = z.enum(['delete', 'cancel', 'rename', 'move', 'classify', 'remove']);
export type Undoable = z.infer<typeof undoableSchema>;

/** The application: version, settings, dialogs, menu. */
export const appProcedures = {
  'app.info': call.command(nothing, appInfoSchema),
  /** Progress of opening the list; always responds at once. `app.changed` announces changes. */
  'app.opening': call(nothing, { waitsForCommand: z.boolean() }),
  /** What the *Edit* menu can undo, the newest first. */
  'app.nameUndos': call({ names: z.array(undoableSchema) }),
  /** `log`: reveals the log file. */
  'app.open': call({ what: z.enum(['log', 'licences']) }),
  /**
   * A report for support, as plain text in English: no token, secret, identifier or path; names and addresses of services only
   * with `withNames`. Also works while the list is not open.
   */
  'app.report': call.command({ withNames: z.boolean() }, { id: z.uuid(), text: z.string() }),
  /** Asks where to save a report, as it was shown. null: the user cancelled. */
  'app.saveReport': call({ id: z.uuid() }, z.object({ fileName: z.string() }).nullable()),
  'app.dismissCrash': call(nothing),
  /** A part of the window failed to render: kind and place of the error, for the log. No message: it may contain shown data. */
  'app.paneFailed': call({
    pane: z.string().max(20),
    error: z.string().max(100),
    frames: z.array(z.string().max(300)).max(10),
  }),

  'catalogue.recover': call({ copyId: z.string().max(100).nullable() }),

  'settings.get': call(nothing, settingsSchema),
  'settings.update': call(settingsSchema.partial(), settingsSchema),

  /** File dialogs, which return grants, never paths. null: the user cancelled. */
  'files.chooseFiles': call(nothing, z.object({ grants: z.array(grantSchema) }).nullable()),
  'files.chooseFolders': call(nothing, z.object({ grants: z.array(grantSchema) }).nullable()),
  /** Returns the files dropped onto Coffer's icon, once. `refused`: their number, if they are not wanted now. */
  'files.takeDropped': call({ isWanted: z.boolean() }, { grants: z.array(grantSchema), refused: z.number() }),
  'files.chooseOne': call(
    {
      purpose: z.enum(['authority', 'clientCertificate', 'downloadFolder', 'watchedFolder', 'upload']),
    },
    z.object({ grant: grantSchema, label: z.string() }).nullable(),
  ),
} as const satisfies Procedures;

export const appEvents = {
  'settings.changed': settingsSchema,
  'app.changed': z.undefined(),
  /** `files.takeDropped` has files. */
  'files.dropped': z.undefined(),
  /** From the menu, or the icon in the notification area. */
  'command.given': z.object({ command: commandSchema }),
} as const satisfies Events;
