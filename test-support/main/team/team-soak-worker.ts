import { parentPort, workerData } from 'node:worker_threads';
import { reachPostgres } from './postgres.ts';
import { runTeamWorld } from './run-team-world.ts';
import { WorldTeam } from './world-team.ts';

const { port, password } = workerData as { port: number; password: string };
const team = WorldTeam.open(reachPostgres(port, password));

/** Runs the worlds it receives, one at a time, and answers with the number of transactions, or the failure as text. */
parentPort?.on('message', ({ seed, stopsAt }: { seed: number; stopsAt: number }) => {
  const tell = (verdict: number | string) => parentPort?.postMessage(verdict);
  team
    .then((opened) => runTeamWorld(opened, seed, stopsAt))
    .then(tell, (cause: unknown) =>
      tell(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)),
    );
});
