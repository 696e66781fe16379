import type { TeamPlace } from '../../../src/main/team/place.ts';
import type { Member, TeamDatabase } from './team-database.ts';

/** Where a member finds the team's list, on this computer. */
export const placeOf = (team: TeamDatabase, { role }: Pick<Member, 'role'>, port: number): TeamPlace => ({
  host: '127.0.0.1',
  port,
  database: team.name,
  role: role.name,
  authority: null,
  clientCertificate: null,
});
