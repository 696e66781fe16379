import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { getWithCurl, postWithCurl } from '../parts/curl.ts';
import type { BenchService } from '../parts/service.ts';
import type { Work } from './choices.ts';
import { runCoffer } from './coffer.ts';
import type { Link } from './proxy.ts';
import type { FileSet } from './sets.ts';
import type { Row } from './table.ts';

const curlAtOnce = 50;

interface Place {
  readonly folder: string;
  readonly downloads: string;
  readonly service: BenchService;
  readonly link: Link;
  readonly limitMs: number;
}

type Measured = Pick<Row, 'ran' | 'answered' | 'connections'>;

/** Curl and the command over one line to one service. */
export class Measure {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  async curl({ files }: FileSet): Promise<{ postMs: number; getMs: number }> {
    const { folder, downloads, service, link } = this.#place;
    await this.#forget();
    const postMs = await timed(() => postWithCurl(folder, link.baseAddress, curlAtOnce, files));
    if ((await service.stored()) !== files.length) throw new Error('curl has not stored all files');
    await empty(downloads);
    const getMs = await timed(() => getWithCurl(folder, link.baseAddress, curlAtOnce, files, downloads));
    return { postMs, getMs };
  }

  async coffer(set: FileSet, work: Exclude<Work, 'tls' | 'refusals'>): Promise<Measured> {
    const { folder, downloads, service, link, limitMs } = this.#place;
    const count = set.files.length;
    const isPut = work === 'put' || work === 'deferred-put';
    await this.#forget();
    // Not over the line: it takes no time that counts.
    if (!isPut) await postWithCurl(folder, service.baseAddress, curlAtOnce, set.files);
    await empty(downloads);
    await this.#idle();
    await service.answered();
    const named = ['--files-from', set.list];
    const commands = {
      put: ['put', set.folder],
      'deferred-put': ['put', '--deferred', set.folder],
      // One version of each is there: no need to look for newer ones.
      get: ['get', '--exact', '--to', downloads, ...named],
      'deferred-get': ['get', '--exact', '--deferred', '--to', downloads, ...named],
      check: ['check', ...named],
      rm: ['rm', '--yes', ...named],
    };
    const ran = await runCoffer(folder, link.baseAddress, commands[work], limitMs);
    const answered = await service.answered();
    const connections = await service.maxConnections();
    const done = work.endsWith('get') ? (await readdir(downloads)).length : await service.stored();
    if (ran.ms !== Infinity && done !== (work === 'rm' ? 0 : count))
      throw new Error(`${work} of ${String(count)} files: afterwards there are ${String(done)}`);
    return { ran, answered, connections };
  }

  async #forget(): Promise<void> {
    await this.#idle();
    this.#place.service.forget();
  }

  /** What an ended client has sent is still under way. */
  async #idle(): Promise<void> {
    while ((await this.#place.service.maxConnections()) > 0) await delay(20);
  }
}

/** Of a request on a new connection, and of the next one: the best of five, since other load only adds time. */
export async function roundTripsOf(baseAddress: string): Promise<{ firstMs: number; nextMs: number }> {
  let [firstMs, nextMs] = [Infinity, Infinity];
  for (let round = 0; round < 5; round += 1) {
    const agent = new Agent({ keepAlive: true });
    firstMs = Math.min(firstMs, await timed(() => head(baseAddress, agent)));
    nextMs = Math.min(nextMs, await timed(() => head(baseAddress, agent)));
    agent.destroy();
  }
  return { firstMs, nextMs };
}

async function head(baseAddress: string, agent: Agent): Promise<void> {
  const asked = request(`${baseAddress}/api/data/none`, { agent, method: 'HEAD' }).end();
  const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
  // Then the connection is back at the agent.
  const closed = once(asked, 'close');
  response.resume();
  await closed;
}

async function empty(folder: string): Promise<void> {
  await rm(folder, { recursive: true });
  await mkdir(folder);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
