import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readChoices, type Choices } from './link/choices.ts';
import { runCoffer, type Ran } from './link/coffer.ts';
import { Measure, roundTripsOf } from './link/measure.ts';
import { openLink, type Line } from './link/proxy.ts';
import { makeSet, type FileSet, type SetName } from './link/sets.ts';
import { Table, targetOf, type Row } from './link/table.ts';
import { startService, type BenchServiceOptions } from './parts/service.ts';

const services = {
  free: { processingMs: 800 },
  tls: { isTls: true },
  ten: { atOnce: 10, workMs: 50 },
  twenty: { ratePerSecond: 20 },
} satisfies Record<string, BenchServiceOptions>;

/** Of requests to a service that takes twenty a second; it allows a burst of as many. */
const maxRefusedShare = 0.15;
const maxRefused = 5;

/**
 * The command over a network: through a proxy that delays, beside `curl -Z --parallel-max 50` with the same files over the same
 * line. `--rtt 50,50@100` (in ms, and with a limit in Mbit/s), `--set 300,1500,60,6,mixed`,
 * `--what put,get,check,rm,deferred-put,deferred-get,tls,refusals`, `--rounds N` (1; the best counts), and `--limit SECONDS`
 * (300), after which a command is ended.
 */
export async function run(args: string[]): Promise<void> {
  const choices = readChoices(args);
  const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
  const made = new Map<SetName, FileSet>();
  const setOf = async (name: SetName) => {
    const set = made.get(name) ?? (await makeSet(folder, name));
    made.set(name, set);
    return set;
  };
  try {
    const table = new Table(await measureStart(folder, choices));
    const bench: Bench = { folder, choices, setOf, table };
    for (const line of choices.lines) {
      await measureSets(bench, line);
      // At one line only: at 50 ms, if that is chosen.
      if (line === (choices.lines.find(({ rttMs }) => rttMs === 50) ?? choices.lines[0]))
        await measureOthers(bench, line);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Bench {
  readonly folder: string;
  readonly choices: Choices;
  readonly setOf: (name: SetName) => Promise<FileSet>;
  readonly table: Table;
}

/** What the time and the memory of each row have in them. */
async function measureStart(folder: string, { limitMs }: Choices): Promise<Ran> {
  const service = await startService();
  const ran = await runCoffer(folder, service.baseAddress, ['put', import.meta.filename], limitMs);
  service.stop();
  return ran;
}

async function measureSets({ folder, choices, setOf, table }: Bench, line: Line): Promise<void> {
  const works = choices.works.filter((work) => work !== 'tls' && work !== 'refusals');
  if (works.length === 0) return;
  await withService('free', folder, line, choices, async (measure, address) => {
    const { firstMs, nextMs } = await roundTripsOf(address);
    const limit = line.mbits === null ? '' : ` at ${String(line.mbits)} Mbit/s`;
    console.log(
      `${String(line.rttMs)} ms${limit} (a request ${nextMs.toFixed(1)} ms, with its handshake ${firstMs.toFixed(1)} ms)`,
    );
    for (const name of choices.sets) {
      const set = await setOf(name);
      const best = new Map<string, Row>();
      for (let round = 0; round < choices.rounds; round += 1) {
        const curl = await measure.curl(set);
        for (const work of works) {
          const before = best.get(work);
          const measured = await measure.coffer(set, work);
          const curlMs = work === 'get' || work === 'deferred-get' ? curl.getMs : curl.postMs;
          best.set(work, {
            ...(before && before.ran.ms < measured.ran.ms ? before : measured),
            name: `${name} ${work}`,
            curlMs: Math.min(curlMs, before?.curlMs ?? Infinity),
            target: targetOf(line, name, work),
          });
        }
      }
      for (const row of best.values()) table.print(row);
    }
  });
}

async function measureOthers({ folder, choices, setOf, table }: Bench, line: Line): Promise<void> {
  const set = await setOf('300');
  if (choices.works.includes('tls'))
    await withService('tls', folder, line, choices, async (measure) => {
      const { postMs } = await measure.curl(set);
      const measured = await measure.coffer(set, 'put');
      table.print({ ...measured, name: '300 put, TLS', curlMs: postMs, target: null });
    });
  if (!choices.works.includes('refusals')) return;
  for (const [service, name] of [
    ['ten', '300 put, ten at once'],
    ['twenty', '300 put, twenty a second'],
  ] as const)
    await withService(service, folder, line, choices, async (measure) => {
      const measured = await measure.coffer(set, 'put');
      const share = Math.floor(measured.answered.requests * maxRefusedShare);
      const target = { refused: service === 'ten' ? maxRefused : share };
      table.print({ ...measured, name, curlMs: null, target });
    });
}

async function withService(
  name: keyof typeof services,
  folder: string,
  line: Line,
  { limitMs }: Choices,
  work: (measure: Measure, address: string) => Promise<void>,
): Promise<void> {
  const service = await startService(services[name]);
  const link = await openLink(line, service.baseAddress);
  const downloads = join(folder, 'downloads');
  await mkdir(downloads, { recursive: true });
  try {
    await work(new Measure({ folder, downloads, service, link, limitMs }), link.baseAddress);
  } finally {
    link.close();
    service.stop();
  }
}
