import type { TeamMay } from '../../../shared/domain/team-choices.ts';

/* What a person may do, as the team's schema stores it. Apart from the requests, so that main reads it without PostgreSQL's driver. */

export const mayWords: Readonly<Record<1 | 2 | 3, TeamMay>> = { 1: 'read', 2: 'contribute', 3: 'curate' };
export const mayNumbers: Readonly<Record<TeamMay, 1 | 2 | 3>> = { read: 1, contribute: 2, curate: 3 };
