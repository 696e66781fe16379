/** Apart from `team.ts`, as the command starts without zod. */

/** In characters, of an invitation with the certificates of an authority in it. */
export const invitationMax = 32_768;

/** What a person may do in an area. */
export const teamMays = ['read', 'contribute', 'curate'] as const;
export type TeamMay = (typeof teamMays)[number];

/** What stays on this computer when a person leaves: what they stored or saw themselves, all as a private list, or nothing of the team's. */
export const teamKeeps = ['own', 'all', 'none'] as const;
export type TeamKeep = (typeof teamKeeps)[number];
