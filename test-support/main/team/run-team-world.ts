import { inspect } from 'node:util';
import { TeamWorld } from './team-world.ts';
import type { WorldTeam } from './world-team.ts';

const steps = 150;

/**
 * Two to five computers, a service and a real server. People store, delete, look and write notes while apart; pushes are
 * lost, or only their answers; processes are killed; connections are cut; the server ends the sessions of one computer or
 * of all within a call, as a crash does; clocks are wrong; a data folder is restored, and so is the server. In the end all
 * copies agree with the server, none contradicts what was seen there, and after a look at everything all agree with the
 * service.
 * @param stopsAt additionally kills a session's process before the end of this transaction; 0: none
 * @returns the number of transactions
 * @throws if they disagree
 */
export async function runTeamWorld(team: WorldTeam, seed: number, stopsAt = 0): Promise<number> {
  const world = await TeamWorld.begin(team, seed, stopsAt);
  try {
    for (let step = 0; step < steps; step += 1) await world.step();
    await world.settle();
    requireNone('settled', await world.disagreements());
    await world.checkAll();
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
