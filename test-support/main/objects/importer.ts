import { openDatabase } from '../../../src/main/storage/open-database.ts';

/** Imports a file, and kills itself in the middle: another process might be too late. */
const [folder = '', path = ''] = process.argv.slice(2);
const opened = await openDatabase({ folder, nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('broken');
const { catalogue } = opened.database;
let isDone = false;
void catalogue.importFrom('p1', path, 'import').then(() => (isDone = true));
while (!isDone) {
  const progress = await catalogue.importProgress('import');
  // In the second batch: the first has been written.
  if (progress !== null && progress.lines > 200) process.kill(process.pid, 'SIGKILL');
}
