import { z } from 'zod';
import { objectIdSchema } from '../domain/object.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { renewBySchema } from '../domain/renewal.ts';
import {
  clipboardStateSchema,
  generatorSchema,
  secretSourceSchema,
  secretValueSchema,
} from '../domain/secret.ts';
import { transferIdSchema } from '../domain/transfer.ts';
import { nothing, classificationValue, type Procedures, type Events } from './parts.ts';

/** Secrets. */
export const secretsProcedures = {
  /** Starts a deferred upload; the value is held in memory until the service has answered, and nowhere else. */
  'secrets.store': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      identifier: z.string().max(8192),
      /** null: the service's default. Left out: of a new version as the newest one has it, else the service's default. */
      classification: classificationValue.nullable().optional(),
      source: secretSourceSchema,
      /** Under the next number beside what the list has of this identifier; without, that is refused (exists). */
      asNewVersion: z.boolean().optional(),
      renewBy: renewBySchema.optional(),
    }),
    output: z.object({ transferId: transferIdSchema, identifier: z.string() }),
  },
  /** The identifier that `asNewVersion` would most likely take. */
  'secrets.nextVersion': {
    input: z.strictObject({ serviceId: serviceIdSchema, identifier: z.string().max(8192) }),
    output: z.object({ identifier: z.string() }),
  },
  /** Whether a file is text, which can be copied later, or can only be saved as a file; its bytes stay in main. Refuses as `secrets.store`. */
  'secrets.inspect': {
    input: z.strictObject({ serviceId: serviceIdSchema, grant: z.string().max(64) }),
    output: z.object({ isText: z.boolean() }),
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
} as const satisfies Procedures;

export const secretsEvents = {
  'secrets.clipboardChanged': clipboardStateSchema,
  /** Values on screen are to be hidden: the window was minimised, hidden, or the screen locked. */
  'secrets.hide': z.undefined(),
} as const satisfies Events;
