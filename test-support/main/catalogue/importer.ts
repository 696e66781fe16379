import { openDatabase } from '../../../src/main/catalogue/open.ts';

/** A process that imports a file, and says so at each batch; its test kills it. */
const [folder = '', path = ''] = process.argv.slice(2);
const opened = await openDatabase({ folder, nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('broken');
const { catalogue } = opened.database;
catalogue.onChanged(() => {
  process.stdout.write('batch\n');
});
await catalogue.importFrom('p1', path);
process.stdout.write('done\n');
