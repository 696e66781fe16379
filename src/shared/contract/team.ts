import { z } from 'zod';
import { objectKindSchema } from '../domain/object.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { teamCreateProblems, teamKeeps, teamMays } from '../domain/team-choices.ts';
import {
  curatedAreaSchema,
  curatedPersonSchema,
  keptApartSchema,
  teamAreaSchema,
  teamHistoryEntrySchema,
  teamPersonSchema,
  teamHoldsSchema,
  teamServerSchema,
  teamSharesSchema,
  teamStatusSchema,
} from '../domain/team.ts';
import {
  classificationValue,
  grantSchema,
  invitationSchema,
  nothing,
  passphraseSchema,
  revision,
  type Events,
  type Procedures,
} from './parts.ts';

const serviceId = serviceIdSchema;
/** PostgreSQL cuts longer ones off. */
const nameSchema = z
  .string()
  .min(1)
  .max(63)
  .regex(/^\P{Cc}*$/u);

/** By which the team knows a person. */
const shown = z.string().trim().min(1).max(80);
/** A person of the team, or an area of a list, by its number on the server. */
const numberOnServer = z.number().int().positive();

const teamPassword = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\0]*$/);
const fileSchema = z.strictObject({ grant: grantSchema });

/** What a person enters to reach a team's server. */
const accessSchema = z.strictObject({
  server: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('invitation'), invitation: invitationSchema }),
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
    input: z.strictObject({ invitation: invitationSchema }),
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
      list: numberOnServer,
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
        z.strictObject({ kind: z.literal('invitation'), invitation: invitationSchema }),
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
  /** What this person may do where, asked of the team's server. Rejects with notFound (team), teamPasswordMissing. */
  'team.access': {
    input: z.strictObject({ serviceId }),
    output: z.object({ areas: z.array(teamAreaSchema) }),
  },
  /** What the team did with an object, asked of its server; the newest first, at most 200. Rejects with notFound (team), teamPasswordMissing. */
  'team.history': {
    input: z.strictObject({ serviceId, kind: objectKindSchema, identifier: z.string().min(1).max(8192) }),
    output: z.object({ entries: z.array(teamHistoryEntrySchema) }),
  },
  /**
   * For curators: `role` becomes a person of the team. Makes the role if there is none and this one may make roles; the invitation of one
   * that was there has no password. `isRenewed`: an invitation made it that nobody has joined by; it has another password now, and that
   * invitation is worth nothing. Rejects with notFound (team), teamInvite.
   */
  'team.invite': {
    input: z.strictObject({
      serviceId,
      role: nameSchema,
      shown,
      may: z.enum(teamMays),
    }),
    output: z.object({ invitation: z.string(), hasPassword: z.boolean(), isRenewed: z.boolean().optional() }),
  },
  /**
   * For one more computer of this person's. Its password is that of this computer, and is not replaced: both go on with it, and the line is
   * worth something until the role gets another. null in place of it: the person knows theirs, or a certificate is enough. Rejects with
   * notFound (team), teamPasswordMissing, teamInvite.
   */
  'team.inviteComputer': {
    input: z.strictObject({ serviceId }),
    output: z.object({ invitation: z.string(), hasPassword: z.boolean() }),
  },
  /** For curators: all that follows, up to `team.compare`, rejects with notFound (team), teamPasswordMissing, teamCurate. */
  'team.curation': {
    input: z.strictObject({ serviceId }),
    output: z.object({
      /** This person among the people. */
      me: z.number(),
      list: z.object({
        id: z.number(),
        name: z.string(),
        /** The address of the service that it is about. */
        address: z.string(),
        shares: teamSharesSchema,
        /** How many of each the server has: what goes if it is taken back. */
        holds: teamHoldsSchema,
      }),
      /** Areas have changed: so many objects may still lie in those of before, which show them until then. null: none does. */
      unsettled: z.number().nullable(),
      /** The one of the whole list first, then by prefix. Without those that are being removed. */
      areas: z.array(curatedAreaSchema),
      /** By number; also those who were ended. */
      people: z.array(curatedPersonSchema),
    }),
  },
  /**
   * Objects are given to the new area by this Coffer, or by that of any other curator; until then they stay where they are. `access`: who
   * may what there; those who curate the whole list curate it too. Rejects with notFound (teamPerson).
   */
  'team.makeArea': {
    input: z.strictObject({
      serviceId,
      /** As identifiers begin: with the separator at its end. */
      prefix: z
        .string()
        // As an identifier; what the server takes is `areaPrefixMaxBytes`.
        .max(8192)
        .regex(/^[^\0]*$/),
      /** null: any. */
      classification: classificationValue.regex(/^[^\0]*$/).nullable(),
      access: z.array(z.strictObject({ personId: numberOnServer, may: z.enum(teamMays) })).max(1000),
    }),
    output: z.object({ areaId: z.number() }),
  },
  /** Its objects go to the area that they would lie in without it. Nothing is deleted. Rejects with notFound (teamArea). */
  'team.removeArea': {
    input: z.strictObject({ serviceId, areaId: numberOnServer }),
    output: nothing,
  },
  /** Rejects with notFound (teamArea, teamPerson). */
  'team.setAccess': {
    input: z.strictObject({
      serviceId,
      areaId: numberOnServer,
      personId: numberOnServer,
      may: z.enum(['none', ...teamMays]),
    }),
    output: nothing,
  },
  /**
   * Names, ends or takes back a person; what is left out stays. Who is ended sees and writes nothing from then on. Their connections
   * end too, and the login of a role that an invitation made. `left`: what this curator may not end (or open again: login), so that whoever
   * runs the server has to. Rejects with notFound (teamPerson).
   */
  'team.setPerson': {
    input: z.strictObject({
      serviceId,
      personId: numberOnServer,
      shown: shown.optional(),
      isEnded: z.boolean().optional(),
    }),
    output: z.object({ left: z.array(z.enum(['login', 'connections'])) }),
  },
  /** What is left out stays as it is. What is taken back (false) is deleted on the server at once, for everybody, and cannot be undone. */
  'team.setList': {
    input: z.strictObject({ serviceId, shares: teamSharesSchema.partial().strict() }),
    output: nothing,
  },
  /** All computers of the team read the list anew, and tell again all that they have told: the server may have lost a part of it. */
  'team.compare': { input: z.strictObject({ serviceId }), output: nothing },
  /** Whether a list can be made there, by the role that owns the database. Changes nothing. */
  'team.lookToCreate': {
    input: z.strictObject({ access: accessSchema }),
    output: z.object({
      server: teamServerSchema,
      isEncrypted: z.boolean(),
      /** Of the PostgreSQL: 18.4 */
      version: z.string(),
      /** null: one can be made. */
      problem: z.enum(teamCreateProblems).nullable(),
      /** Whether this role may make the curator's role, so that their invitation has a password. */
      mayMakeRoles: z.boolean(),
      /** Those that are there already. */
      lists: z.array(z.object({ id: z.number(), name: z.string(), address: z.string() })),
    }),
  },
  /**
   * Makes what a team needs in the database, where it is not there yet, and a list about the service, or takes one that is there: the owner
   * may name another curator for it. `curator`: the role is made if there is none; `makesRoles`: it may then make roles itself, without which
   * its invitations have no passwords. They join by the invitation, here or elsewhere. `isRenewed` as in `team.invite`. Rejects with teamCreate, notFound (service, teamList).
   */
  'team.create': {
    input: z.strictObject({
      access: accessSchema,
      list: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('new'), name: z.string().trim().min(1).max(80), serviceId }),
        z.strictObject({ kind: z.literal('there'), listId: numberOnServer }),
      ]),
      curator: z.strictObject({ role: nameSchema, shown, makesRoles: z.boolean() }),
    }),
    output: z.object({
      invitation: z.string(),
      hasPassword: z.boolean(),
      isRenewed: z.boolean().optional(),
      listId: z.number(),
    }),
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
