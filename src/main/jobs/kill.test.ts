import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startLocalService } from '../../local-service/service.ts';
import type { Job } from '../../shared/domain/job.ts';
import { createServiceClient } from '../service/client.ts';
import type { Given } from './test/kill-child.ts';

const token = 'kill-token';
const uploads = 3;
const downloads = ['one.bin', 'two.bin', 'three.bin'];
const sizeBytes = 200_000;

/** The same bytes for the same seed, from 0 to 1. */
function chance(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1) >>> 0;
    return state / 2 ** 32;
  };
}

function bytesOf(name: string): Buffer {
  return Buffer.alloc(sizeBytes, `${name} `);
}

/** A kill between the making of a part and the note about it leaves an empty one behind. */
async function savedIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return names.filter((name, index) => !name.endsWith('.part') || sizes[index] !== 0).toSorted();
}

function start(given: Given): { child: ChildProcess; begun: Promise<void>; ended: Promise<Job[] | null> } {
  const child = fork(join(import.meta.dirname, 'test/kill-child.ts'), [JSON.stringify(given)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Job[] | null>();
  let result: Job[] | null = null;
  const problems: unknown[] = [];
  child.on('message', (message) => {
    if (message === 'begun') begun.resolve();
    else if (Array.isArray(message)) result = message as Job[];
    else problems.push(message);
  });
  child.once('exit', () => {
    begun.resolve();
    if (problems.length > 0) ended.reject(new Error(JSON.stringify(problems)));
    else ended.resolve(result);
  });
  return { child, begun: begun.promise, ended: ended.promise };
}

const seeds = Array.from({ length: Number(process.env['COFFER_KILL_SEEDS'] ?? 4) }, (_, index) => index + 1);

test.each(seeds)(
  'killed at any moment, everything ends as it should: seed %i',
  { timeout: 90_000 },
  async (seed) => {
    const random = chance(seed);
    const folder = await mkdtemp(join(tmpdir(), 'coffer-kill-'));
    const service = await startLocalService({
      dataFolder: join(folder, 'service'),
      token,
      masterKey: randomBytes(32),
      processingMs: 300,
    });
    const { baseAddress } = service;
    const client = createServiceClient({ baseAddress, getToken: () => token });
    try {
      for (const name of downloads) {
        await client.uploadData(
          name,
          (async function* () {
            yield bytesOf(name);
          })(),
          {
            lengthBytes: sizeBytes,
            classification: null,
          },
        );
      }
      const names = Array.from({ length: uploads }, (_, index) => `up${index}`);
      for (const name of names) await writeFile(join(folder, name), bytesOf(name));

      let jobs: Job[] | null = null;
      const given = { folder, baseAddress, token };
      for (let round = 0; jobs === null && round < 10; round += 1) {
        const run = start({ ...given, begin: round === 0 ? { uploads, downloads } : null });
        await run.begun;
        // The last one may come to the end.
        if (round < 4) {
          await Promise.race([setTimeout(random() * 900), run.ended]);
          run.child.kill('SIGKILL');
        }
        jobs = await run.ended;
      }

      expect(jobs?.map(({ identifier, state, error }) => ({ identifier, state, error }))).toEqual(
        expect.arrayContaining(
          [...names, ...downloads].map((identifier) => ({ identifier, state: 'done', error: null })),
        ),
      );
      expect(jobs).toHaveLength(uploads + downloads.length);
      // Each is saved once, under its name, and nothing is left over.
      expect(await savedIn(join(folder, 'downloads'))).toEqual(downloads.toSorted());
      for (const name of downloads) {
        expect((await readFile(join(folder, 'downloads', name))).equals(bytesOf(name))).toBe(true);
      }
      for (const name of names) {
        const { body } = await client.downloadData(name);
        expect(Buffer.concat(await body.toArray()).equals(bytesOf(name))).toBe(true);
      }
    } finally {
      await client.close();
      await service.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);
