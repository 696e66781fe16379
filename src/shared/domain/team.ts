import { z } from 'zod';
import { atMsSchema } from './at-ms.ts';
import { objectIdSchema, objectKindSchema } from './object.ts';
import { teamWhySchema } from './team-why.ts';

/** Of an invitation with the certificates of an authority in it. */
export const invitationMax = 32_768;

/** Where a service's list stands to the team's. */
export const teamStandingSchema = z.discriminatedUnion('kind', [
  /** Not followed now: a command has the list open, and follows no team. */
  z.object({ kind: z.literal('off') }),
  /** Being read for the first time, or areas of it: this many rows so far. */
  z.object({ kind: z.literal('filling'), rows: z.number() }),
  /** `leftOut`: rows whose fields are none that a Coffer writes. */
  z.object({ kind: z.literal('live'), leftOut: z.number() }),
  /** As it was at a moment of this computer's clock; null: nothing was read since Coffer started. It is tried again. */
  z.object({
    kind: z.literal('asOf'),
    ms: atMsSchema.nullable(),
    /** connecting: not known yet; local: this computer cannot write. */
    why: z.enum(['connecting', 'local', ...teamWhySchema.options]),
  }),
  /**
   * Nothing is tried any more, as each try may bring the account nearer to being locked: `team.signIn` or `team.retry` begins anew.
   * noPassword: it was kept until Coffer ended, or the keychain does not give it.
   */
  z.object({ kind: z.literal('refused'), why: z.enum(['noPassword', ...teamWhySchema.options]) }),
]);
export type TeamStanding = z.infer<typeof teamStandingSchema>;

/** 1 reads, 2 contributes, 3 curates. */
export const teamMaySchema = z.enum(['read', 'contribute', 'curate']);
export type TeamMay = z.infer<typeof teamMaySchema>;

/** What belongs together on a team's list: a folder, a classification, or both. */
export const teamAreaSchema = z.object({
  /** '': every identifier. */
  prefix: z.string(),
  /** null: any. */
  classification: z.string().nullable(),
  may: teamMaySchema,
});
export type TeamArea = z.infer<typeof teamAreaSchema>;

/** Where a team's list lies, and as whom. Never a password. */
export const teamServerSchema = z.object({
  host: z.string(),
  port: z.number(),
  database: z.string(),
  role: z.string(),
});

export const teamStatusSchema = z.object({
  server: teamServerSchema,
  list: z.object({ id: z.number(), name: z.string() }),
  /** This person on the server. */
  me: z.number(),
  standing: teamStandingSchema,
  /** Changes of this computer that the team does not have yet. */
  due: z.number(),
  /** Changes that the server refused; the rows say why. */
  setAside: z.number(),
  /** Notes of this person where another's came first. */
  keptApart: z.number(),
  /** session: no usable keychain, so it is forgotten when Coffer ends. */
  passwordStoredIn: z.enum(['keychain', 'session', 'none']),
});
export type TeamStatus = z.infer<typeof teamStatusSchema>;

export const teamPersonSchema = z.object({ id: z.number(), shown: z.string(), isEnded: z.boolean() });
export type TeamPerson = z.infer<typeof teamPersonSchema>;

/** A note of this person's, where another's came first. */
export const keptApartSchema = z.object({
  id: z.number(),
  objectId: objectIdSchema,
  kind: objectKindSchema,
  identifier: z.string(),
  mine: z.string(),
  atMs: atMsSchema,
});
export type KeptApart = z.infer<typeof keptApartSchema>;

/** What stays on this computer when a person leaves: what they stored or saw themselves, all as a private list, or nothing of the team's. */
export const teamKeepSchema = z.enum(['own', 'all', 'none']);
export type TeamKeep = z.infer<typeof teamKeepSchema>;
