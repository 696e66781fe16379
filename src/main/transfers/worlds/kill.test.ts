import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalService } from '../../../local-service/service.ts';
import { createServiceClient } from '../../service/client.ts';
import { toAppError } from '../../../shared/app-failure.ts';
import { programFile } from '../../../../test-support/main/program.ts';
import { makeTestFolder } from '../../../../test-support/main/test-ports.ts';
import type { Given } from '../../../../test-support/main/transfers/kill-child.ts';
import { createKillWatch } from '../../../../test-support/main/transfers/kill-watch.ts';
import { createRandom } from '../../../../test-support/random.ts';

const token = 'kill-token';
const uploads = Array.from({ length: 8 }, (_, index) => `up${index}`);
/** Half of them keep the folders of their identifiers. */
const downloads = Array.from({ length: 8 }, (_, index) =>
  index < 4 ? `down${index}` : `tree/sub/down${index}`,
);
/** Each of these identifiers holds another object already. */
const replaces = Array.from({ length: 6 }, (_, index) => `replaced${index}`);
const versions = Array.from({ length: 4 }, (_, index) => `version${index}`);

interface Result {
  readonly states: { identifier: string; state: string; error: unknown }[];
  readonly rows: string[];
}

/** Small and large ones. */
function bytesOf(name: string): Buffer {
  return Buffer.alloc(Number(name.at(-1)) % 3 === 0 ? 3_000_000 : 20_000, `${name} `);
}

function oldBytesOf(name: string): Buffer {
  return Buffer.alloc(Number(name.at(-1)) % 2 === 0 ? 1_500_000 : 10_000, `what ${name} was `);
}

/** @param killAfter kills it after this many requests, once everything is enqueued; null: it may finish */
async function run(given: Given, killAfter: number | null): Promise<Result | null> {
  const child = fork(programFile('test-support/main/transfers/kill-child.ts'), [JSON.stringify(given)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let hasBegun = false;
  let sentRequests = 0;
  let result: Result | null = null;
  const problems: unknown[] = [];
  child.on('message', (message) => {
    if (message === 'begun') hasBegun = true;
    else if (message === 'request') sentRequests += 1;
    else if (typeof message === 'object' && 'states' in message) result = message as Result;
    else problems.push(message);
    if (hasBegun && killAfter !== null && sentRequests >= killAfter) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  if (code !== null && code !== 0) throw new Error(`ended with ${code}`);
  return result;
}

/**
 * One seed with three kills; COFFER_KILL_SEEDS asks for more, with four kills each (50 are 200), from
 * COFFER_KILL_FROM on.
 */
const first = Number(process.env['COFFER_KILL_FROM'] ?? 1);
const seeds = Array.from(
  { length: Number(process.env['COFFER_KILL_SEEDS'] ?? 1) },
  (_, index) => first + index,
);
const kills = seeds.length > 1 ? 4 : 3;
/**
 * Most requests between two kills; a whole run takes about 250. Not a time: on a busy machine it could pass before
 * the first request.
 */
const maxRequests = 100;

test.each(seeds)(
  'killed at any moment, everything continues and ends as it should: seed %i',
  // A process that hangs says so after 30 s without a request (kill-child.ts); one that is slow may go on.
  { tags: 'all', timeout: 300_000 },
  async (seed) => {
    const random = createRandom(seed);
    const folder = await makeTestFolder();
    const service = await startLocalService({
      dataFolder: join(folder, 'service'),
      token,
      masterKey: randomBytes(32),
      processingMs: 300,
    });
    const { baseAddress } = service;
    const client = createServiceClient({ baseAddress, getToken: () => token });
    async function read(identifier: string): Promise<Buffer | null> {
      try {
        const { body } = await client.downloadData(identifier);
        return Buffer.concat(await body.toArray());
      } catch (cause) {
        if (toAppError(cause)?.code === 'missing') return null;
        throw cause;
      }
    }
    try {
      for (const name of downloads) {
        const bytes = bytesOf(name);
        await client.uploadData(name, bytes, { lengthBytes: bytes.length, classification: null });
      }
      for (const name of [...replaces, ...versions]) {
        const bytes = oldBytesOf(name);
        await client.uploadData(name, bytes, { lengthBytes: bytes.length, classification: null });
      }
      for (const name of [...uploads, ...replaces, ...versions])
        await writeFile(join(folder, name), bytesOf(name));

      const syncsPath = join(folder, 'syncs');
      const watch = createKillWatch({
        folder,
        syncsPath,
        origin: baseAddress,
        replaces: new Map(replaces.map((name) => [name, { before: oldBytesOf(name), after: bytesOf(name) }])),
        others: new Map([
          ...downloads.map((name) => [name, bytesOf(name)] as const),
          ...versions.map((name) => [name, oldBytesOf(name)] as const),
        ]),
        read,
      });
      let result: Result | null = null;
      const given = { folder, baseAddress, token, syncsPath, sinceMs: Date.now() };
      const asked = { uploads, replaces, versions, downloads };
      for (let round = 0; result === null && round < 10; round += 1) {
        const begin = round === 0 ? asked : null;
        // The last run may finish.
        const killAfter = round < kills ? Math.floor(random() * maxRequests) : null;
        result = await run({ ...given, begin }, killAfter);
        await watch.look();
      }

      const nextVersions = versions.map((name) => `${name}@2`);
      const all = [...uploads, ...replaces, ...nextVersions, ...downloads].toSorted();
      const states = result?.states.toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));
      expect(states).toEqual(all.map((identifier) => ({ identifier, state: 'done', error: null })));
      expect(result?.rows.toSorted()).toEqual(all.map((identifier) => `${identifier} stored`));
      // Each is saved once, under its name, and nothing is left over.
      const saved = await readdir(join(folder, 'downloads'), { recursive: true });
      expect(saved.toSorted()).toEqual([...downloads, 'tree', 'tree/sub'].toSorted());
      for (const name of downloads)
        expect((await readFile(join(folder, 'downloads', name))).equals(bytesOf(name))).toBe(true);
      for (const name of [...uploads, ...replaces])
        expect((await read(name))?.equals(bytesOf(name))).toBe(true);
      for (const name of versions) expect((await read(`${name}@2`))?.equals(bytesOf(name))).toBe(true);
      // Each replaced object has one undo copy, and nothing stays beside an object.
      expect(await readdir(join(folder, 'kept'))).toHaveLength(replaces.length);
      for (const name of watch.besides) expect(await read(name)).toBeNull();
    } finally {
      await client.close();
      await service.close();
    }
  },
);
