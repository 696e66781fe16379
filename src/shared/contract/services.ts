import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { proxySignInSchema, serviceDraftSchema, serviceIdSchema, serviceSchema } from '../domain/service.ts';
import { shownListSchema } from '../domain/shown-list.ts';
import {
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
  /** It passed as far as an object that nobody has can tell: a wrong path answers the same. `services.tryObject` proves it. */
  isUnproven: z.boolean().optional(),
});
export const connectionReportSchema = z.object({
  host: z.string(),
  /** The proxy in between, by its origin; null: there is none. */
  proxy: z.string().nullable(),
  ok: z.boolean(),
  steps: z.array(testStepSchema),
});
export type ConnectionReport = z.infer<typeof connectionReportSchema>;

/** What became of a small object that was stored to try a service. */
export const objectTrialSchema = z.object({
  /** Said to whom it may be left with. */
  identifier: z.string(),
  steps: z.array(
    testStepSchema.pick({ result: true, elapsedMs: true, error: true }).extend({
      /** compare: what was read is what was stored; delete: the service says it is gone, and does not find it any more. */
      step: z.enum(['store', 'read', 'compare', 'delete']),
    }),
  ),
  /** It is there, or may be: nobody saw that it is gone. */
  isLeft: z.boolean(),
});
export type ObjectTrial = z.infer<typeof objectTrialSchema>;

export const classificationsSchema = z.object({
  values: z.array(z.object({ value: z.string(), description: z.string().nullable() })),
  /** Newest first, `null` is the service default. */
  recent: z.array(z.string().nullable()),
  /** The default for the folder that was asked for, else for the service; null: the service default. */
  preferred: z.string().nullable(),
  /** Loading failed; never blocks an upload. */
  error: appErrorSchema.nullable(),
});
export type Classifications = z.infer<typeof classificationsSchema>;

const connectionInputSchema = z.strictObject({
  draft: serviceDraftSchema,
  token: tokenSchema.nullable(),
  passphrase: passphraseSchema,
  serviceId: serviceIdSchema.nullable(),
});

/** Services, the way to them, and their classifications. */
export const servicesProcedures = {
  'services.list': {
    input: nothing,
    output: z.object({
      revision,
      services: z.array(serviceSchema),
      activeId: serviceIdSchema.nullable(),
      /** The list that was shown last of each, where one was. */
      shownLists: z.record(serviceIdSchema, shownListSchema).optional(),
    }),
  },
  /** `serviceId`: an existing service, whose token is used when none is given. */
  'services.test': { input: connectionInputSchema, output: connectionReportSchema },
  /** As `services.test`, by an object that is stored, read, compared and deleted. Its steps fail; the call does not. */
  'services.tryObject': { input: connectionInputSchema, output: objectTrialSchema },
  'services.add': {
    input: z.strictObject({ draft: serviceDraftSchema, token: tokenSchema, passphrase: passphraseSchema }),
    output: serviceSchema,
  },
  /** `unfinished`: what becomes of transfers that are not finished when the address changes; `ask` throws serviceBusy. */
  'services.update': {
    input: z.strictObject({
      id: serviceIdSchema,
      draft: serviceDraftSchema,
      passphrase: passphraseSchema,
      unfinished: z.enum(['ask', 'cancel']),
    }),
    output: serviceSchema,
  },
  'services.setToken': {
    input: z.strictObject({ id: serviceIdSchema, token: tokenSchema }),
    output: serviceSchema,
  },
  'services.remove': {
    input: z.strictObject({ id: serviceIdSchema, removeCatalogue: z.boolean() }),
    output: nothing,
  },
  /** For the next start; nobody is told. */
  'services.rememberShown': {
    input: z.strictObject({ id: serviceIdSchema, shown: shownListSchema }),
    output: nothing,
  },
  'services.activate': { input: z.strictObject({ id: serviceIdSchema }), output: nothing },
  /** Asks the service again whether it is there and takes the token. */
  'services.check': { input: z.strictObject({ id: serviceIdSchema }), output: serviceSchema },
  /** "Try it on this computer": starts the built-in service, makes its service and activates it. */
  'services.tryLocal': { input: nothing, output: serviceSchema },

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

  'classifications.list': {
    input: z.strictObject({ serviceId: serviceIdSchema, folder: z.string().max(8192), refresh: z.boolean() }),
    output: classificationsSchema,
  },
  'classifications.setPreferred': {
    input: z.strictObject({
      serviceId: serviceIdSchema,
      /** `''`: for the whole service. */
      folder: z.string().max(8192),
      value: classificationValue.nullable(),
    }),
    output: nothing,
  },
} as const satisfies Procedures;

export const servicesEvents = {
  'services.changed': z.object({ revision }),
} as const satisfies Events;
