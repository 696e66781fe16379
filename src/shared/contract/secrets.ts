import { z } from 'zod';
import { objectIdSchema } from '../domain/object.ts';
import { serviceIdSchema } from '../domain/service.ts';
import {
  clipboardStateSchema,
  generatorSchema,
  renewBySchema,
  secretSourceSchema,
  secretValueSchema,
} from '../domain/secret.ts';
import { transferIdSchema } from '../domain/transfer.ts';
import {
  call,
  nothing,
  classificationValue,
  invitationSchema,
  type Procedures,
  type Events,
} from './parts.ts';

/** Secrets. */
export const secretsProcedures = {
  /** Starts a deferred upload. The value is held only in memory, until the service has answered. */
  'secrets.store': call.command(
    {
      serviceId: serviceIdSchema,
      identifier: z.string().max(8192),
      /** null: the service's default. Omitted: a new version takes the newest version's, anything else the service's default. */
      classification: classificationValue.nullable().optional(),
      source: secretSourceSchema,
      /** Stores it under the next version number. Otherwise an identifier on the list is refused (`exists`). */
      asNewVersion: z.boolean().optional(),
      /** Store it even if the list claims that it exists but nobody has seen it (`exists` with `isUnseen`): the service decides. */
      storesUnseen: z.boolean().optional(),
      renewBy: renewBySchema.optional(),
    },
    { transferId: transferIdSchema, identifier: z.string() },
  ),
  /** The identifier that `asNewVersion` would most likely take. */
  'secrets.nextVersion': call(
    { serviceId: serviceIdSchema, identifier: z.string().max(8192) },
    { identifier: z.string() },
  ),
  /** Whether a file is text (can be copied later) or binary (can only be saved). Its bytes stay in main. Errors as `secrets.store`. */
  'secrets.inspect': call({ serviceId: serviceIdSchema, grant: z.string().max(64) }, { isText: z.boolean() }),
  /** A deferred download; resolves with the value. `secrets.stop` cancels it. */
  'secrets.reveal': call({ id: objectIdSchema }, secretValueSchema),
  /**
   * Main writes the value to the clipboard; it never reaches the page. `revealed`: the value that the page already shows, to save
   * a request.
   */
  'secrets.copy': call(
    { id: objectIdSchema, revealed: z.string().min(1).max(20_000).exactOptional() },
    clipboardStateSchema,
  ),
  /** Clears the clipboard like `secrets.copy`: an invitation to a team contains a password. */
  'secrets.copyInvitation': call({ invitation: invitationSchema }, clipboardStateSchema),
  /** null: the user cancelled. */
  'secrets.saveAs': call({ id: objectIdSchema }, z.object({ fileName: z.string() }).nullable()),
  'secrets.stop': call({ id: objectIdSchema }),
  'secrets.generate': call(generatorSchema, { text: z.string() }),
  'secrets.clipboard': call(nothing, clipboardStateSchema),
  /** Clears it now, if it still holds our value. */
  'secrets.clearClipboard': call(nothing),
} as const satisfies Procedures;

export const secretsEvents = {
  'secrets.clipboardChanged': clipboardStateSchema,
  /** Hide revealed values: the window was minimised or hidden, or the screen locked. */
  'secrets.hide': z.undefined(),
} as const satisfies Events;
