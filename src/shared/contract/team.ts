import { z } from 'zod';
import { objectKindSchema, objectRecordSchema } from '../domain/object.ts';
import { serviceIdSchema } from '../domain/service.ts';
import { rolesReaches, teamCreateProblems, teamKeeps, teamMays } from '../domain/team-choices.ts';
import {
  curationSchema,
  noteConflictSchema,
  teamAreaSchema,
  teamHistoryEntrySchema,
  teamPersonSchema,
  teamServerSchema,
  teamSharesSchema,
  teamStatusSchema,
} from '../domain/team.ts';
import {
  call,
  classificationValue,
  grantSchema,
  invitationSchema,
  passphraseSchema,
  revision,
  type Events,
  type Procedures,
} from './parts.ts';

const serviceId = serviceIdSchema;
/** PostgreSQL truncates longer names. */
const nameSchema = z
  .string()
  .min(1)
  .max(63)
  .regex(/^\P{Cc}*$/u);

/** The name by which the team knows a person. */
const shown = z.string().trim().min(1).max(80);
/** Id of a person or an area on the server. */
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
  /** null: the invitation's password, or none if the client certificate is enough. */
  teamPassword: teamPassword.nullable(),
  /** A PFX file; null: none. */
  clientCertificate: fileSchema.nullable(),
  passphrase: passphraseSchema,
});
export type TeamAccessInput = z.infer<typeof accessSchema>;

/**
 * A team's list, and each service's copy of it. Procedures that need the server reject with teamServer; those with an `access` also
 * reject with badInvitation, teamPasswordMissing, badAuthorityFile and badClientCertificate.
 */
