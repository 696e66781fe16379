import { z } from 'zod';
import { serviceIdSchema } from '../domain/service.ts';
import { invitationMax, teamKeeps, teamMays } from '../domain/team-choices.ts';
import {
  keptApartSchema,
  teamAreaSchema,
  teamPersonSchema,
  teamServerSchema,
  teamStatusSchema,
} from '../domain/team.ts';
import { grantSchema, nothing, passphraseSchema, revision, type Events, type Procedures } from './parts.ts';

const serviceId = serviceIdSchema;
const invitation = z.string().min(1).max(invitationMax);
const listId = z.number().int().positive();
/** PostgreSQL cuts longer ones off. */
const nameSchema = z
  .string()
  .min(1)
  .max(63)
  .regex(/^\P{Cc}*$/u);

const teamPassword = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\0]*$/);
const fileSchema = z.strictObject({ grant: grantSchema });

/** What a person enters to reach a team's server. */
const accessSchema = z.strictObject({
  server: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('invitation'), invitation }),
    z.strictObject({
      kind: z.literal('typed'),
      host: z.string().trim().min(1).max(255),
      port: z.number().int().min(1).max(65_535),
      database: nameSchema,
      role: nameSchema,
      /** A file with certificates; null: the system's authorities are enough. */
      authority: fileSchema.nullable(),
    }),
  ]),
  /** null: that of the invitation, or none, where the client certificate is enough. */
  teamPassword: teamPassword.nullable(),
  /** A PFX file; null: none. */
  clientCertificate: fileSchema.nullable(),
  passphrase: passphraseSchema,
});
export type TeamAccessInput = z.infer<typeof accessSchema>;

/**
 * A team's list, and each service's copy of it. What needs the server rejects with teamServer; what takes an `access`, with badInvitation,
 * teamPasswordMissing, badAuthorityFile and badClientCertificate too.
 */
export const teamProcedures = {
  /** null: the service has no team. */
  'team.status': {
    input: z.strictObject({ serviceId }),
    output: z.object({ revision, team: teamStatusSchema.nullable() }),
  },
  /** What an invitation says. Asks no server. */
  'team.readInvitation': {
    input: z.strictObject({ invitation }),
    output: z.object({
      server: teamServerSchema,
      /** Who invites; null: it does not say. */
      from: z.string().nullable(),
      /** What the authority in it is called; null: it has none. */
      authority: z.string().nullable(),
      hasPassword: z.boolean(),
    }),
  },
  /** Which lists this person can join there. */
  'team.look': {
    input: z.strictObject({ access: accessSchema }),
    output: z.object({
      server: teamServerSchema,
      isEncrypted: z.boolean(),
      /** The name by which the team knows this person. */
      shown: z.string(),
      lists: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          /** The address of the service that it is about. */
          address: z.string(),
          /** Services here with this address and no team. */
          serviceIds: z.array(serviceId),
          areas: z.array(teamAreaSchema),
          sharesSecrets: z.boolean(),
          sharesNotes: z.boolean(),
          sharesNames: z.boolean(),
        }),
      ),
    }),
  },
  /** How many objects were stored from here before, which *Share what I have stored* shares. */
  'team.earlier': { input: z.strictObject({ serviceId }), output: z.object({ count: z.number() }) },
  /**
   * Replaces an invitation's password by one that nobody knows. Rejects with notFound (service, teamList), serviceInTeam,
   * teamAddressDiffers unless `anyAddress`: what is looked up at another service would be told to everybody.
   */
  'team.join': {
    input: z.strictObject({
      serviceId,
      access: accessSchema,
      list: listId,
      sharesEarlier: z.boolean(),
      anyAddress: z.boolean(),
    }),
    output: nothing,
  },
  /**
   * Gives the password anew, of the same role on the same server. Rejects with notFound (team), badInvitation, and with teamDiffers an
   * invitation for another. What the server refuses is not kept.
   */
  'team.signIn': {
    input: z.strictObject({
      serviceId,
      proof: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('invitation'), invitation }),
        z.strictObject({ kind: z.literal('password'), teamPassword }),
      ]),
      passphrase: passphraseSchema,
    }),
    output: nothing,
  },
  /** Begins anew after the server has refused this person. Rejects with notFound (team). */
  'team.retry': { input: z.strictObject({ serviceId }), output: nothing },
  /** Sends and fetches once; resolves when both have all. Rejects with notFound (team). */
  'team.sync': {
    input: z.strictObject({ serviceId }),
    output: z.object({ due: z.number(), setAside: z.number() }),
  },
  /** `unshared`: what to do when the team does not have all changes of this computer; `ask` rejects with teamUnshared. */
  'team.leave': {
    input: z.strictObject({ serviceId, keep: z.enum(teamKeeps), unshared: z.enum(['ask', 'drop']) }),
    output: nothing,
  },
  /** By number. Empty without a team. */
  'team.people': {
    input: z.strictObject({ serviceId }),
    output: z.object({ me: z.number().nullable(), people: z.array(teamPersonSchema) }),
  },
  /**
   * For curators: `role` becomes a person of the team. Makes the role if there is none and this one may make roles; the invitation of one
   * that was there has no password. Rejects with notFound (team), teamInvite.
   */
  'team.invite': {
    input: z.strictObject({
      serviceId,
      role: nameSchema,
      shown: z.string().trim().min(1).max(80),
      may: z.enum(teamMays),
    }),
    output: z.object({ invitation: z.string(), hasPassword: z.boolean() }),
  },
  /** The newest first. */
  'team.keptApart': {
    input: z.strictObject({ serviceId }),
    output: z.object({ entries: z.array(keptApartSchema) }),
  },
  /** `mine`: is written and shared now; `theirs`: the own one is forgotten. Rejects with notFound (keptApart). */
  'team.settle': {
    input: z.strictObject({
      serviceId,
      keptApartId: z.number().int().positive(),
      use: z.enum(['mine', 'theirs']),
    }),
    output: nothing,
  },
} as const satisfies Procedures;

export const teamEvents = {
  'team.changed': z.object({ serviceId, revision }),
} as const satisfies Events;
