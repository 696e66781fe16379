import type pg from 'pg';
import { ratio, report } from './report.ts';
import type { BenchTeam } from './server.ts';

/** Cost of the row policy for a member, compared with the owner, who bypasses it. */
export async function measurePolicy(team: BenchTeam): Promise<void> {
  const member = await team.connect();
  // PostgreSQL would scan in parallel for the owner, but not for the member, whose policy functions are not parallel safe.
  for (const client of [member, team.owner]) await client.query('set max_parallel_workers_per_gather = 0');
  const [withPolicy, without]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 5; turn += 1) {
    withPolicy.push(await scan(member, team.list));
    without.push(await scan(team.owner, team.list));
  }
  await member.end();
  await team.owner.query('reset max_parallel_workers_per_gather');
  const [ours, plain] = [Math.min(...withPolicy), Math.min(...without)];
  const beside = `without ${plain.toFixed(0)} ms, ratio ${ratio(ours, plain)}`;
  report('a scan under the row policy', `${ours.toFixed(0)} ms`, beside, ours <= 1.5 * plain, 'ratio 1.50');
}

async function scan(client: pg.Client, list: number): Promise<number> {
  const startMs = performance.now();
  await client.query('select count(*), sum(length_bytes), max(seen_ms) from coffer.object where list = $1', [
    list,
  ]);
  return performance.now() - startMs;
}
