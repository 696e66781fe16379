import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isJobFinished } from '../../../shared/domain/job.ts';
import { openDatabase } from '../../catalogue/open.ts';
import { systemClock } from '../../clock.ts';
import { createServiceClient } from '../../service/client.ts';
import { createPacer } from '../../transfers/pacing.ts';
import { createJobs } from '../jobs.ts';
import { connectTo, profileId } from './connect.ts';

/** What the test hands over, and gets back when all is through. */
export interface Given {
  readonly folder: string;
  readonly baseAddress: string;
  readonly token: string;
  /** Enqueued by the first of the processes. */
  readonly begin: { uploads: number; downloads: string[] } | null;
}

/** The jobs in a process of their own, over the same folder each time, until everything is finished. */
const given = JSON.parse(process.argv[2] ?? '') as Given;
const { folder, baseAddress, token, begin } = given;
const downloads = join(folder, 'downloads');
await mkdir(downloads, { recursive: true });
const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('the database is broken');
const { catalogue, documents } = opened.database;
const client = createServiceClient({ baseAddress, getToken: () => token });
const tell = (problem: string) => void process.send?.({ problem });
const log = { info: () => undefined, warn: tell, error: tell };
const jobs = await createJobs({
  catalogue,
  documents,
  connections: connectTo(client, downloads),
  pacer: createPacer(systemClock),
  clock: systemClock,
  log,
  settings: () => ({ jobRequestsPerSecond: 20, transfersAtOnce: 4 }),
});

if (begin) {
  const rows = await catalogue.add(
    profileId,
    begin.downloads.map((identifier) => ({ kind: 'data', identifier, patch: { state: 'stored' } })),
  );
  await jobs.enqueueDownloads(
    profileId,
    rows.map(({ record }) => record.id),
  );
  const items = [];
  for (let index = 0; index < begin.uploads; index += 1) {
    const path = join(folder, `up${index}`);
    const { size: sizeBytes, mtimeMs } = await stat(path);
    const item = { path, fileName: `up${index}`, identifier: `up${index}`, sizeBytes, mtimeMs };
    items.push({ ...item, classification: null, ifExists: 'ask' as const });
  }
  await jobs.enqueueUploads(profileId, items);
}
process.send?.('begun');

for (;;) {
  const { rows } = jobs.page({ offset: 0, limit: 1000, filter: '' });
  if (rows.every(({ state }) => isJobFinished(state))) {
    process.send?.(rows);
    break;
  }
  await systemClock.delay(20);
}
await jobs.close();
await client.close();
await opened.database.close();
process.disconnect?.();
