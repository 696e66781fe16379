import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../../src/main/storage/open-database.ts';

/** Imports a file and prints a line for each batch; its test kills it. */
const [folder = '', path = ''] = process.argv.slice(2);
const opened = await openDatabase({ folder, nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('broken');
const { catalogue } = opened.database;
const importing = catalogue.importFrom('p1', path, 'import').then(() => true);
for (let lines = 0; !(await Promise.race([importing, setTimeout(5)]));) {
  const progress = await catalogue.importProgress('import');
  if (progress === null || progress.lines === lines) continue;
  lines = progress.lines;
  process.stdout.write('batch\n');
}
process.stdout.write('done\n');
