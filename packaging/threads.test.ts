import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { expect, inject, test } from 'vitest';

/** The bundles that all tests use (threads-of-tests.ts); none while Vitest watches. */
const bundles = Object.values(inject('bundles'));

// CommonJS, as in Electron's own test of a thread from an archive (spec/asar-spec.ts).
test.skipIf(bundles.length === 0)('each thread is a CommonJS bundle that starts', async () => {
  const threads = bundles.filter((href) => href.endsWith('.cjs')).map((href) => fileURLToPath(href));
  const folder = dirname(threads[0] ?? '');
  // This check rejects syntax that only an ES module may contain.
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.cjs')))
    expect(() => new Script(readFileSync(join(folder, name), 'utf8'))).not.toThrow();
  expect(threads.map((path) => path.slice(folder.length + 1)).toSorted()).toEqual([
    'database-worker.cjs',
    'digest-worker.cjs',
    'local-service.cjs',
    'read-worker.cjs',
    'team-worker.cjs',
    'temporary-file-worker.cjs',
  ]);
  for (const path of threads) {
    const worker = new Worker(pathToFileURL(path), { workerData: {} });
    const failed = once(worker, 'error').then(([cause]) => String(cause));
    expect(await Promise.race([once(worker, 'online').then(() => 'online'), failed])).toBe('online');
    await worker.terminate();
  }
});
