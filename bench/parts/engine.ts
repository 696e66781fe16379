import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../src/main/storage/open-database.ts';
import { systemClock } from '../../src/main/clock.ts';
import { createServiceClient } from '../../src/main/service/client.ts';
import { createEngine } from '../../src/main/transfers/engine.ts';
import type { UploadItem } from '../../src/main/transfers/queue/record-factory.ts';
import { openTestUndoCopies } from '../../test-support/main/transfers/undo-copies.ts';
import { connectTo, serviceId } from '../../test-support/main/transfers/connect.ts';
import { settingsDefault } from '../../src/shared/domain/settings.ts';
import { benchToken } from './service.ts';

/** The engine without a window, with a folder of its own and files to transfer. */
export async function openEngine(folder: string, baseAddress: string, transfersAtOnce: number) {
  const downloads = join(folder, 'downloads');
  const files = join(folder, 'files');
  for (const each of [downloads, files]) await mkdir(each);
  const opened = await openDatabase({ folder: join(folder, 'data'), nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('The database is broken');
  const { catalogue, documents, transfers: store, undoStore } = opened.database;
  await documents.put('services', serviceId, { id: serviceId, baseAddress });
  const client = createServiceClient({ baseAddress, getToken: () => benchToken });
  const log = { info: () => undefined, warn: console.error, error: console.error };
  const engine = await createEngine({
    store,
    catalogue,
    documents,
    connections: connectTo(client, downloads, baseAddress),
    clock: systemClock,
    log,
    undoCopies: await openTestUndoCopies({ store: undoStore, folder, log }),
    settings: () => ({ ...settingsDefault, transfersAtOnce }),
  });
  let count = 0;

  /** @param pollMs higher for many transfers, so that polling does not affect the measurement */
  async function finished(pollMs: number): Promise<void> {
    while ((await engine.unfinishedOf(serviceId)) > 0) await systemClock.delay(pollMs);
    const { rows, summary } = await engine.page({ tab: 'transfers', offset: 0, limit: 1 });
    if (summary.transfers.failed > 0) throw new Error(JSON.stringify(rows));
    await engine.actions.clear('transfers', 'done');
  }

  return {
    /** Creates files of these sizes, with the input for their upload. */
    async makeItems(number: number, sizeBytes: number): Promise<UploadItem[]> {
      const items: UploadItem[] = [];
      for (let index = 0; index < number; index += 1) {
        const fileName = `f${(count += 1)}`;
        const path = join(files, fileName);
        await writeFile(path, contentOf(fileName, sizeBytes));
        const { mtimeMs } = await stat(path);
        const choices = { classification: null, ifExists: 'ask' } as const;
        items.push({ path, fileName, identifier: fileName, sizeBytes, mtimeMs, ...choices });
      }
      return items;
    },
    async upload(items: readonly UploadItem[]): Promise<void> {
      await engine.enqueue.uploads(serviceId, items, 'direct');
      await finished(items.length > 1 ? 20 : 2);
    },
    async download(ids: readonly number[]): Promise<void> {
      await engine.enqueue.downloads(serviceId, ids, { saveAsPath: null, route: 'direct' });
      await finished(ids.length > 1 ? 20 : 2);
    },
    async idsOf(items: readonly UploadItem[]): Promise<number[]> {
      const identifiers = items.map(({ identifier }) => identifier);
      const found = await catalogue.findByIdentifiers(serviceId, 'data', identifiers);
      return [...found.values()].map(({ id }) => id);
    },
    async removeFiles(): Promise<void> {
      for (const each of [files, downloads]) {
        await rm(each, { recursive: true });
        await mkdir(each);
      }
    },
    async close(): Promise<void> {
      await engine.close();
      await client.close();
      await opened.database.close();
    },
  };
}

/** In pieces, because the files do not fit into memory. */
function* contentOf(name: string, sizeBytes: number): Generator<Buffer> {
  for (let left = sizeBytes; left > 0; left -= 1_000_000)
    yield Buffer.alloc(Math.min(left, 1_000_000), `${name} `);
}
