import { expect, it } from 'vitest';
import { TeamWorld } from '../../../../test-support/main/team/team-world.ts';
import { startTeamServer } from '../../../../test-support/main/team/team-database.ts';

/**
 * Three computers, a service and a real server: people store, delete, look and write notes apart, pushes are lost or answered in vain,
 * processes are killed, a data folder is copied back, and the server is set back. In the end all copies say what the server says, none contradicts what was seen
 * there, and after a look at everything all of them say what the service has.
 */
const { createTeam } = startTeamServer();
const [count, from] = [
  Number(process.env['TEAM_WORLDS'] ?? 2),
  Number(process.env['TEAM_WORLDS_FROM'] ?? 201),
];

it.each(Array.from({ length: count }, (_, at) => from + at))(
  'copies agree in the end: seed %d',
  async (seed) => {
    const world = await TeamWorld.begin(await createTeam(), seed);
    try {
      for (let step = 0; step < 150; step += 1) await world.step();
      await world.settle();
      expect(await world.disagreements()).toEqual([]);
      await world.lookAtAll();
      await world.settle();
      expect([...(await world.disagreements()), ...(await world.untruths())]).toEqual([]);
    } finally {
      world.end();
    }
  },
);