export const teamProcedures = {
  /** null: the service has no team. */
  'team.status': call.command({ serviceId }, { revision, team: teamStatusSchema.nullable() }),
  /** Parses an invitation. Contacts no server. */
  'team.readInvitation': call(
    { invitation: invitationSchema },
    {
      server: teamServerSchema,
      /** The inviting person; null: not given. */
      from: z.string().nullable(),
      /** Name of the certificate authority in the invitation; null: it has none. */
      authority: z.string().nullable(),
      hasPassword: z.boolean(),
    },
  ),
  /** The lists on the server that this person can join. */
  'team.inspect': call.command(
    { access: accessSchema },
    {
      server: teamServerSchema,
      isEncrypted: z.boolean(),
      /** The name by which the team knows this person. */
      shown: z.string(),
      lists: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          /** Of the service whose objects it lists. */
          address: z.string(),
          /** Services here with this address and no team. */
          serviceIds: z.array(serviceId),
          areas: z.array(teamAreaSchema),
          sharesSecrets: z.boolean(),
          sharesNotes: z.boolean(),
          sharesNames: z.boolean(),
        }),
      ),
    },
  ),
  /** What *Share what I have stored* shares now: objects stored from here before joining, the first by name. */
  'team.earlier': call(
    { serviceId, withSecrets: z.boolean() },
    {
      count: z.number(),
      first: z.array(objectRecordSchema.pick({ id: true, kind: true, identifier: true })),
    },
  ),
  /**
   * Replaces an invitation's password with a random one that nobody knows. Rejects with notFound (service, teamList), serviceInTeam,
   * teamAddressDiffers unless `anyAddress`: the team would be told what is looked up at another service.
   */
  'team.join': call.command({
    serviceId,
    access: accessSchema,
    list: numberOnServer,
    sharesEarlier: z.boolean(),
    anyAddress: z.boolean(),
  }),
  /**
   * Replaces the stored password of the same role. Rejects with notFound (team), badInvitation, and teamDiffers for an invitation for
   * another role or server. Does not store a password that the server rejects.
   */
  'team.signIn': call.command({
    serviceId,
    proof: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('invitation'), invitation: invitationSchema }),
      z.strictObject({ kind: z.literal('password'), teamPassword }),
    ]),
    passphrase: passphraseSchema,
  }),
  /** Reconnects after the server has refused this person. Rejects with notFound (team). */
  'team.retry': call({ serviceId }),
  /** Sends and fetches once; resolves when both are complete. Rejects with notFound (team). */
  'team.sync': call.command({ serviceId }, { due: z.number(), setAside: z.number() }),
  /** `unshared`: what to do when the team does not have all changes of this computer; `ask` rejects with teamUnshared. */
  'team.leave': call.command({ serviceId, keep: z.enum(teamKeeps), unshared: z.enum(['ask', 'drop']) }),
  /** By number. Empty without a team. */
  'team.people': call.command(
    { serviceId },
    { me: z.number().nullable(), people: z.array(teamPersonSchema) },
  ),
  /** This person's rights by area and, for a curator of the whole list, the team, as the server has them. Rejects with notFound (team), teamPasswordMissing. */
  'team.membership': call(
    { serviceId },
    { mine: z.array(teamAreaSchema), curation: curationSchema.nullable() },
  ),
  /** What the team did with an object, from the server; newest first, at most 200. Rejects with notFound (team), teamPasswordMissing. */
  'team.history': call(
    { serviceId, kind: objectKindSchema, identifier: z.string().min(1).max(8192) },
    { entries: z.array(teamHistoryEntrySchema) },
  ),
  /**
   * For curators: adds `role` to the team, and creates the role if it is missing and the curator may create roles. The invitation of an
   * existing role has no password. `isRenewed`: an unused invitation had created the role; the role gets a new password, which makes
   * that invitation invalid. Rejects with notFound (team), teamInvite.
   */
  'team.invite': call.command(
    {
      serviceId,
      role: nameSchema,
      shown,
      may: z.enum(teamMays),
    },
    { invitation: z.string(), hasPassword: z.boolean(), isRenewed: z.boolean().optional() },
  ),
  /**
   * For another computer of the same person. Contains this computer's password, which both keep using, so the invitation is valid until
   * the role gets another one. Without a password (null) if the person knows it or a certificate is enough. Rejects with
   * notFound (team), teamPasswordMissing, teamInvite.
   */
  'team.inviteComputer': call({ serviceId }, { invitation: z.string(), hasPassword: z.boolean() }),
  /** For curators. This and the procedures up to `team.compare` reject with notFound (team), teamPasswordMissing, teamCurate. */
  'team.curation': call.command({ serviceId }, curationSchema.shape),
  /**
   * This Coffer, or any other curator's, moves objects into the new area; until then they stay where they are. `access`: who has which
   * rights there; curators of the whole list curate it too. Rejects with notFound (teamPerson).
   */
  'team.makeArea': call.command(
    {
      serviceId,
      /** Prefix of identifiers, with a trailing separator. */
      prefix: z
        .string()
        // The limit of identifiers; the server's is `areaPrefixMaxBytes`.
        .max(8192)
        .regex(/^[^\0]*$/),
      /** null: any. */
      classification: classificationValue.regex(/^[^\0]*$/).nullable(),
      access: z.array(z.strictObject({ personId: numberOnServer, may: z.enum(teamMays) })).max(1000),
    },
    { areaId: z.number() },
  ),
  /** Its objects go to the area that they would be in without it. Deletes nothing. Rejects with notFound (teamArea). */
  'team.removeArea': call.command({ serviceId, areaId: numberOnServer }),
  /** Rejects with notFound (teamArea, teamPerson). */
  'team.setAccess': call.command({
    serviceId,
    areaId: numberOnServer,
    personId: numberOnServer,
    may: z.enum(['none', ...teamMays]),
  }),
  /**
   * Renames, ends or reinstates a person; omitted fields stay. An ended person loses all access at once, and their connections are closed;
   * a role that an invitation created can no longer log in. `left`: what this curator may not end (or for login, re-enable), so that
   * the server's administrator has to. Rejects with notFound (teamPerson).
   */
  'team.setPerson': call.command(
    {
      serviceId,
      personId: numberOnServer,
      shown: shown.optional(),
      isEnded: z.boolean().optional(),
    },
    { left: z.array(z.enum(['login', 'connections'])) },
  ),
  /** Omitted fields stay. Data that is no longer shared (false) is deleted on the server at once, for everybody, irrevocably. */
  'team.setList': call.command({ serviceId, shares: teamSharesSchema.partial().strict() }),
  /** All computers of the team reread the list and resend what they sent: the server may have lost some of it. */
  'team.compare': call.command({ serviceId }),
  /** Whether a list can be created there by the role that owns the database. Changes nothing. */
  'team.inspectToCreate': call.command(
    { access: accessSchema },
    {
      server: teamServerSchema,
      isEncrypted: z.boolean(),
      /** Version of PostgreSQL, such as 18.4. */
      version: z.string(),
      /** null: a list can be created. */
      problem: z.enum(teamCreateProblems).nullable(),
      /** Whether this role may create the curator's role, so that their invitation has a password. */
      mayMakeRoles: z.boolean(),
      /** Of a role that may make roles there. */
      rolesReach: z.enum(rolesReaches),
      /** Existing lists. */
      lists: z.array(z.object({ id: z.number(), name: z.string(), address: z.string() })),
    },
  ),
  /**
   * Creates the team's schema in the database if it is missing, and a list for the service, or takes an existing one: the owner may name
   * another curator for it. `curator`: the role is created if it is missing. `makesRoles`: whether it may then create roles itself,
   * without which its invitations have no passwords; `own`: unless that reaches all roles of the server. They join by the invitation,
   * here or elsewhere. `isRenewed` as in `team.invite`. Rejects with teamCreate, notFound (service, teamList).
   */
  'team.create': call.command(
    {
      access: accessSchema,
      list: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('new'), name: z.string().trim().min(1).max(80), serviceId }),
        z.strictObject({ kind: z.literal('there'), listId: numberOnServer }),
      ]),
      curator: z.strictObject({ role: nameSchema, shown, makesRoles: z.enum(['no', ...rolesReaches]) }),
    },
    {
      invitation: z.string(),
      hasPassword: z.boolean(),
      isRenewed: z.boolean().optional(),
      listId: z.number(),
    },
  ),
  /** Newest first. */
  'team.noteConflicts': call({ serviceId }, { entries: z.array(noteConflictSchema) }),
  /** `mine`: writes and shares the own note; `theirs`: drops it. Rejects with notFound (keptApart). */
  'team.resolve': call({
    serviceId,
    noteConflictId: z.number().int().positive(),
    use: z.enum(['mine', 'theirs']),
  }),
} as const satisfies Procedures;

export const teamEvents = {
  'team.changed': z.object({ serviceId, revision }),
} as const satisfies Events;
