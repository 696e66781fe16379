import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureArrival } from './team/arrival.ts';
import { measureChanges } from './team/changes.ts';
import { measureFill } from './team/fill.ts';
import { measureManage } from './team/manage.ts';
import { measurePolicy } from './team/policy.ts';
import { addRows, startTeam } from './team/server.ts';

/**
 * A team's list, between a real PostgreSQL and the database as the app opens it. `--rows N` (300,000), and the measurements to run, if
 * not all: `fill`, `policy`, `arrival`, `changes`, `manage`.
 */
export async function run(args: string[]): Promise<void> {
  const options = { rows: { type: 'string', default: '300000' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const rows = Number(values.rows);
  const load = `${(loadavg()[0] ?? 0).toFixed(1)} of ${String(availableParallelism())}`;
  console.log(
    `busy cores before: ${load}; times are wall clock, and grow with what else runs here: trust the ratios\n`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const team = await startTeam(folder);
  const measures: Record<string, () => Promise<void>> = {
    fill: () => measureFill(folder, team, rows),
    policy: () => measurePolicy(team),
    arrival: () => measureArrival(folder, team),
    changes: () => measureChanges(folder, team),
    manage: () => measureManage(team),
  };
  try {
    await addRows(team, rows);
    for (const [name, measure] of Object.entries(measures))
      if (positionals.length === 0 || positionals.includes(name)) await measure();
  } finally {
    await team.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
