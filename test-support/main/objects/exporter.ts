import { openDatabase } from '../../../src/main/storage/open-database.ts';

/** Exports in a loop until the test kills it. */
const [folder = '', path = ''] = process.argv.slice(2);
const opened = await openDatabase({ folder, nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('broken');
for (;;) await opened.database.catalogue.exportTo('p', 'jsonl', path);
