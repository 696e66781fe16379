import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { mkdir, open, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { IfExists } from '../../../src/shared/domain/service.ts';
import { settingsDefault } from '../../../src/shared/domain/settings.ts';
import { openDatabase } from '../../../src/main/storage/open-database.ts';
import { systemClock } from '../../../src/main/clock.ts';
import type { VaultFiles } from '../../../src/main/transfers/undo/vault.ts';
import { createServiceClient } from '../../../src/main/service/client.ts';
import { allOf } from './all-rows.ts';
import { createEngine } from '../../../src/main/transfers/engine.ts';
import { openTestUndoCopies } from './undo-copies.ts';
import { createQuickClock } from '../test-ports.ts';
import { connectTo, serviceId } from './connect.ts';

/** Parameters from the test. The process reports each request, and prints all transfers once everything has finished. */
export interface Given {
  readonly folder: string;
  readonly baseAddress: string;
  readonly token: string;
  /** Gets a line for each file of the undo store that was synced, and `.` when the folder was. */
  readonly syncsPath: string;
  /** When the first process started; the clock of every process runs faster from then on. */
  readonly sinceMs: number;
  /**
   * What the first process enqueues, half of it deferred: names of files in the folder, and of objects. `replaces` and
   * `versions` name both a file and an object of the list.
   */
  readonly begin: {
    readonly uploads: string[];
    readonly replaces: string[];
    readonly versions: string[];
    readonly downloads: string[];
  } | null;
}

/** Runs the engine in a process of its own, over the same folder each time, until everything has finished. */
const given = JSON.parse(process.argv[2] ?? '') as Given;
const { folder, baseAddress, token, syncsPath, sinceMs, begin } = given;
const downloads = join(folder, 'downloads');
await mkdir(downloads, { recursive: true });
const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
if (opened.state !== 'ready') throw new Error('the database is broken');
const { catalogue, documents, transfers: store, undoStore } = opened.database;
await documents.put('services', serviceId, { id: serviceId, baseAddress });
const client = createServiceClient({ baseAddress, getToken: () => token });
let movedMs = systemClock.monotonicMs();
subscribe('undici:request:create', () => {
  movedMs = systemClock.monotonicMs();
  process.send?.('request');
});
const tell = (problem: string, details?: object) =>
  void process.send?.({ problem: `${problem} ${JSON.stringify(details)}` });
const log = { info: () => undefined, warn: tell, error: tell };
/** 40 times as fast: the minute of a Replace takes a second and a half. */
const clock = createQuickClock(40, sinceMs);
const vaultFolder = join(folder, 'kept');
const files: VaultFiles = {
  mkdir,
  unlink,
  async open(path, flags, mode) {
    const handle = await open(path, flags, mode);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      appendFileSync(syncsPath, `${path === vaultFolder ? '.' : basename(path)}\n`);
    };
    return handle;
  },
};
const engine = await createEngine({
  store,
  catalogue,
  documents,
  connections: connectTo(client, downloads, baseAddress),
  clock,
  log,
  undoCopies: await openTestUndoCopies({ store: undoStore, folder, log, files }),
  settings: () => settingsDefault,
});

const routeOf = (index: number) => (index % 2 === 0 ? 'direct' : 'deferred');
/** Adds list rows for objects at the service. */
async function list(identifiers: readonly string[]): Promise<number[]> {
  const objects = identifiers.map(
    (identifier) => ({ kind: 'data', identifier, patch: { state: 'stored' } }) as const,
  );
  return (await catalogue.add(serviceId, objects)).map(({ record }) => record.id);
}
async function upload(names: readonly string[], ifExists: IfExists): Promise<void> {
  for (const [index, name] of names.entries()) {
    const path = join(folder, name);
    const { size: sizeBytes, mtimeMs } = await stat(path);
    const item = { path, fileName: name, identifier: name, sizeBytes, mtimeMs };
    await engine.enqueue.uploads(serviceId, [{ ...item, classification: null, ifExists }], routeOf(index));
  }
}
if (begin) {
  await list([...begin.replaces, ...begin.versions]);
  await upload(begin.replaces, 'replace');
  await upload(begin.versions, 'newVersion');
  await upload(begin.uploads, 'ask');
  for (const [index, id] of (await list(begin.downloads)).entries()) {
    const below = index < begin.downloads.length / 2 ? undefined : '';
    const options = { saveAsPath: null, route: routeOf(index), below } as const;
    await engine.enqueue.downloads(serviceId, [id], options);
  }
}
process.send?.('begun');

// Only a process that hangs reports what it waits for, not a slow one.
const patienceMs = 30_000;
while ((await engine.unfinishedOf(serviceId)) > 0 && systemClock.monotonicMs() - movedMs < patienceMs) {
  await systemClock.delay(20);
}
const rows = [...(await allOf(engine, 'transfers')), ...(await allOf(engine, 'jobs'))];
const states = rows.map(({ identifier, state, error }) => ({ identifier, state, error }));
if ((await engine.unfinishedOf(serviceId)) > 0) tell('it did not come to its end', rows);
const known = await catalogue.findByIdentifiers(
  serviceId,
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
