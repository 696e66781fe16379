import { join } from 'node:path';
import { measureIdle, measureLeave } from './after-fill.ts';
import {
  follow,
  joiningOf,
  openComputer,
  serviceId,
  untilLive,
  whileAsked,
  type Meanwhile,
} from './computer.ts';
import { ratio, report, reportAnswers, seconds } from './report.ts';
import type { BenchTeam } from './server.ts';

const targetMegabytes = 250;

/** Fills an empty list from a team's, compared with an import of the same objects; then idles, and leaves the team. */
export async function measureFill(folder: string, team: BenchTeam, rows: number): Promise<void> {
  const memoryBefore = process.memoryUsage.rss();
  const filled = await openComputer(folder, 'filled');
  await filled.team.join(serviceId, joiningOf(team));
  const fill = await whileAsked(filled, async () => {
    const sync = follow(filled.team, team);
    await untilLive(sync);
    await sync.stop();
  });
  await filled.catalogue.collections(serviceId);
  const megabytes = (process.memoryUsage.rss() - memoryBefore) / 1e6;

  const path = join(folder, 'list.jsonl');
  await filled.catalogue.exportTo(serviceId, 'jsonl', path);
  const imported = await openComputer(folder, 'imported');
  const listed = await whileAsked(imported, () => imported.catalogue.importFrom(serviceId, path, 'import'));
  await imported.close();

  const name = `fill of ${rows.toLocaleString('en')}`;
  const beside = `import of the same ${seconds(listed.ms)}, ratio ${ratio(fill.ms, listed.ms)}; ${processorOf(fill, listed)}`;
  report(name, seconds(fill.ms), beside, fill.ms <= listed.ms, 'ratio 1.00');
  reportAnswers('the fill', fill);
  reportAnswers('the import', listed);
  const allowed = (targetMegabytes * rows) / 1e6;
  report(
    '  memory for it',
    `${megabytes.toFixed(0)} MB`,
    `with the thread of the connection`,
    megabytes <= allowed,
    `${allowed.toFixed(0)} MB`,
  );
  await measureIdle(filled, team);
  await measureLeave(folder, filled, rows);
  await filled.close();
}

const processorOf = (one: Meanwhile, other: Meanwhile) =>
  `processor ${seconds(one.processorMs)} and ${seconds(other.processorMs)}`;
