import { parentPort, workerData } from 'node:worker_threads';
import { reachPostgres } from './postgres.ts';
import { runTeamWorld } from './run-team-world.ts';
import { WorldTeam } from './world-team.ts';

const { port, password } = workerData as { port: number; password: string };
const team = WorldTeam.open(reachPostgres(port, password));

/** Runs the worlds of the seeds it receives, one at a time, and answers with the failure as text; null: passed. */
parentPort?.on('message', (seed: number) => {
  const tell = (verdict: string | null) => parentPort?.postMessage(verdict);
  team
    .then((opened) => runTeamWorld(opened, seed))
    .then(
      () => tell(null),
      (cause: unknown) => tell(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)),
    );
});
