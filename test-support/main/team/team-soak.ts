import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { removePostgres, startPostgres } from './postgres.ts';

/** In real time; a world usually takes less than a second. */
const longestWorldMs = 120_000;

/**
 * Runs worlds of a team's list against one real server, on all cores.
 * @param isStepped runs each world once per transaction, killed at that one
 * @returns the number of failures
 */
export async function runTeamWorlds(from: number, count: number, isStepped: boolean): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-team-'));
  const server = await startPostgres(folder, ['fsync=off', 'full_page_writes=off']);
  // Roles belong to the whole server: two worlds making this one at once would collide.
  const owner = await server.owner();
  await owner.query('create role coffer_member nologin');
  await owner.end();
  let next = from;
  let failed = 0;
  let run = 0;
  let isEnding = false;
  const report = () => process.stdout.write(`${String(run)} team worlds, ${String(failed)} failed\n`);
  // The server would outlive this process.
  const end = () => {
    isEnding = true;
    report();
    void removePostgres(server, folder).finally(() => process.exit(1));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);

  async function runOnOneCore(): Promise<void> {
    let worker: Worker | null = null;
    let stopsAt = 0;
    for (let seed = next++; seed < from + count && !isEnding;) {
      worker ??= new Worker(new URL('team-soak-worker.ts', import.meta.url), {
        workerData: { port: server.port, password: server.password },
        // Files that worlds leave are removed with the server.
        env: { ...process.env, TMPDIR: folder, TEMP: folder },
      });
      const verdict = await runIn(worker, seed, stopsAt);
      if (isEnding) break;
      run += 1;
      if (typeof verdict === 'number') {
        const isLast = !isStepped || stopsAt >= verdict;
        [seed, stopsAt] = isLast ? [next++, 0] : [seed, stopsAt + 1];
        continue;
      }
      failed += 1;
      const at = stopsAt === 0 ? '' : `, killed at ${String(stopsAt)}`;
      process.stdout.write(`seed ${String(seed)}${at}: ${verdict}\n`);
      [seed, stopsAt] = [next++, 0];
      // A worker that hangs, or whose connections are in an unknown state, gets no further worlds.
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
  if (!isEnding) report();
  return failed;
}

/** @returns the number of transactions, or the failure */
async function runIn(worker: Worker, seed: number, stopsAt: number): Promise<number | string> {
  const signal = AbortSignal.timeout(longestWorldMs);
  worker.postMessage({ seed, stopsAt });
  try {
    const [verdict] = (await once(worker, 'message', { signal })) as [number | string];
    return verdict;
  } catch (cause) {
    return signal.aborted ? 'it did not come to its end' : String(cause);
  }
}
