/** Apart from `team.ts`, as the command starts without zod. */

/** In characters, of an invitation with the certificates of an authority in it. */
export const invitationMax = 32_768;

/** What a person may do in an area. */
export const teamMays = ['read', 'contribute', 'curate'] as const;
export type TeamMay = (typeof teamMays)[number];

/** What stays on this computer when a person leaves: what they stored or saw themselves, all as a private list, or nothing of the team's. */
export const teamKeeps = ['own', 'all', 'none'] as const;
export type TeamKeep = (typeof teamKeeps)[number];

/** What a curator's wish fails by. */
export const teamCurateProblems = [
  'notCurator',
  /** Somebody has to curate the whole list. */
  'lastCurator',
  /** There is an area of this folder and classification. */
  'areaThere',
  'tooManyAreas',
  /** The area of the whole list cannot be removed. */
  'wholeList',
  /** It takes a curator of each list that the person sees. */
  'otherLists',
] as const;

/** Why no list can be made in a database. */
export const teamCreateProblems = [
  /** The role owns neither the database nor the server. */
  'notOwner',
  /** Other programs keep tables in it, and may rely on who may connect. */
  'notEmpty',
  /** Not UTF-8. */
  'encoding',
  'oldServer',
  /** The schema there is none of this Coffer's, or that of a newer one. */
  'otherSchema',
  'newerSchema',
  /** coffer_member is missing, and the role may make none. */
  'noMemberRole',
  /** The curator's role is missing, and the owner may not make it a member. */
  'noRole',
  /** The curator's role is one that the server refuses nothing. */
  'superuser',
  /** The curator's role may not log in, and the owner may not change that. */
  'closed',
  /** Another list has this name. */
  'nameTaken',
] as const;
