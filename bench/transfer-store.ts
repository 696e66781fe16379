import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../src/main/storage/database.ts';
import { openDatabase } from '../src/main/storage/open-database.ts';
import type { NewTransfer } from '../src/main/transfers/model/store-types.ts';
import {
  newDownload,
  newUpload,
  origin,
  serviceId,
} from '../test-support/main/transfers/store/record-factory.ts';

const batchSize = 500;

/** A million waiting transfers: how long other callers wait during operations on them. */
export async function run([countGiven, kind = 'download']: string[]): Promise<void> {
  const count = Number(countGiven ?? 1_000_000);
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'));
  const load = `${(loadavg()[0] ?? 0).toFixed(1)} of ${String(availableParallelism())}`;
  console.log(`busy cores before: ${load}; times are wall clock, and grow with what else runs here\n`);
  try {
    const database = await open(folder);
    await database.documents.put('services', serviceId, { baseAddress: origin });
    await measure(database, count, kind === 'upload' ? upload : download);
    await database.close();
    await reopen(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function open(folder: string): Promise<Database> {
  const opened = await openDatabase({ folder, nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('The database is broken');
  return opened.database;
}

async function measure(database: Database, count: number, make: (n: number) => NewTransfer): Promise<void> {
  const { transfers } = database;
  const startRss = process.memoryUsage.rss();
  // One action: its batch counts all of them.
  const batch = await transfers.newBatch();
  await timed(`enqueue ${count.toLocaleString('en')}, ${String(batchSize)} at a time`, 15_000, async () => {
    for (let n = 0; n < count; n += batchSize) {
      await transfers.enqueue(
        serviceId,
        Array.from({ length: batchSize }, (_, index) => make(n + index)),
        { id: batch, action: 'upload' },
      );
    }
  });
  const page = async (offset: number, group: 'waiting' | 'done' = 'waiting', filter = '') => {
    const query = {
      tab: 'transfers',
      groups: [{ group }],
      offset,
      limit: 100,
      filter,
      exceptIds: [],
    } as const;
    const [found] = await transfers.page(query);
    return found ?? { total: 0, records: [] };
  };
  const claim = () => transfers.claim({ serviceId, queue: 'small', limit: 64, includesIdle: true, origin });
  await timed('first page', 1000, () => page(0));
  await timed('a page in the middle', 1000, () => page(count / 2));
  await timed('a part of the identifier', 1000, () => page(0, 'waiting', '77-7'));
  const dock = (offset: number, opened: number[]) =>
    transfers.dockPage({
      offset,
      limit: 100,
      exceptIds: [],
      before: { needsYou: 0, waiting: 0, done: 0 },
      moving: [],
      givenUp: new Map(),
      failing: [],
      opened,
      except: { needsYou: [], waiting: [] },
    });
  await timed('first page of the dock', 1000, () => dock(0, []));
  await timed('a page in the middle of the batch', 1000, () => dock(count / 2, [batch]));
  await timed('counts', 1000, () => transfers.counts());
  const first = await timed('claim 64', 10, claim);
  await timed('put them back', 10, () => transfers.unclaim(first.map(({ id }) => id)));
  const claimed = await timed('claim 64 again', 10, claim);
  await timed('64 transitions in one transaction', 10, () =>
    transfers.apply(
      claimed.map(({ id }) => ({
        id,
        change: { state: { name: 'done' as const, outcome: null, savedPath: null } },
      })),
    ),
  );
  const thousand = Array.from({ length: 1000 }, (_, index) => count - index);
  await timed('1,000 to the top', 1000, () => transfers.reorder(thousand, 'top'));
  await timed('1,000 before one', 1000, () => transfers.reorder(thousand, 1000));
  await timed('1,000 to another priority', 1000, () =>
    transfers.setPriority({ kind: 'ids', ids: thousand }, 'now'),
  );
  const whole = { kind: 'batch', batch } as const;
  await timed('pause the batch', 1000, () => transfers.pause(whole, true));
  await timed('  claim after that', 1000, claim);
  await timed('  until each is paused', Infinity, () => transfers.settled());
  await timed('resume the batch', 1000, () => transfers.pause(whole, false));
  await timed('  until each is resumed', Infinity, () => transfers.settled());
  await timed('pause all', 1000, () => transfers.pause({ kind: 'all' }, true));
  await timed('  first page after that', 1000, () => page(0));
  await timed('  claim after that', 1000, claim);
  await timed('  resume all', 1000, () => transfers.pause({ kind: 'all' }, false));
  await timed('cancel all', 1000, () => transfers.cancel({ kind: 'all' }));
  const left = await timed('  first page after that', 1000, () => page(0));
  const sums = await timed('  counts after that', 1000, () => transfers.counts());
  console.log(
    `\nwaiting: ${String(left.total)}; ${sums.map((sum) => `${sum.state} ${String(sum.count)}`).join(', ')}`,
  );
  await worstWait(
    'while the cancelled are told',
    () => page(0, 'done'),
    async () => (await page(Math.max(0, count - 1000), 'done')).records.length > 0,
  );
  await timed('keep 1,000 of the history', Infinity, () => transfers.trim(1000, 0));
  console.log(`memory for it: ${((process.memoryUsage.rss() - startRss) / 2 ** 20).toFixed(0)} MiB`);
}

async function reopen(folder: string): Promise<void> {
  const database = await timed('open again', 1000, () => open(folder));
  await timed('  counts', 1000, () => database.transfers.counts());
  await database.close();
}

/** The longest time that a caller waits while the work runs. */
async function worstWait(
  name: string,
  ask: () => Promise<unknown>,
  isOver: () => Promise<boolean>,
): Promise<void> {
  const startMs = performance.now();
  let worstMs = 0;
  do {
    for (let asked = 0; asked < 20; asked += 1) {
      const askedMs = performance.now();
      await ask();
      worstMs = Math.max(worstMs, performance.now() - askedMs);
      await delay(50);
    }
  } while (!(await isOver()));
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  console.log(`${name}: ${seconds} s, and nobody waited longer than ${worstMs.toFixed(0)} ms`);
}

async function timed<T>(name: string, limitMs: number, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  const result = await work();
  const tookMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(startCpu);
  const verdict = tookMs <= limitMs ? '' : `   over ${String(limitMs)} ms`;
  const columns = [tookMs, (user + system) / 1000].map((ms) => `${ms.toFixed(1).padStart(9)} ms`);
  console.log(`${name.padEnd(40)} ${columns.join(', processor')}${verdict}`);
  return result;
}

/** In the order in which a folder is read. */
function identifierOf(n: number): string {
  return `reports/${String(Math.floor(n / 1000)).padStart(4, '0')}/quarter-${String(n)}.pdf`;
}

function download(n: number): NewTransfer {
  const row = newDownload(identifierOf(n), n + 1);
  return { ...row, totalBytes: 12_345, createdAtMs: Date.now() };
}

function upload(n: number): NewTransfer {
  const fileName = `quarter-${String(n)}.pdf`;
  return {
    ...newUpload(identifierOf(n)),
    totalBytes: 12_345,
    work: {
      kind: 'upload',
      path: `/home/person/${identifierOf(n)}`,
      fileName,
      expected: { sizeBytes: 12_345, mtimeMs: 1_700_000_000_000 },
      modifiedAtMs: 1_700_000_000_000,
      classification: null,
      ifExists: 'ask',
      addedRow: false,
      mayBeThere: false,
    },
    createdAtMs: Date.now(),
    newRow: { state: 'uploading', lengthBytes: 12_345, classification: null, sourceName: fileName },
  };
}
