import { z } from 'zod';
import { atMsSchema } from './at-ms.ts';
import { objectIdSchema, objectKindSchema } from './object.ts';
import { teamMays } from './team-choices.ts';
import { teamWhySchema } from './team-why.ts';

/** How current a service's copy of the team's list is. */
const teamSyncStateSchema = z.discriminatedUnion('kind', [
  /** Not followed: a command has the list open, and commands follow no team. */
  z.object({ kind: z.literal('off') }),
  /** Reading the list, or some areas, for the first time: number of rows so far. */
  z.object({ kind: z.literal('filling'), rows: z.number() }),
  /** `leftOut`: number of rows with values that no Coffer writes. */
  z.object({ kind: z.literal('live'), leftOut: z.number() }),
  /** Outdated: as of this moment by this computer's clock; null: it was never read to its end, or while connecting. Retries. */
  z.object({
    kind: z.literal('asOf'),
    ms: atMsSchema.nullable(),
    /** connecting: not known yet; local: this computer cannot write. */
    why: z.enum(['connecting', 'local', ...teamWhySchema.options]),
  }),
  /**
   * No more attempts, since each may bring the account closer to being locked, until `team.signIn` or `team.retry`.
   * noPassword: it was stored for the last session only, or the keychain does not return it.
   */
  z.object({ kind: z.literal('refused'), why: z.enum(['noPassword', ...teamWhySchema.options]) }),
]);
export type TeamSyncState = z.infer<typeof teamSyncStateSchema>;

/** A section of a team's list: a folder, a classification, or both. */
export const teamAreaSchema = z.object({
  /** '': every identifier. */
  prefix: z.string(),
  /** null: any. */
  classification: z.string().nullable(),
  may: z.enum(teamMays),
});
export type TeamArea = z.infer<typeof teamAreaSchema>;

/** Location of a team's list, and the login role. Never a password. */
export const teamServerSchema = z.object({
  host: z.string(),
  port: z.number(),
  database: z.string(),
  role: z.string(),
});

export const teamStatusSchema = z.object({
  server: teamServerSchema,
  list: z.object({ id: z.number(), name: z.string() }),
  /** This person's number on the server. */
  me: z.number(),
  syncState: teamSyncStateSchema,
  /** false: the server refuses what this person stores, in every area. As it was when last heard. */
  mayContribute: z.boolean(),
  /** Changes of this computer that the team does not have yet. */
  due: z.number(),
  /** Changes that the server refused; the rows say why. */
  setAside: z.number(),
  /** Number of this person's notes that lost against another's. */
  noteConflicts: z.number(),
  /** session: no usable keychain, so it is forgotten when Coffer ends. */
  passwordStoredIn: z.enum(['keychain', 'session', 'none']),
});
export type TeamStatus = z.infer<typeof teamStatusSchema>;

export const teamPersonSchema = z.object({ id: z.number(), shown: z.string(), isEnded: z.boolean() });
export type TeamPerson = z.infer<typeof teamPersonSchema>;

/** A note of this person, kept because another's was stored first. */
export const noteConflictSchema = z.object({
  id: z.number(),
  objectId: objectIdSchema,
  kind: objectKindSchema,
  identifier: z.string(),
  mine: z.string(),
  atMs: atMsSchema,
});
export type NoteConflict = z.infer<typeof noteConflictSchema>;

/** What a member did with an object. keptApart: another's note came first; storedBefore: another's bytes were stored later. */
export const teamActionSchema = z.enum([
  'stored',
  'storedBefore',
  'foundOther',
  'added',
  'foundThere',
  'foundMissing',
  'deleted',
  'noteChanged',
  'noteKeptApart',
  'classificationChanged',
  'classificationKeptApart',
  'forgotten',
]);

/** A member's action on an object, as recorded by the team's server. */
export const teamHistoryEntrySchema = z.object({
  /** When the server learned of it, by its clock; later than the action if there was no connection. */
  atMs: atMsSchema,
  /** As in `team.people`. */
  person: z.number(),
  action: teamActionSchema,
  /** stored, foundOther: what was there before, null if nothing; storedBefore: what was stored. */
  bytes: z
    .object({
      lengthBytes: z.number().nullable(),
      classification: z.string().nullable(),
      /** By the service's clock. */
      storedAtMs: atMsSchema.nullable(),
      storedBy: z.number().nullable(),
    })
    .nullable(),
  /** Of a note or a classification. Notes: '' is none; classifications: null is the service's default. */
  before: z.string().nullable(),
  now: z.string().nullable(),
});
export type TeamHistoryEntry = z.infer<typeof teamHistoryEntrySchema>;

export const teamSharesSchema = z.object({
  /** Identifiers of secrets; never their values. */
  secrets: z.boolean(),
  notes: z.boolean(),
  /** Names of the uploaded files. */
  fileNames: z.boolean(),
});
export type TeamShares = z.infer<typeof teamSharesSchema>;
export const teamHoldsSchema = z.object({ secrets: z.number(), notes: z.number(), fileNames: z.number() });

/** An area as its curators see it. */
export const curatedAreaSchema = teamAreaSchema.omit({ may: true }).extend({
  id: z.number(),
  /** Number of objects in it. */
  objects: z.number(),
  access: z.array(z.object({ personId: z.number(), may: z.enum(teamMays) })),
});
export type CuratedArea = z.infer<typeof curatedAreaSchema>;

export const curatedPersonSchema = teamPersonSchema.extend({
  /** On the server. */
  role: z.string(),
  /** By the server's clock. */
  sinceMs: atMsSchema,
  endedMs: atMsSchema.nullable(),
});
export type CuratedPerson = z.infer<typeof curatedPersonSchema>;

/** Maximum UTF-8 bytes of an area's folder: the limit of an index on the server. */
export const areaPrefixMaxBytes = 2000;

/** The area that contains all others: its curators curate the list. */
export const isWholeList = ({ prefix, classification }: Omit<TeamArea, 'may'>): boolean =>
  prefix === '' && classification === null;

/** The whole team, as curators see it. */
export const curationSchema = z.object({
  /** This person's id in `people`. */
  me: z.number(),
  list: z.object({
    id: z.number(),
    name: z.string(),
    /** Of the service whose objects it lists. */
    address: z.string(),
    shares: teamSharesSchema,
    /** Number of each kind on the server, all deleted when that kind is no longer shared. */
    holds: teamHoldsSchema,
  }),
  /** Objects still to be moved after areas changed; until then their former areas show them. null: none. */
  unsettled: z.number().nullable(),
  /** The area of the whole list first, then by prefix. Without areas that are being removed. */
  areas: z.array(curatedAreaSchema),
  /** By number, including former members. */
  people: z.array(curatedPersonSchema),
});
