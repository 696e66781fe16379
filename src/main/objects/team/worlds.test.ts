import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removePostgres, startPostgres, type Postgres } from '../../../../test-support/main/team/postgres.ts';
import { runTeamWorld } from '../../../../test-support/main/team/run-team-world.ts';
import { WorldTeam } from '../../../../test-support/main/team/world-team.ts';

let folder: string;
let server: Postgres;
let team: WorldTeam;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-team-'));
  server = await startPostgres(folder, ['fsync=off', 'full_page_writes=off', 'autovacuum=off']);
  team = await WorldTeam.open(server);
});
afterAll(async () => {
  await team.close();
  await removePostgres(server, folder);
});

// More: npm run soak -- --team 100
it('copies of a team’s list agree in the end: seed 201', async () => {
  await expect(runTeamWorld(team, 201)).resolves.toBeGreaterThan(0);
});

it.each([202, 203])('they agree in the end: seed %d', { tags: 'all' }, async (seed) => {
  await expect(runTeamWorld(team, seed)).resolves.toBeGreaterThan(0);
});
