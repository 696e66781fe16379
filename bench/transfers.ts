import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../src/main/clock.ts';
import type { UploadItem } from '../src/main/transfers/queue/record-factory.ts';
import { curl as runCurl, getWithCurl, postWithCurl } from './parts/curl.ts';
import { openEngine } from './parts/engine.ts';
import { startService, type BenchService } from './parts/service.ts';

const transfersAtOnce = 4;
const command = promisify(execFile);

const cases = [
  ['50 MB up', 1, 50_000_000, 'up'],
  ['50 MB down', 1, 50_000_000, 'down'],
  ['2,000 x 10 KB up', 2000, 10_000, 'up'],
  ['2,000 x 10 KB down', 2000, 10_000, 'down'],
  ['200 x 1 MB up', 200, 1_000_000, 'up'],
  ['200 x 1 MB down', 200, 1_000_000, 'down'],
] as const;

interface Figures {
  readonly oursMs: number[];
  /** Of all threads of this process. */
  readonly cpuMs: number[];
  readonly curlMs: number[];
  readonly blocks: Block[];
}

/** The longest time that the main thread was blocked: elapsed, and CPU time within it. */
interface Block {
  readonly ms: number;
  readonly cpuMs: number;
}

/**
 * Uploads and downloads, compared with curl on the same server in the same run, best of several. Like ours, curl
 * sends HEAD after each upload and flushes large downloads to the disk; ours also computes digests and writes the
 * list. Arguments: rounds (5), and a substring of the measurements to run (all).
 */
export async function run(args: string[]): Promise<void> {
  const rounds = Number(args[0] ?? 5);
  const matches = (name: string) => name.includes(args[1] ?? '');
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const service = await startService();
  try {
    const bench = await open(folder, service);
    if (matches('memory')) await bench.measureMemory();
    console.log(`\nbest of ${rounds}`);
    for (const [name, number, sizeBytes, direction] of cases) {
      if (matches(name)) await bench.compare(name, number, sizeBytes, direction, rounds);
    }
    await bench.close();
  } finally {
    service.stop();
    await rm(folder, { recursive: true });
  }
}

async function open(folder: string, service: BenchService) {
  const { baseAddress } = service;
  const curlFolder = join(folder, 'curl');
  await mkdir(curlFolder);
  const engine = await openEngine(folder, baseAddress, transfersAtOnce);

  const address = (name: string) => `${baseAddress}/api/data/${name}`;
  const curl = (requests: readonly string[][]) => runCurl(folder, transfersAtOnce, requests);

  async function curlUp(items: readonly UploadItem[], prefix: string): Promise<void> {
    const head = ({ fileName }: UploadItem) => [
      'head',
      'output = /dev/null',
      `url = "${address(prefix + fileName)}"`,
    ];
    await postWithCurl(folder, baseAddress, transfersAtOnce, items, prefix);
    await curl(items.map(head));
  }

  async function curlDown(items: readonly UploadItem[], prefix: string): Promise<void> {
    await getWithCurl(folder, baseAddress, transfersAtOnce, items, curlFolder, prefix);
    if (items.length === 1) await command('sync', ['-d', join(curlFolder, items[0]?.fileName ?? '')]);
  }

  return {
    async compare(name: string, number: number, sizeBytes: number, direction: 'up' | 'down', rounds: number) {
      const figures: Figures = { oursMs: [], cpuMs: [], curlMs: [], blocks: [] };
      let connections = 0;
      for (let round = 0; round < rounds; round += 1) {
        const items = await engine.makeItems(number, sizeBytes);
        const prefix = `curl-${round}-`;
        const isUp = direction === 'up';
        if (!isUp) {
          await engine.upload(items);
          await curlUp(items, prefix);
        }
        const ids = await engine.idsOf(items);
        figures.curlMs.push(await timed(() => (isUp ? curlUp(items, prefix) : curlDown(items, prefix))));
        // So that curl's connections are not counted as ours.
        await systemClock.delay(50);
        await service.maxConnections();
        const stopWatching = watchBlocks();
        const cpuBefore = process.cpuUsage();
        figures.oursMs.push(await timed(() => (isUp ? engine.upload(items) : engine.download(ids))));
        const { user, system } = process.cpuUsage(cpuBefore);
        figures.cpuMs.push((user + system) / 1000);
        figures.blocks.push(stopWatching());
        connections = Math.max(connections, await service.maxConnections());
        await engine.removeFiles();
        await rm(curlFolder, { recursive: true });
        await mkdir(curlFolder);
        service.forget();
      }
      report(name, figures, connections);
    },

    /** Memory during 64 uploads of 50 MB. */
    async measureMemory() {
      const items = await engine.makeItems(8, 50_000_000);
      const many = Array.from({ length: 64 }, (_, index) => {
        const item = items[index % items.length];
        if (!item) throw new Error('no file');
        return { ...item, identifier: `memory-${index}` };
      });
      const beforeBytes = process.memoryUsage.rss();
      let maxBytes = beforeBytes;
      const watch = setInterval(() => {
        maxBytes = Math.max(maxBytes, process.memoryUsage.rss());
      }, 20);
      await engine.upload(many);
      clearInterval(watch);
      const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
      console.log(
        `64 x 50 MB up: memory ${mebibytes(beforeBytes)} before, ${mebibytes(maxBytes - beforeBytes)} more at most`,
      );
    },

    close: () => engine.close(),
  };
}

/** Other load makes a block longer, but adds no CPU time. @returns stops */
function watchBlocks(): () => Block {
  let longest: Block = { ms: 0, cpuMs: 0 };
  let lastMs = performance.now();
  let lastCpu = process.threadCpuUsage();
  const watch = setInterval(() => {
    const { user, system } = process.threadCpuUsage(lastCpu);
    const nowMs = performance.now();
    longest = {
      ms: Math.max(longest.ms, nowMs - lastMs),
      cpuMs: Math.max(longest.cpuMs, (user + system) / 1000),
    };
    lastMs = nowMs;
    lastCpu = process.threadCpuUsage();
  }, 1);
  return () => {
    clearInterval(watch);
    return longest;
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function report(name: string, { oursMs, cpuMs, curlMs, blocks }: Figures, connections: number): void {
  // The best of each: other load only adds time.
  const [ours, curl] = [Math.min(...oursMs), Math.min(...curlMs)];
  console.log(
    [
      name.padEnd(20),
      `${ours.toFixed(0)} ms`.padStart(9),
      `curl ${curl.toFixed(0)} ms`.padStart(14),
      `ratio ${(ours / curl).toFixed(2)}`.padStart(12),
      `CPU ${Math.min(...cpuMs).toFixed(0)} ms`.padStart(13),
      `connections ${connections}`.padStart(16),
      `longest block ${Math.min(...blocks.map(({ ms }) => ms)).toFixed(0)} ms`.padStart(22),
      `of work ${Math.max(...blocks.map((block) => block.cpuMs)).toFixed(0)} ms`.padStart(16),
    ].join(''),
  );
}
