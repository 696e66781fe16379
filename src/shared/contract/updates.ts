import { z } from 'zod';
import { atMs, call, nothing, type Events, type Procedures } from './parts.ts';

export const updatesProcedures = {
  /** `host`: the host that is asked for the newest version; null: this build has none, and the setting has no effect. */
  'updates.state': call(nothing, {
    host: z.string().nullable(),
    askedAtMs: atMs.nullable(),
    /** Only if the user has turned it on. */
    newerVersion: z.string().nullable(),
  }),
  'updates.openReleasePage': call(nothing),
} as const satisfies Procedures;

export const updatesEvents = {
  'updates.changed': z.undefined(),
} as const satisfies Events;
