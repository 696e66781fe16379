import { openDatabase } from '../../../src/main/storage/open-database.ts';

/** Imports a file, and is killed by itself in the middle: whoever looks on may be too late. */
const [folder = '', path = ''] = process.argv.slice(2);
const opened = await openDatabase({ folder, nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('broken');
const { catalogue } = opened.database;
let isDone = false;
void catalogue.importFrom('p1', path, 'import').then(() => (isDone = true));
while (!isDone) {
  const progress = await catalogue.importProgress('import');
  // Of the second batch: the first is written.
  if (progress !== null && progress.lines > 200) process.kill(process.pid, 'SIGKILL');
}
