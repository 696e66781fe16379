import { z } from 'zod';
import { objectKindSchema } from '../domain/object.ts';
import { profileIdSchema } from '../domain/profile.ts';
import { transferIdSchema, transferSchema } from '../domain/transfer.ts';
import { objectRowSchema } from './objects.ts';
import type { Procedures } from './parts.ts';

/** What a command line asks for by name, where the window has rows. */
export const commandProcedures = {
  /** What the list knows under each identifier, in the same order; null: nothing. */
  'command.find': {
    input: z.strictObject({
      profileId: profileIdSchema,
      kind: objectKindSchema,
      identifiers: z.array(z.string().max(8192)).min(1).max(1000),
    }),
    output: z.object({ objects: z.array(objectRowSchema.nullable()) }),
  },
  /** Direct and deferred ones alike; what is no longer there is left out. */
  'command.transfers': {
    input: z.strictObject({ ids: z.array(transferIdSchema).max(1000) }),
    output: z.object({ transfers: z.array(transferSchema) }),
  },
} as const satisfies Procedures;
