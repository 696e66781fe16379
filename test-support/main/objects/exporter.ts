import { openDatabase } from '../../../src/main/storage/open-database.ts';

/** A process that exports again and again; its test kills it. */
const [folder = '', path = ''] = process.argv.slice(2);
const opened = await openDatabase({ folder, nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('broken');
for (;;) await opened.database.catalogue.exportTo('p', 'jsonl', path);
