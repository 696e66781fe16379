import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';
import { proxySignInSchema, profileDraftSchema, profileIdSchema, profileSchema } from '../domain/service.ts';
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
  /** It passed as far as an object that nobody has can tell: a wrong path answers the same. `profiles.tryObject` proves it. */
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
  /** The default for the folder that was asked for, else for the profile; null: the service default. */
  preferred: z.string().nullable(),
  /** Loading failed; never blocks an upload. */
  error: appErrorSchema.nullable(),
});
export type Classifications = z.infer<typeof classificationsSchema>;

const connectionInputSchema = z.strictObject({
  draft: profileDraftSchema,
  token: tokenSchema.nullable(),
  passphrase: passphraseSchema,
  profileId: profileIdSchema.nullable(),
});

/** Services, the way to them, and their classifications. */
export const servicesProcedures = {
  'profiles.list': {
    input: nothing,
    output: z.object({
      revision,
      profiles: z.array(profileSchema),
      activeId: profileIdSchema.nullable(),
      /** The list that was shown last of each, where one was. */
      shownLists: z.record(profileIdSchema, shownListSchema).optional(),
    }),
  },
  /** `profileId`: an existing profile, whose token is used when none is given. */
  'profiles.test': { input: connectionInputSchema, output: connectionReportSchema },
  /** As `profiles.test`, by an object that is stored, read, compared and deleted. Its steps fail; the call does not. */
  'profiles.tryObject': { input: connectionInputSchema, output: objectTrialSchema },
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
  /** For the next start; nobody is told. */
  'profiles.rememberShown': {
    input: z.strictObject({ id: profileIdSchema, shown: shownListSchema }),
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
} as const satisfies Procedures;

export const servicesEvents = {
  'profiles.changed': z.object({ revision }),
} as const satisfies Events;
