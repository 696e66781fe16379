import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTeamWorld } from '../../../../test-support/main/team/run-team-world.ts';
import { sharePostgres } from '../../../../test-support/main/team/test-postgres.ts';
import { WorldTeam } from '../../../../test-support/main/team/world-team.ts';

const postgres = sharePostgres();
let team: WorldTeam;
beforeAll(async () => {
  team = await WorldTeam.open(postgres().server);
});
afterAll(() => team.close());

// For more worlds: npm run soak -- --team 100
it('copies of a team’s list agree in the end: seed 201', async () => {
  await expect(runTeamWorld(team, 201)).resolves.toBeGreaterThan(0);
});

it.each([202, 203])('they agree in the end: seed %d', { tags: 'all' }, async (seed) => {
  await expect(runTeamWorld(team, seed)).resolves.toBeGreaterThan(0);
});
