import { z } from 'zod';
import { objectIdSchema } from '../domain/object.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { call, nothing, type Events, type Procedures } from './parts.ts';

/** A link that the system handed to Coffer, and where its object may be. */
const openedLinkSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unreadable') }),
  z.object({
    kind: z.literal('object'),
    /** Address of the service in the link; `local`: the built-in one. */
    address: z.string(),
    identifier: z.string(),
    services: z.array(
      z.object({
        serviceId: serviceIdSchema,
        isAtAddress: z.boolean(),
        /** null: not on the service's list, or deleted. */
        objectId: objectIdSchema.nullable(),
      }),
    ),
  }),
]);

export const linksProcedures = {
  /** Returns the newest opened link, once; null: none. Sends no request. */
  'links.take': call(nothing, { link: openedLinkSchema.nullable() }),
  /** Copies a link to an object. It contains the service's address and the identifier, nothing else. */
  'links.copy': call({ objectId: objectIdSchema }),
} as const satisfies Procedures;

export const linksEvents = {
  /** `links.take` has a link. */
  'links.opened': nothing,
} as const satisfies Events;
