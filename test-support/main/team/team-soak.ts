import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { removePostgres, startPostgres } from './postgres.ts';

/** Real time; a world usually takes less than a second. */
const longestWorldMs = 120_000;

/** Worlds of a team's list over one real server, on all cores. @returns the number of failures */
export async function runTeamWorlds(from: number, count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-team-'));
  const server = await startPostgres(folder, ['fsync=off', 'full_page_writes=off']);
  // Of all databases: two who make it at once would meet.
  const owner = await server.owner();
  await owner.query('create role coffer_member nologin');
  await owner.end();
  let next = from;
  let failed = 0;
  let isEnding = false;
  // The server would go on without this process.
  const end = () => {
    isEnding = true;
    void removePostgres(server, folder).finally(() => process.exit(1));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);

  async function runOnOneCore(): Promise<void> {
    let worker: Worker | null = null;
    for (let seed = next++; seed < from + count && !isEnding; seed = next++) {
      worker ??= new Worker(new URL('team-soak-worker.ts', import.meta.url), {
        workerData: { port: server.port, password: server.password },
        // What worlds leave goes with the server.
        env: { ...process.env, TMPDIR: folder, TEMP: folder },
      });
      const verdict = await runIn(worker, seed);
      if (verdict === null || isEnding) continue;
      failed += 1;
      process.stdout.write(`seed ${String(seed)}: ${verdict}\n`);
      // One that hangs, or whose connections are in a state of before, gets no further worlds.
      await worker.terminate();
      worker = null;
    }
    await worker?.terminate();
  }

  try {
    await Promise.all(Array.from({ length: Math.min(availableParallelism(), count) }, runOnOneCore));
  } finally {
    await removePostgres(server, folder);
  }
  process.stdout.write(`${String(count)} team worlds, ${String(failed)} failed\n`);
  return failed;
}

async function runIn(worker: Worker, seed: number): Promise<string | null> {
  const signal = AbortSignal.timeout(longestWorldMs);
  worker.postMessage(seed);
  try {
    const [verdict] = (await once(worker, 'message', { signal })) as [string | null];
    return verdict;
  } catch (cause) {
    return signal.aborted ? 'it did not come to its end' : String(cause);
  }
}
