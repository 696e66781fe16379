import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsDefault } from '../../../src/shared/domain/settings.ts';
import { openDatabase } from '../../../src/main/catalogue/open.ts';
import { systemClock } from '../../../src/main/clock.ts';
import { createServiceClient } from '../../../src/main/service/client.ts';
import { allJobs, allTransfers } from './all-rows.ts';
import { createEngine } from '../../../src/main/transfers/engine.ts';
import { openTestKept } from '../kept.ts';
import { connectTo, profileId } from './connect.ts';

/** What the test hands over; it gets back all transfers when everything is through. */
export interface Given {
  readonly folder: string;
  readonly baseAddress: string;
  readonly token: string;
  /** What the first of the processes enqueues: names of files in the folder, and of objects; half of them deferred. */
  readonly begin: { uploads: string[]; downloads: string[] } | null;
}

/** The engine in a process of its own, over the same folder each time, until everything is finished. */
const given = JSON.parse(process.argv[2] ?? '') as Given;
const { folder, baseAddress, token, begin } = given;
const downloads = join(folder, 'downloads');
await mkdir(downloads, { recursive: true });
const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('the database is broken');
const { catalogue, documents, transfers: store, kept: keptStore } = opened.database;
await documents.put('profiles', profileId, { id: profileId, baseAddress });
const client = createServiceClient({ baseAddress, getToken: () => token });
const tell = (problem: string, details?: object) =>
  void process.send?.({ problem: `${problem} ${JSON.stringify(details)}` });
const log = { info: () => undefined, warn: tell, error: tell };
const engine = await createEngine({
  store,
  catalogue,
  documents,
  connections: connectTo(client, downloads, baseAddress),
  clock: systemClock,
  log,
  kept: await openTestKept({ store: keptStore, folder, clock: systemClock, log }),
  settings: () => ({ ...settingsDefault, jobRequestsPerSecond: 20 }),
});

const routeOf = (index: number) => (index % 2 === 0 ? 'direct' : 'deferred');
if (begin) {
  for (const [index, name] of begin.uploads.entries()) {
    const path = join(folder, name);
    const { size: sizeBytes, mtimeMs } = await stat(path);
    const item = { path, fileName: name, identifier: name, sizeBytes, mtimeMs };
    const choices = { classification: null, ifExists: 'ask' as const };
    await engine.enqueue.uploads(profileId, [{ ...item, ...choices }], routeOf(index));
  }
  const rows = await catalogue.add(
    profileId,
    begin.downloads.map((identifier) => ({ kind: 'data', identifier, patch: { state: 'stored' } })),
  );
  for (const [index, { record }] of rows.entries()) {
    const below = index < begin.downloads.length / 2 ? undefined : '';
    const options = { saveAsPath: null, route: routeOf(index), below } as const;
    await engine.enqueue.downloads(profileId, [record.id], options);
  }
}
process.send?.('begun');

// A process that does not come to its end says what it waits for, before the test does.
const patienceMs = 30_000;
const untilMs = systemClock.monotonicMs() + patienceMs;
while ((await engine.unfinishedOf(profileId)) > 0 && systemClock.monotonicMs() < untilMs) {
  await systemClock.delay(20);
}
const rows = [...(await allTransfers(engine)), ...(await allJobs(engine))];
const states = rows.map(({ identifier, state, error }) => ({ identifier, state, error }));
if ((await engine.unfinishedOf(profileId)) > 0) tell('it did not come to its end', rows);
const known = await catalogue.findByIdentifiers(
  profileId,
  'data',
  rows.map(({ identifier }) => identifier),
);
process.send?.({
  states,
  rows: [...known.values()].map(({ identifier, state }) => `${identifier} ${state}`),
});
await engine.close();
await client.close();
await opened.database.close();
process.disconnect?.();
