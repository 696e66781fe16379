import { inspect } from 'node:util';
import { TeamWorld } from './team-world.ts';
import type { WorldTeam } from './world-team.ts';

const steps = 150;

/**
 * Two to five computers, a service and a real server: people store, delete, look and write notes apart, pushes are lost or answered in vain, processes
 * are killed, lines are cut, the server ends the sessions of one or of all within a call, as when it crashes, clocks are wrong, a data folder is copied
 * back, and the server is set back. In the end all copies say what the server says, none contradicts what was seen there, and after a look at everything all of them say what the service has.
 * @param stopsAt before the end of which transaction of a session its process is killed besides; 0: none
 * @returns how many transactions there were
 * @throws if they do not
 */
export async function runTeamWorld(team: WorldTeam, seed: number, stopsAt = 0): Promise<number> {
  const world = await TeamWorld.begin(team, seed, stopsAt);
  try {
    for (let step = 0; step < steps; step += 1) await world.step();
    await world.settle();
    requireNone('settled', await world.disagreements());
    await world.lookAtAll();
    await world.settle();
    requireNone('after a look at everything', [
      ...(await world.disagreements()),
      ...(await world.untruths()),
    ]);
    return world.writes;
  } finally {
    world.end();
  }
}

function requireNone(when: string, found: readonly unknown[]): void {
  if (found.length > 0) throw new Error(`${when}: ${inspect(found, { depth: 5, breakLength: 140 })}`);
}
