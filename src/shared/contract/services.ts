import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { proxySignInSchema, serviceDraftSchema, serviceIdSchema, serviceSchema } from '../domain/service.ts';
import { favouriteSchema, shownListSchema } from '../domain/shown-list.ts';
import {
  call,
  nothing,
  revision,
  tokenSchema,
  passphraseSchema,
  classificationValue,
  type Procedures,
  type Events,
} from './parts.ts';

/** One step of a connection test; the first that fails ends it. */
const testStepSchema = z.object({
  step: z.enum(['address', 'proxy', 'reach', 'certificate', 'token', 'service']),
  result: z.enum(['passed', 'failed', 'notTried']),
  elapsedMs: z.number().nullable(),
  error: appErrorSchema.nullable(),
  /** Passed as far as a HEAD of a missing object can tell: a wrong path may get the same answer. `services.tryObject` proves it. */
  isUnproven: z.boolean().optional(),
});
export const connectionReportSchema = z.object({
  host: z.string(),
  /** Origin of the proxy; null: none. */
  proxy: z.string().nullable(),
  ok: z.boolean(),
  steps: z.array(testStepSchema),
});
export type ConnectionReport = z.infer<typeof connectionReportSchema>;

/** Result of storing, reading and deleting a small test object. */
export const objectTrialSchema = z.object({
  /** Shown to the person, in case the object is left behind. */
  identifier: z.string(),
  steps: z.array(
    testStepSchema.pick({ result: true, elapsedMs: true, error: true }).extend({
      /** compare: the bytes read equal those stored; delete: accepted, and the object is no longer found. */
      step: z.enum(['store', 'read', 'compare', 'delete']),
    }),
  ),
  /** The object exists or may exist: its absence was not seen. */
  isLeft: z.boolean(),
});
export type ObjectTrial = z.infer<typeof objectTrialSchema>;

export const classificationsSchema = z.object({
  values: z.array(z.object({ value: z.string(), description: z.string().nullable() })),
  /** Newest first, `null` is the service default. */
  recent: z.array(z.string().nullable()),
  /** Initial value of the field: the one last chosen for the folder, else `preferred`. null: the service's default policy. */
  start: z.string().nullable(),
  /** The default that the person set for the folder, else for the service. */
  preferred: z.string().nullable(),
  /** Loading failed. Never blocks an upload. */
  error: appErrorSchema.nullable(),
});
export type Classifications = z.infer<typeof classificationsSchema>;

/**
 * Set for every call of a command, which any program can make: the stored token is used only as it is used already. Settings that would
 * send it another way reject with tokenMissing, unless a token is given.
 */
const byCommand = z.boolean().optional();

const connectionInputSchema = z.strictObject({
  draft: serviceDraftSchema,
  token: tokenSchema.nullable(),
  passphrase: passphraseSchema,
  serviceId: serviceIdSchema.nullable(),
  byCommand,
});

/** Services, their connections and classifications. */
export const servicesProcedures = {
  'services.list': call.command(nothing, {
    revision,
    services: z.array(serviceSchema),
    activeId: serviceIdSchema.nullable(),
    /** The list last shown for each, if any. */
    shownLists: z.record(serviceIdSchema, shownListSchema).optional(),
    /** In the order in which they were added. */
    favourites: z.record(serviceIdSchema, z.array(favouriteSchema)).optional(),
  }),
  /** `serviceId`: an existing service, whose token is used if none is given. */
  'services.test': call.commandWithToken(connectionInputSchema, connectionReportSchema),
  /** Tests by storing, reading, comparing and deleting an object. A step can fail; the call itself does not. */
  'services.tryObject': call.commandWithToken(connectionInputSchema, objectTrialSchema),
  'services.add': call.command(
    { draft: serviceDraftSchema, token: tokenSchema, passphrase: passphraseSchema },
    serviceSchema,
  ),
  /**
   * `unfinished`: what to do with unfinished transfers when the address changes; `ask` throws serviceBusy. `token`: replaces the
   * stored one together with the settings: nothing is sent with one of these and not the other.
   */
  'services.update': call.commandWithToken(
    {
      id: serviceIdSchema,
      draft: serviceDraftSchema,
      token: tokenSchema.optional(),
      passphrase: passphraseSchema,
      unfinished: z.enum(['ask', 'cancel']),
      byCommand,
    },
    serviceSchema,
  ),
  'services.setToken': call.command({ id: serviceIdSchema, token: tokenSchema }, serviceSchema),
  /**
   * `unshared`: as in `team.leave`, for a service with a team; if omitted, `ask`. `unfinished`: what to do when a Replace is half-way,
   * or an edit or a secret is not stored yet; `ask`, also if omitted, rejects with serviceUnfinished.
   */
  'services.remove': call.command({
    id: serviceIdSchema,
    removeCatalogue: z.boolean(),
    unshared: z.enum(['ask', 'drop']).optional(),
    unfinished: z.enum(['ask', 'drop']).optional(),
  }),
  /** Moves a favourite among those of its service; it stays if there is none on that side. */
  'services.moveFavourite': call({
    id: serviceIdSchema,
    favourite: favouriteSchema,
    by: z.union([z.literal(-1), z.literal(1)]),
  }),
  /** Adds a favourite, renames it in its place, or removes it. Rejects one over the limit (invalidInput). */
  'services.keepFavourite': call({ id: serviceIdSchema, favourite: favouriteSchema, isKept: z.boolean() }),
  /** Saved for the next start; publishes no event. */
  'services.rememberShown': call({ id: serviceIdSchema, shown: shownListSchema }),
  'services.activate': call.command({ id: serviceIdSchema }),
  /** Checks again whether the service is reachable and accepts the token. */
  'services.check': call.command({ id: serviceIdSchema }, serviceSchema),
  /** "Try it on this computer": starts the built-in service, adds it and makes it active. */
  'services.tryLocal': call(nothing, serviceSchema),

  /** Proxies with saved credentials. */
  'proxies.list': call(nothing, {
    proxies: z.array(
      z.object({ origin: z.string(), user: z.string(), storedIn: z.enum(['keychain', 'session']) }),
    ),
  }),
  /** Saves the credentials and rechecks every service behind this proxy. `isRefused`: the proxy rejected them. */
  'proxies.signIn': call.command(proxySignInSchema, { isRefused: z.boolean() }),
  'proxies.forget': call(proxySignInSchema.pick({ origin: true })),

  'classifications.list': call(
    { serviceId: serviceIdSchema, folder: z.string().max(8192), refresh: z.boolean() },
    classificationsSchema,
  ),
  'classifications.setPreferred': call({
    serviceId: serviceIdSchema,
    /** `''`: for the whole service. */
    folder: z.string().max(8192),
    value: classificationValue.nullable(),
  }),
} as const satisfies Procedures;

export const servicesEvents = {
  'services.changed': z.object({ revision }),
} as const satisfies Events;
