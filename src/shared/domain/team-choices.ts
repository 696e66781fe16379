/** Apart from `team.ts`, so that the command starts without zod. */

/** Characters of an invitation, including the certificates of an authority. */
export const invitationMax = 32_768;

/** What a person may do in an area. */
export const teamMays = ['read', 'contribute', 'curate'] as const;
export type TeamMay = (typeof teamMays)[number];

/** What stays on this computer after leaving: what the person stored or saw, everything as a private list, or nothing of the team's. */
export const teamKeeps = ['own', 'all', 'none'] as const;
export type TeamKeep = (typeof teamKeeps)[number];

/** Why a curator's change failed. */
export const teamCurateProblems = [
  'notCurator',
  /** The whole list needs a curator. */
  'lastCurator',
  /** An area with this folder and classification exists. */
  'areaThere',
  'tooManyAreas',
  /** The area of the whole list cannot be removed. */
  'wholeList',
  /** Takes a curator of each list that the person can see. */
  'otherLists',
] as const;

/**
 * Which roles a role that may make roles can change: those that it made, or, before PostgreSQL 16, all but superusers. Then it
 * may also make itself a member of pg_execute_server_program, and run programs on the server's computer.
 */
export const rolesReaches = ['own', 'all'] as const;
export type RolesReach = (typeof rolesReaches)[number];

/** Why no list can be created in a database. */
export const teamCreateProblems = [
  /** The role owns neither the database nor the server. */
  'notOwner',
  /** Other programs keep tables in it, and may depend on its connection rights. */
  'notEmpty',
  /** Not UTF-8. */
  'encoding',
  'oldServer',
  /** The existing schema is not Coffer's, or is a newer Coffer's. */
  'otherSchema',
  'newerSchema',
  /** coffer_member is missing, and the role may not create it. */
  'noMemberRole',
  /** The curator's role is missing, and the owner may not make it a member. */
  'noRole',
  /** The curator's role is a superuser, which bypasses every check. */
  'superuser',
  /** The curator's role may not log in, and the owner may not change that. */
  'closed',
  /** Another list has this name. */
  'nameTaken',
] as const;
