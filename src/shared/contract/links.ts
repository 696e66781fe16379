import { z } from 'zod';
import { objectIdSchema } from '../domain/object.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { nothing, type Events, type Procedures } from './parts.ts';

/** A link that the system handed to Coffer, and where its object may be. */
const openedLinkSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unreadable') }),
  z.object({
    kind: z.literal('object'),
    /** That of the service in the link, or `local`: the built-in one. */
    address: z.string(),
    identifier: z.string(),
    services: z.array(
      z.object({
        serviceId: serviceIdSchema,
        isAtAddress: z.boolean(),
        /** null: the object is not on its list, or among the deleted ones. */
        objectId: objectIdSchema.nullable(),
      }),
    ),
  }),
]);

export const linksProcedures = {
  /** The newest opened link, once; null: none. Asks no service. */
  'links.take': { input: nothing, output: z.object({ link: openedLinkSchema.nullable() }) },
  /** Puts a link to an object on the clipboard. It holds the address of its service and its identifier, and nothing else. */
  'links.copy': { input: z.strictObject({ objectId: objectIdSchema }), output: nothing },
} as const satisfies Procedures;

export const linksEvents = {
  /** A link can be taken. */
  'links.opened': nothing,
} as const satisfies Events;
