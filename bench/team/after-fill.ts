import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/main/storage/database.ts';
import { follow, serviceId, untilLive, whileAsked } from './computer.ts';
import { ratio, report, reportAnswers, seconds } from './report.ts';
import type { BenchTeam } from './server.ts';

const idleMs = 20_000;

/** An idle client. It polls every twenty seconds, the app every minute. */
export async function measureIdle(database: Database, team: BenchTeam): Promise<void> {
  const sync = follow(database.team, team);
  await untilLive(sync);
  const share = await processorShare(async () => {
    await untilLive(sync);
    await delay(idleMs);
  });
  const { rows } = await team.owner.query<{ count: string }>(
    "select count(*) from pg_stat_activity where usename = $1 and application_name = 'coffer'",
    [team.member.role],
  );
  await sync.stop();
  const without = await processorShare(() => delay(idleMs));
  const connections = Number(rows[0]?.count);
  report(
    'an idle client',
    `${share.toFixed(2)} %`,
    `of a processor, ${String(connections)} connection; without a team ${without.toFixed(2)} %`,
    share - without <= 0.1 && connections === 1,
    '0.1 % and one',
  );
}

async function processorShare(work: () => Promise<unknown>): Promise<number> {
  const [startMs, start] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 10 / (performance.now() - startMs);
}

/** Removes the team's objects from a list without others, compared with one plain DELETE in a copy of the file. */
export async function measureLeave(folder: string, database: Database, rows: number): Promise<void> {
  const plainMs = deletePlainly(join(folder, 'filled', 'coffer.db'), join(folder, 'copy.db'));
  const leave = await whileAsked(database, async () => {
    await database.team.leave(serviceId, 'none');
    while (await database.team.clear(serviceId));
  });
  const { all } = await database.catalogue.collections(serviceId);
  if (all > 0) throw new Error(`${String(all)} objects are left`);
  report(
    `leaving with ${rows.toLocaleString('en')}`,
    seconds(leave.ms),
    `processor ${seconds(leave.processorMs)}; plain DELETE, in which nobody is answered, ${seconds(plainMs)}, ratio ${ratio(leave.ms, plainMs)}`,
    true,
    'none',
  );
  reportAnswers('leaving', leave);
}

function deletePlainly(from: string, to: string): number {
  const file = new DatabaseSync(from, { readOnly: true });
  file.exec(`VACUUM INTO '${to}'`);
  file.close();
  const copy = new DatabaseSync(to);
  copy.exec('PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA cache_size = -16000');
  const startMs = performance.now();
  copy.exec('DELETE FROM object');
  const tookMs = performance.now() - startMs;
  copy.close();
  return tookMs;
}
